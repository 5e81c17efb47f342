// SPDX-License-Identifier: MIT
// Words, names and quoted texts of the type notation: what parser, printer and builders must agree on.
#pragma once

#include <polycodec/type/type.hpp>
#include <polycodec/utf8.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace polycodec::type {

/// The kind words: symbolic types that match a family of types.
inline constexpr std::array<std::string_view, 13> kind_words = {
    "Any",   "Scalar",     "Bool",   "Int",         "UInt",        "Float", "Complex",
    "Bytes", "FixedBytes", "String", "FixedString", "Categorical", "State"};

/// True if `text` is one of kind_words.
constexpr bool is_kind_word(std::string_view text) noexcept {
  for (const std::string_view word : kind_words)
    if (word == text) return true;
  return false;
}

constexpr bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}
constexpr bool is_upper(char c) noexcept {
  return c >= 'A' && c <= 'Z';
}
constexpr bool is_name_start(char c) noexcept {
  return is_upper(c) || (c >= 'a' && c <= 'z') || c == '_';
}

/// True if `text` is a name of the notation: a letter or underscore, then letters, digits and underscores (ASCII).
constexpr bool is_name(std::string_view text) noexcept {
  if (text.empty() || !is_name_start(text.front())) return false;
  for (const char c : text)
    if (!is_name_start(c) && !is_digit(c)) return false;
  return true;
}

/// True if `text` can name an ellipsis or an exponent: a name that starts with a capital letter.
constexpr bool is_capital_name(std::string_view text) noexcept {
  return is_name(text) && is_upper(text.front());
}

/// True if `text` can name a type or dimension variable: a capital name that means nothing else.
constexpr bool is_variable_name(std::string_view text) noexcept {
  return is_capital_name(text) && !is_kind_word(text) && text != "Fixed" && text != "Dim" && text != "Expr";
}

/// The canonical name of an encoding.
constexpr std::string_view encoding_name(Encoding encoding) noexcept {
  constexpr std::string_view names[] = {"ascii", "utf8", "utf16", "utf32", "ucs2"};
  return names[static_cast<std::size_t>(encoding)];
}

/// The encoding that a name or one of its aliases means.
constexpr std::optional<Encoding> encoding_from_name(std::string_view name) noexcept {
  struct Alias {
    std::string_view name;
    Encoding encoding;
  };
  constexpr Alias aliases[] = {
      {"A", Encoding::ascii},      {"ascii", Encoding::ascii},  {"us-ascii", Encoding::ascii},
      {"U8", Encoding::utf8},      {"utf8", Encoding::utf8},    {"utf-8", Encoding::utf8},
      {"utf_8", Encoding::utf8},   {"U16", Encoding::utf16},    {"utf16", Encoding::utf16},
      {"utf-16", Encoding::utf16}, {"utf_16", Encoding::utf16}, {"U32", Encoding::utf32},
      {"utf32", Encoding::utf32},  {"utf-32", Encoding::utf32}, {"utf_32", Encoding::utf32},
      {"ucs2", Encoding::ucs2},    {"ucs-2", Encoding::ucs2},   {"ucs_2", Encoding::ucs2}};
  for (const Alias& alias : aliases)
    if (alias.name == name) return alias.encoding;
  return std::nullopt;
}

/// Bytes of one code unit of a fixed_string.
constexpr std::uint32_t encoding_unit_size(Encoding encoding) noexcept {
  constexpr std::uint8_t sizes[] = {1, 1, 2, 4, 2};
  return sizes[static_cast<std::size_t>(encoding)];
}

/// True if `align` may be written for bytes and fixed_bytes: 1, 2, 4, 8 or 16.
constexpr bool is_alignment(std::uint64_t align) noexcept {
  return align >= 1 && align <= 16 && (align & (align - 1)) == 0;
}

namespace detail {

/// The code point at `at` < text.size() of UTF-8 text, moving `at` past it; nullopt, with `at` unmoved, if there is
/// no valid one.
inline std::optional<std::uint32_t> next_code_point(std::string_view text, std::size_t& at) noexcept {
  char32_t code = 0;
  const std::uint32_t size =
      decode_one(reinterpret_cast<const std::uint8_t*>(text.data()) + at, text.size() - at, code);
  if (size == 0) return std::nullopt;
  at += size;
  return static_cast<std::uint32_t>(code);
}

/// Appends valid UTF-8 `text` in single quotes, escaped so that only printable ASCII is left.
inline void append_quoted(std::string& out, std::string_view text) {
  const auto hex = [&out](char letter, std::uint32_t code, int digits) {
    out += '\\';
    out += letter;
    for (int i = digits - 1; i >= 0; --i) out += "0123456789abcdef"[code >> (4 * i) & 15u];
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
    } else if (const auto i = *code < 0x20 ? plain.find(static_cast<char>(*code)) : plain.npos; i != plain.npos) {
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

/// Appends a field name: bare where it is a name of the notation, else quoted.
inline void append_field_name(std::string& out, std::string_view name) {
  if (is_name(name))
    out += name;
  else
    append_quoted(out, name);
}

}  // namespace detail
}  // namespace polycodec::type
