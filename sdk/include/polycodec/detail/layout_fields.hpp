// SPDX-License-Identifier: MIT
// Which fields of an array its layout uses. A walker asks here, or looks at the layout, before it
// follows a pointer: an array that nobody has validated may have any in the others.
#pragma once

#include <polycodec/abi.h>

#include <cstddef>
#include <cstdint>
#include <optional>
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

/// What the structure columns of a layout are called; empty where it has none.
struct ColumnNames {
  std::string_view first, second;
};

/// The names of the columns of a layout, whose lengths polycodec_column_length() says.
constexpr ColumnNames column_names(std::uint32_t layout) noexcept {
  constexpr ColumnNames names[POLYCODEC_LAYOUT_COUNT] = {
      {},                   // NDARRAY
      {"offsets", {}},      // LIST_OFFSETS
      {"starts", "stops"},  // LIST_VIEW
      {},                   // LIST_FIXED
      {},                   // RECORD
      {"index", "tags"},    // UNION
      {"mask", {}},         // OPTION_BYTES
      {"mask", {}},         // OPTION_BITS
      {"index", {}},        // INDEXED
      {"offsets", {}},      // CHUNKED, which may lack them
      {},                   // DOCUMENT
  };
  return layout < POLYCODEC_LAYOUT_COUNT ? names[layout] : ColumnNames{};
}

/// The bytes of a column: from `low` (at most 0) to `high`, counted from its first item.
struct ColumnSpan {
  std::int64_t low = 0;
  std::int64_t high = 0;

  constexpr std::uint64_t size() const noexcept { return static_cast<std::uint64_t>(high - low); }
};

/// The bytes of items of `width` bytes that are `stride` bytes apart; none of no items. Nothing if
/// they cannot be counted.
constexpr std::optional<ColumnSpan> column_span(std::uint64_t items, std::int64_t stride,
                                                std::uint32_t width) noexcept {
  ColumnSpan span;
  if (items == 0) return span;
  std::int64_t reach = 0;
  if (items - 1 > static_cast<std::uint64_t>(INT64_MAX) ||
      __builtin_mul_overflow(static_cast<std::int64_t>(items - 1), stride, &reach))
    return std::nullopt;
  (reach < 0 ? span.low : span.high) = reach;
  if (__builtin_add_overflow(span.high, std::int64_t{width}, &span.high) ||
      __builtin_sub_overflow(span.high, span.low, &reach))
    return std::nullopt;
  return span;
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
