// SPDX-License-Identifier: MIT
// Ranges of the items of an array, as views of it.
#pragma once

#include <polycodec/builder.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace polycodec {

/// Moves a structure column by so many items. An absent column stays absent.
inline void advance(polycodec_column& column, std::uint64_t items) noexcept {
  if (column.data != nullptr && items != 0)
    column.data = static_cast<const std::byte*>(column.data) +
                  static_cast<std::int64_t>(items) * column.stride;
}

/// Returns elements begin + i * step of the first axis of `leaf`, for i < count; all of a leaf
/// without an axis, as columns of records may be longer than these.
inline polycodec_array* slice_leaf(const polycodec_array& leaf, std::int64_t begin,
                                   std::int64_t step, std::uint64_t count, Builder& out) {
  polycodec_array* const a = out.store(leaf);
  if (leaf.ndim == 0) return a;
  auto* extents = out.allocate<std::int64_t>(std::uint64_t{leaf.ndim} * 2);
  std::copy_n(leaf.shape, leaf.ndim, extents);
  std::copy_n(leaf.strides, leaf.ndim, extents + leaf.ndim);
  if (leaf.data != nullptr && count != 0)
    a->data = static_cast<const std::byte*>(leaf.data) + begin * leaf.strides[0];
  extents[0] = static_cast<std::int64_t>(count);
  extents[leaf.ndim] = count == 0 ? leaf.strides[0] : leaf.strides[0] * step;
  a->length = count;
  a->shape = extents;
  a->strides = extents + leaf.ndim;
  return a;
}

/// Returns items [begin, begin + count) of `array`, which has them.
/// `child(array, begin, count)` does the same for a child. The bits of a mask are moved by whole
/// bytes.
template <class Child>
polycodec_array* slice_array(const polycodec_array& array, std::uint64_t begin, std::uint64_t count,
                             Builder& out, const Child& child) {
  if (array.layout == POLYCODEC_LAYOUT_NDARRAY)
    return slice_leaf(array, static_cast<std::int64_t>(begin), 1, count, out);
  if (array.layout == POLYCODEC_LAYOUT_CHUNKED) {
    std::vector<const polycodec_array*> chunks;
    std::uint64_t at = 0;
    for (std::uint32_t i = 0; i < array.n_children && at < begin + count; ++i) {
      const polycodec_array& chunk = *array.children[i];
      const std::uint64_t from = std::max(begin, at) - at;
      const std::uint64_t to = std::min(begin + count - at, chunk.length);
      if (from < to) chunks.push_back(child(chunk, from, to - from));
      at += chunk.length;
    }
    polycodec_array* const a = out.chunked(chunks);
    a->metadata = array.metadata;
    return a;
  }
  polycodec_array* const a = out.store(array);
  a->length = count;
  const auto slice_children = [&](std::uint64_t from, std::uint64_t items) {
    auto* children = out.allocate<const polycodec_array*>(array.n_children);
    for (std::uint32_t i = 0; i < array.n_children; ++i)
      children[i] = child(*array.children[i], from, items);
    a->children = children;
  };
  switch (array.layout) {
    case POLYCODEC_LAYOUT_LIST_FIXED:
      slice_children(begin * array.list_size, count * array.list_size);
      break;
    case POLYCODEC_LAYOUT_RECORD:
      slice_children(begin, count);
      break;
    case POLYCODEC_LAYOUT_OPTION_BYTES:
      advance(a->mask, begin);
      slice_children(begin, count);
      break;
    case POLYCODEC_LAYOUT_OPTION_BITS:
      advance(a->mask, begin / 8);
      slice_children(begin, count);
      break;
    case POLYCODEC_LAYOUT_DOCUMENT:
      a->nodes = array.nodes == nullptr ? nullptr : array.nodes + begin;
      break;
    default:  // offsets, starts or index, and stops or tags
      advance(a->index, begin);
      advance(a->tags, begin);
      break;
  }
  return a;
}

}  // namespace polycodec
