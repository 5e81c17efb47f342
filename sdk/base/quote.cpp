// SPDX-License-Identifier: MIT
#include <base/hex.hpp>
#include <base/quote.hpp>
#include <base/utf8.hpp>

#include <algorithm>
#include <cstdint>

namespace polycodec {

namespace {

// Characters that a terminal obeys or does not show: controls, marks of direction, joiners, tags.
bool is_hidden(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c || c == 0x180e ||
         (c >= 0x200b && c < 0x2010) || (c >= 0x2028 && c < 0x202f) ||
         (c >= 0x2060 && c < 0x2070) || c == 0xfeff || (c >= 0xfff0 && c < 0xfffc) ||
         (c >= 0xe0000 && c < 0xe1000);
}

void append_escapes(std::string& out, char32_t code) {
  const auto append_unit = [&out](char32_t unit) { append_hex(out += "\\u", unit, 4); };
  if (code >= 0x10000) {
    append_unit(0xd800 + ((code - 0x10000) >> 10));
    append_unit(0xdc00 + ((code - 0x10000) & 0x3ff));
  } else {
    append_unit(code);
  }
}

}  // namespace

void append_escaped(std::string& out, std::string_view text, char mark, Letters letters,
                    std::size_t max_bytes) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  std::size_t at = 0;
  while (at < text.size() && at < max_bytes) {
    char32_t code = 0;
    const std::size_t length = decode_one(bytes + at, text.size() - at, code);
    if (length == 0) {
      append_hex(out += "\\x", bytes[at++], 2);
      continue;
    }
    if (is_hidden(code) || (letters == Letters::ascii && code >= 0x80)) {
      append_escapes(out, code);
    } else {
      if (code == static_cast<unsigned char>(mark) || code == '\\') out += '\\';
      out += text.substr(at, length);
    }
    at += length;
  }
  if (at < text.size()) out += "...";
}

std::string quote(std::string_view text, std::size_t max_bytes) {
  std::string out = "'";
  append_escaped(out, text, '\'', Letters::ascii, max_bytes);
  return out += '\'';
}

std::string quote_path(std::string_view path) {
  std::string out = "'";
  append_escaped(out, path, '\'', Letters::all, path.size());
  return out += '\'';
}

std::string printable(std::string_view text, bool has_lines) {
  std::string out;
  out.reserve(text.size());
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  for (std::size_t at = 0; at < text.size();) {
    char32_t code = 0;
    const std::size_t length = decode_one(bytes + at, text.size() - at, code);
    if (length == 0)
      append_hex(out += "\\x", bytes[at], 2);
    else if (is_hidden(code) && code != '\t' && (code != '\n' || !has_lines))
      append_escapes(out, code);
    else
      out += text.substr(at, length);
    at += std::max<std::size_t>(length, 1);
  }
  return out;
}

std::string quote_byte(char byte) {
  if (byte >= 0x20 && byte < 0x7f) return {'\'', byte, '\''};
  std::string out = "byte 0x";
  append_hex(out, static_cast<unsigned char>(byte), 2);
  return out;
}

}  // namespace polycodec
