// SPDX-License-Identifier: MIT
// The header of frames, byte by byte as docs/frames.md describes it.
#pragma once

#include <polycodec/detail/layout_fields.hpp>
#include <polycodec/items.h>

#include <bit>
#include <cstdint>
#include <optional>
#include <string_view>

namespace polycodec::wire {

// Tables are copied as they are, and columns of structure are in the order of the machine.
static_assert(std::endian::native == std::endian::little);

inline constexpr std::string_view magic{"\x89PCF\r\n\x1a\n", 8};
inline constexpr std::uint32_t version = 1;
inline constexpr std::uint32_t flag_partial = 1;
/// An address or index of nothing.
inline constexpr std::uint64_t none = UINT64_MAX;
/// Shorter runs of bytes are copied into the header.
inline constexpr std::uint64_t least_frame = 4096;

/// The numbers of entries are those of the tables, which follow in this order.
struct Head {
  char magic[8];
  std::uint32_t version;
  std::uint32_t flags;
  std::uint64_t size;  // of the header
  std::uint64_t root;  // index of a node
  std::uint64_t frames, nodes, times, extensions, annotations, variants, arrays, children, names,
      numbers;
  std::uint64_t bytes;  // of the short runs, at the end
  std::uint64_t reserved;
};
static_assert(sizeof(Head) == 128);

struct ExtensionRecord {
  std::uint64_t name, name_size, payload;
};
struct AnnotationRecord {
  std::uint64_t node, metadata;
};
struct VariantRecord {
  std::int64_t tag;
  std::uint64_t node;
};
struct NameRecord {
  std::uint64_t at, size;
};
struct ColumnRecord {
  std::uint64_t at;
  std::int64_t stride;
  std::uint32_t dtype;
  std::uint32_t reserved;
};
struct ArrayRecord {
  std::uint8_t layout, dtype, byte_order, flags;
  std::uint32_t ndim;
  std::uint32_t item_size;
  std::uint32_t unit;
  std::uint32_t n_children;
  std::uint32_t has_names;
  std::uint64_t length;
  std::uint64_t buffer;
  std::uint64_t buffer_size;
  std::int64_t data;      // bytes from the buffer to the first element
  std::uint64_t numbers;  // shape, then strides
  std::uint64_t children;
  std::uint64_t names;
  std::uint64_t list_size;
  std::uint64_t nodes;
  std::uint64_t metadata;
  ColumnRecord first, second;
};
static_assert(sizeof(ArrayRecord) == 152);
static_assert(sizeof(polycodec_node) == 16 && sizeof(polycodec_time) == 16);

/// How many items a column has: the first of an array (offsets, starts, mask, index) or the second
/// (stops, tags). Nothing if the layout has no such column.
inline std::optional<std::uint64_t> column_items(std::uint32_t layout, std::uint64_t length,
                                                 std::uint32_t n_children, bool second) noexcept {
  if (!uses(layout, second ? ArrayFields::second_column : ArrayFields::first_column))
    return std::nullopt;
  return polycodec_column_length(layout, length, n_children, second ? 1 : 0);
}

/// The bytes of a column: from `low` (at most 0) to `high`, counted from its first item.
struct ColumnSpan {
  std::int64_t low = 0;
  std::int64_t high = 0;
};
/// Nothing if they cannot be counted. `items` is at least 1.
inline std::optional<ColumnSpan> column_span(std::uint64_t items, std::int64_t stride,
                                             std::uint32_t width) noexcept {
  ColumnSpan span{0, 0};
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

}  // namespace polycodec::wire
