// SPDX-License-Identifier: MIT
// The words of the schema language: types, subtypes, encodings.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace polycodec::schema {

/// Type words, as bits of a set.
enum class Word : std::uint8_t {
  null,
  boolean,
  integer,
  number,
  string,
  array,
  object,
  scalar,
  ndarray,
  array_1d,
  ply,
  obj,
  schema,
  klass,
  function,
  instance,
  any,
  // scalars of one subtype
  int_,
  uint_,
  float_,
  complex_,
  bytes,
  unicode,
};

inline constexpr std::array<std::string_view, 23> word_names = {
    "null",    "boolean", "integer", "number", "string",  "array", "object",   "scalar",
    "ndarray", "1darray", "ply",     "obj",    "schema",  "class", "function", "instance",
    "any",     "int",     "uint",    "float",  "complex", "bytes", "unicode"};

using Words = std::uint32_t;
constexpr Words bit(Word word) noexcept {
  return Words{1} << static_cast<unsigned>(word);
}
constexpr bool has(Words words, Word word) noexcept {
  return (words & bit(word)) != 0;
}
std::optional<Word> word_named(std::string_view name) noexcept;
constexpr std::string_view name_of(Word word) noexcept {
  return word_names[static_cast<std::size_t>(word)];
}

/// What elements are. `none` is what has no subtype.
enum class Subtype : std::uint8_t { none, string, complex, float_, int_, uint_, bytes, unicode };
inline constexpr std::array<std::string_view, 8> subtype_names = {
    "none", "string", "complex", "float", "int", "uint", "bytes", "unicode"};
constexpr std::string_view name_of(Subtype subtype) noexcept {
  return subtype_names[static_cast<std::size_t>(subtype)];
}
std::optional<Subtype> subtype_named(std::string_view name) noexcept;
/// True for the three subtypes of text.
constexpr bool is_text(Subtype subtype) noexcept {
  return subtype == Subtype::string || subtype == Subtype::bytes || subtype == Subtype::unicode;
}

/// Encodings of scalar strings.
enum class Encoding : std::uint8_t { none, ascii, utf8, utf16, utf32, ucs4 };
inline constexpr std::array<std::string_view, 6> encoding_names = {"none",  "ASCII", "UTF8",
                                                                   "UTF16", "UTF32", "UCS4"};
constexpr std::string_view name_of(Encoding encoding) noexcept {
  return encoding_names[static_cast<std::size_t>(encoding)];
}
std::optional<Encoding> encoding_named(std::string_view name) noexcept;
/// Bytes of a UTF-8 text in this encoding.
std::uint64_t encoded_size(std::string_view utf8, Encoding encoding) noexcept;

bool is_ascii(std::string_view bytes) noexcept;

/// The subtype that the alias words stand for.
constexpr Subtype alias_subtype(Word word) noexcept {
  switch (word) {
    case Word::int_:
      return Subtype::int_;
    case Word::uint_:
      return Subtype::uint_;
    case Word::float_:
      return Subtype::float_;
    case Word::complex_:
      return Subtype::complex;
    case Word::bytes:
      return Subtype::bytes;
    case Word::unicode:
      return Subtype::unicode;
    default:
      return Subtype::none;
  }
}

/// The words as users read them: "integer, string or null".
std::string joined(Words words);

}  // namespace polycodec::schema
