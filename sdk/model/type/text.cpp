// SPDX-License-Identifier: MIT
#include <base/hex.hpp>
#include <model/type/text.hpp>
#include <polycodec/utf.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace polycodec::type {

namespace detail {

std::optional<std::uint32_t> next_code_point(std::string_view text, std::size_t& at) noexcept {
  char32_t code = 0;
  const std::uint32_t size =
      decode_one(reinterpret_cast<const std::uint8_t*>(text.data()) + at, text.size() - at, code);
  if (size == 0) return std::nullopt;
  at += size;
  return static_cast<std::uint32_t>(code);
}

void append_quoted(std::string& out, std::string_view text) {
  const auto hex = [&out](char letter, std::uint32_t code, int digits) {
    out += '\\';
    out += letter;
    append_hex(out, code, digits);
  };
  out += '\'';
  for (std::size_t at = 0; at < text.size();) {
    const auto code = next_code_point(text, at);
    if (!code) break;  // the builders let no such text in
    constexpr std::string_view plain = "\b\f\n\r\t", letters = "bfnrt";
    if (*code == '\'' || *code == '\\') {
      out += '\\';
      out += static_cast<char>(*code);
    } else if (*code >= 0x20 && *code < 0x7f) {
      out += static_cast<char>(*code);
    } else if (const auto i = *code < 0x20 ? plain.find(static_cast<char>(*code)) : plain.npos;
               i != plain.npos) {
      out += '\\';
      out += letters[i];
    } else if (*code <= 0xffff) {
      hex('u', *code, 4);
    } else {
      hex('U', *code, 8);
    }
  }
  out += '\'';
}

void append_field_name(std::string& out, std::string_view name) {
  if (is_name(name))
    out += name;
  else
    append_quoted(out, name);
}

}  // namespace detail

}  // namespace polycodec::type
