// SPDX-License-Identifier: MIT
// What a value is in the words of schemas. The one place that knows how yggdrasil's types look in
// the value model (the table of plugins/yggdrasil/README.md).
#pragma once

#include <polycodec/view.hpp>

#include "words.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace polycodec::schema {

/// Attributes that have a meaning here.
inline constexpr std::string_view attribute_units = "units";
inline constexpr std::string_view attribute_encoding = "encoding";
inline constexpr std::string_view attribute_type = "type";
inline constexpr std::string_view attribute_title = "title";

struct Node;

struct Facet {
  Words words = 0;            ///< all types that the value has
  Word natural = Word::any;   ///< the one that it is written as; `any` if there is none
  std::string_view own_word;  ///< the type word of an extension that nobody knows
  Subtype subtype = Subtype::none;
  Encoding encoding = Encoding::none;  ///< of texts that say theirs
  std::uint64_t precision = 0;         ///< bytes; of texts 0 until text_precision() is asked
  std::optional<std::string_view> units;
  bool array = false;  ///< ndarray: elements have the subtype
};

/// Reads attributes and headers, no elements.
Facet facet_of(const View& item);

/// True if the schema's own words or the registered types that they name fit.
bool fits_own_word(const Node& node, const View& item, const Facet& facet);

/// The text of an attribute; nothing if there is none of that name or it is no text.
std::optional<std::string_view> attribute(const View& item, std::string_view name);

/// The leaf behind an ndarray, or null.
const polycodec_array* leaf_of(const View& item) noexcept;
/// The record behind a table (an array of records with names), or null.
const polycodec_array* table_of(const View& item) noexcept;

/// Bytes of a text or byte string, or of the elements of a text array, in its encoding; `encoding`
/// if it has none.
std::uint64_t text_precision(const View& item, const Facet& facet,
                             Encoding encoding = Encoding::none);

/// What people call it: "a float of 8 bytes in cm".
std::string describe(const Facet& facet);

}  // namespace polycodec::schema
