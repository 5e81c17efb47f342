// SPDX-License-Identifier: MIT
#include "chunk_rows.hpp"

#include <polycodec/items.h>

#include <algorithm>
#include <optional>

namespace polycodec_sql {
namespace {

constexpr std::uint64_t good_items = std::uint64_t{1} << 20;  // of the lists of a chunk

std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/// Numbers of one item of an array, as far as they are the same for all items.
std::uint64_t width_of(const polycodec_array& array) {
  std::uint64_t width = 1;
  if (array.layout == POLYCODEC_LAYOUT_NDARRAY)
    for (std::uint32_t d = 1; d < array.ndim; ++d)
      width = times(width, static_cast<std::uint64_t>(array.shape[d]));
  return width;
}

/// About how many numbers row i has.
std::uint64_t items_of(const polycodec_array& array, std::uint64_t i) {
  switch (array.layout) {
    case POLYCODEC_LAYOUT_LIST_OFFSETS:
    case POLYCODEC_LAYOUT_LIST_VIEW:
    case POLYCODEC_LAYOUT_LIST_FIXED: {
      const polycodec_range range = polycodec_list_range(&array, i);
      return times(range.end - range.begin, width_of(*array.children[0]));
    }
    case POLYCODEC_LAYOUT_RECORD: {
      std::uint64_t items = 0;
      for (std::uint32_t c = 0; c < array.n_children; ++c)
        items = std::max(items, items_of(*array.children[c], i));
      return items;
    }
    case POLYCODEC_LAYOUT_OPTION_BYTES:
    case POLYCODEC_LAYOUT_OPTION_BITS:
    case POLYCODEC_LAYOUT_INDEXED:
    case POLYCODEC_LAYOUT_CHUNKED: {
      const polycodec_array* const child = polycodec_chosen(&array, &i);
      return child == nullptr ? 1 : items_of(*child, i);
    }
    default:
      return width_of(array);
  }
}

/// The same where all rows have equally many, as numbers and records of them have.
std::optional<std::uint64_t> items_of_each(const polycodec_array& array) {
  switch (array.layout) {
    case POLYCODEC_LAYOUT_LIST_OFFSETS:
    case POLYCODEC_LAYOUT_LIST_VIEW:
    case POLYCODEC_LAYOUT_LIST_FIXED:
    case POLYCODEC_LAYOUT_INDEXED:
    case POLYCODEC_LAYOUT_CHUNKED:
      return std::nullopt;
    case POLYCODEC_LAYOUT_OPTION_BYTES:
    case POLYCODEC_LAYOUT_OPTION_BITS:
      return items_of_each(*array.children[0]);
    case POLYCODEC_LAYOUT_RECORD: {
      std::uint64_t items = 0;
      for (std::uint32_t c = 0; c < array.n_children; ++c) {
        const auto of_child = items_of_each(*array.children[c]);
        if (!of_child) return std::nullopt;
        items = std::max(items, *of_child);
      }
      return items;
    }
    default:
      return width_of(array);
  }
}

}  // namespace

std::uint64_t rows_of_chunk(const polycodec_array& array, std::uint64_t first, std::uint64_t most) {
  const std::uint64_t left = std::min(most, array.length - first);
  if (const auto each = items_of_each(array))
    return *each == 0 ? left : std::min(left, std::max<std::uint64_t>(good_items / *each, 1));
  std::uint64_t items = 0;
  for (std::uint64_t i = 0; i < left; ++i) {
    const std::uint64_t next = items_of(array, first + i);
    if (i > 0 && next > good_items - std::min(items, good_items)) return i;
    items += std::min(next, good_items);
  }
  return left;
}

}  // namespace polycodec_sql
