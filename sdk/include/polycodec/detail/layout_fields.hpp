// SPDX-License-Identifier: MIT
// Which fields of an array its layout uses. A walker asks here, or looks at the layout, before it
// follows a pointer: an array that nobody has validated may have any in the others.
#pragma once

#include <polycodec/abi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace polycodec {

/// Fields of polycodec_array that some layouts use and others do not.
enum class ArrayFields : std::uint8_t {
  elements = 1,       ///< data, buffer, shape, strides, their sizes, dtype and unit
  first_column = 2,   ///< offsets, starts, mask, index
  second_column = 4,  ///< stops, tags
  list_size = 8,
  children = 16,
  names = 32,
  nodes = 64,
};

/// Names of the layouts, by number.
inline constexpr std::string_view layout_names[POLYCODEC_LAYOUT_COUNT] = {
    "ndarray",      "list_offsets", "list_view", "list_fixed", "record",  "union",
    "option_bytes", "option_bits",  "indexed",   "chunked",    "document"};

/// The fields of a layout as bits; none of a layout that is not known.
constexpr std::uint8_t fields_of(std::uint32_t layout) noexcept {
  using enum ArrayFields;
  constexpr auto all = [](auto... of) {
    return static_cast<std::uint8_t>((0u | ... | static_cast<unsigned>(of)));
  };
  constexpr std::uint8_t fields[POLYCODEC_LAYOUT_COUNT] = {
      all(elements),                               // NDARRAY
      all(first_column, children),                 // LIST_OFFSETS
      all(first_column, second_column, children),  // LIST_VIEW
      all(list_size, children),                    // LIST_FIXED
      all(names, children),                        // RECORD
      all(first_column, second_column, children),  // UNION
      all(first_column, children),                 // OPTION_BYTES
      all(first_column, children),                 // OPTION_BITS
      all(first_column, children),                 // INDEXED
      all(first_column, children),                 // CHUNKED
      all(nodes),                                  // DOCUMENT
  };
  return layout < POLYCODEC_LAYOUT_COUNT ? fields[layout] : std::uint8_t{0};
}

/// True if arrays of this layout have these fields.
constexpr bool uses(std::uint32_t layout, ArrayFields fields) noexcept {
  return (fields_of(layout) & static_cast<std::uint8_t>(fields)) != 0;
}

/// The children of an array; none where the layout has none.
inline std::span<const polycodec_array* const> children_of(const polycodec_array& array) noexcept {
  if (!uses(array.layout, ArrayFields::children)) return {};
  return {array.children, static_cast<std::size_t>(array.n_children)};
}

/// The names of the columns of a record; null for a tuple and for other layouts.
inline const polycodec_bytes* names_of(const polycodec_array& array) noexcept {
  return uses(array.layout, ArrayFields::names) ? array.names : nullptr;
}

}  // namespace polycodec
