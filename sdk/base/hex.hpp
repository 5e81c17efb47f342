// SPDX-License-Identifier: MIT
// Bytes as hexadecimal digits, and the way back.
#pragma once

#include <polycodec/detail/hex.hpp>

#include <string>
#include <string_view>

namespace polycodec {

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
