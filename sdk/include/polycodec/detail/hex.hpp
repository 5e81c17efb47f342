// SPDX-License-Identifier: MIT
// Hexadecimal digits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec {

inline constexpr std::string_view hex_digits = "0123456789abcdef";
inline constexpr std::string_view upper_hex_digits = "0123456789ABCDEF";

/// Appends the last `digits` hexadecimal digits of `value`, in lower case.
inline void append_hex(std::string& out, std::uint64_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
    out += hex_digits[(value >> shift) & 15];
}

}  // namespace polycodec
