// SPDX-License-Identifier: MIT
// Hexadecimal digits, in lower case.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec {

inline constexpr std::string_view hex_digits = "0123456789abcdef";

/// Appends the last `digits` hexadecimal digits of `value`.
inline void append_hex(std::string& out, std::uint64_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
    out += hex_digits[(value >> shift) & 15];
}

/// Returns two digits for each byte of `bytes`.
inline std::string to_hex(std::string_view bytes) {
  std::string out;
  out.reserve(2 * bytes.size());
  for (const char byte : bytes) append_hex(out, static_cast<unsigned char>(byte), 2);
  return out;
}

/// Returns the value of a hexadecimal digit of either case, or -1.
constexpr int hex_value(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

}  // namespace polycodec
