// SPDX-License-Identifier: MIT
// Words, names and quoted strings of the type notation: what parser, printer and builders must
// agree on.
#pragma once

#include <model/type/type.hpp>
#include <polycodec/detail/utf8_char.hpp>
#include <polycodec/utf.hpp>

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

/// True if `text` is a name of the notation: a letter or underscore, then letters, digits and
/// underscores (ASCII).
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
  return is_capital_name(text) && !is_kind_word(text) && text != "Fixed" && text != "Dim" &&
         text != "Expr";
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

/// The code point at `at` < text.size() of UTF-8 text, moving `at` past it; nullopt, with `at`
/// unmoved, if there is no valid one.
std::optional<std::uint32_t> next_code_point(std::string_view text, std::size_t& at) noexcept;

/// Appends valid UTF-8 `text` in single quotes, escaped so that only printable ASCII is left.
void append_quoted(std::string& out, std::string_view text);

/// Appends a field name: bare where it is a name of the notation, else quoted.
void append_field_name(std::string& out, std::string_view name);

}  // namespace detail

}  // namespace polycodec::type
