// SPDX-License-Identifier: MIT
#include "quote.hpp"

#include <polycodec/utf8.hpp>

namespace polycodec {

namespace {

void append_hex(std::string& out, char32_t value, int digits) {
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += "0123456789abcdef"[(value >> shift) & 15];
}

}  // namespace

std::string quote(std::string_view text, std::size_t max_bytes) {
  std::string out = "\"";
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  std::size_t at = 0;
  while (at < text.size() && at < max_bytes) {
    char32_t code = 0;
    const std::size_t length = decode_one(bytes + at, text.size() - at, code);
    if (length == 0) {
      out += "\\x";
      append_hex(out, bytes[at++], 2);
      continue;
    }
    at += length;
    if (code == '"' || code == '\\') {
      out += '\\';
      out += static_cast<char>(code);
    } else if (code >= 0x20 && code < 0x7f) {
      out += static_cast<char>(code);
    } else if (code < 0x10000) {
      out += "\\u";
      append_hex(out, code, 4);
    } else {
      out += "\\u";
      append_hex(out, 0xd800 + ((code - 0x10000) >> 10), 4);
      out += "\\u";
      append_hex(out, 0xdc00 + ((code - 0x10000) & 0x3ff), 4);
    }
  }
  out += at < text.size() ? "...\"" : "\"";
  return out;
}

}  // namespace polycodec
