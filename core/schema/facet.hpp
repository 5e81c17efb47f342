// SPDX-License-Identifier: MIT
// What a value is in the words of schemas. The one place that knows how yggdrasil's types look in
// the value model (the table of plugins/yggdrasil/README.md).
#pragma once

#include <polycodec/view.hpp>

#include "item.hpp"
#include "words.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace polycodec::schema {

struct Node;

struct Facet {
  Words words = 0;           ///< all types that the value has
  Word natural = Word::any;  ///< the one that it is written as; `any` if there is none
  /// The type of a body of a message that a value has which is an object otherwise, or nothing.
  std::optional<Word> geometry;
  std::string_view own_word;  ///< the type word of an extension that nobody knows
  Subtype subtype = Subtype::none;
  Encoding encoding = Encoding::none;     ///< of strings that say theirs
  std::uint64_t precision = 0;            ///< bytes; of strings 0 until text_precision() is asked
  std::optional<std::string_view> units;  ///< of numbers also those of what holds them
  bool array = false;                     ///< ndarray: elements have the subtype
};

/// True for numbers and arrays of numbers: the unit of what holds them is theirs.
bool takes_units(const View& item) noexcept;

/// Reads attributes and headers, no elements.
Facet facet_of(const Item& item);

/// True if the schema's own words or the registered types that they name fit.
bool fits_own_word(const Node& node, const Item& item, const Facet& facet);

/// The leaf behind an ndarray, or null.
const polycodec_array* leaf_of(const View& item) noexcept;
/// The record behind a table (an array of records with names), or null.
const polycodec_array* table_of(const View& item) noexcept;

/// The digits and the sign of an integer that no other kind holds; nothing for all others.
std::optional<std::string_view> long_integer(const View& item);

/// Bytes of a text or byte string, or of the elements of a text array, in its encoding; `encoding`
/// if it has none.
std::uint64_t text_precision(const View& item, const Facet& facet,
                             Encoding encoding = Encoding::none);

/// What users call it: "a float of 8 bytes in cm".
std::string describe(const Facet& facet);

}  // namespace polycodec::schema
