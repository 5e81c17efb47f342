// SPDX-License-Identifier: MIT
#include "core/value/rows.hpp"

#include <base/array_view.hpp>
#include <base/depth.hpp>
#include <polycodec/error.hpp>

#include <algorithm>
#include <vector>

namespace polycodec {
namespace {

class Rows {
 public:
  Rows(Builder& out, const Limits& limits) : out_(out), limits_(limits) {}

  const polycodec_array* of(const polycodec_array& array, std::uint64_t first, std::uint64_t count,
                            std::uint32_t depth) {
    if (first == 0 && count == array.length) return &array;
    check_depth(depth, limits_.max_depth);
    if (array.layout == POLYCODEC_LAYOUT_CHUNKED) return chunks(array, first, count, depth);
    auto* result = out_.store(array);
    result->length = count;
    switch (array.layout) {
      case POLYCODEC_LAYOUT_NDARRAY:
        leaf(*result, first);
        break;
      case POLYCODEC_LAYOUT_LIST_OFFSETS:
      case POLYCODEC_LAYOUT_INDEXED:
        skip(result->index, first);
        break;
      case POLYCODEC_LAYOUT_LIST_VIEW:
        skip(result->starts, first);
        skip(result->stops, first);
        break;
      case POLYCODEC_LAYOUT_LIST_FIXED:
        cut_children(*result, first * array.list_size, count * array.list_size, depth);
        break;
      case POLYCODEC_LAYOUT_UNION:
        skip(result->index, first);
        skip(result->tags, first);
        break;
      case POLYCODEC_LAYOUT_OPTION_BYTES:
        skip(result->mask, first);
        cut_children(*result, first, count, depth);
        break;
      case POLYCODEC_LAYOUT_OPTION_BITS:
        mask_of_bytes(*result, array, first);
        cut_children(*result, first, count, depth);
        break;
      case POLYCODEC_LAYOUT_RECORD:
        cut_children(*result, first, count, depth);
        break;
      default:
        result->nodes = array.nodes + first;
    }
    return result;
  }

 private:
  static void skip(polycodec_column& column, std::uint64_t items) noexcept {
    column.data = static_cast<const std::byte*>(column.data) +
                  static_cast<std::int64_t>(items) * column.stride;
  }

  void leaf(polycodec_array& array, std::uint64_t first) {
    if (array.ndim == 0) return;  // it has one item, which is cut above or not at all
    auto* shape = out_.store_all(std::span(array.shape, array.ndim));
    shape[0] = static_cast<std::int64_t>(array.length);
    array.shape = shape;
    if (array.length != 0)
      array.data = static_cast<const std::byte*>(array.data) +
                   static_cast<std::int64_t>(first) * array.strides[0];
  }

  void cut_children(polycodec_array& array, std::uint64_t first, std::uint64_t count,
                    std::uint32_t depth) {
    auto* children = out_.store_all(std::span(array.children, array.n_children));
    for (std::uint32_t i = 0; i < array.n_children; ++i)
      children[i] = of(*children[i], first, count, depth + 1);
    array.children = children;
  }

  void mask_of_bytes(polycodec_array& array, const polycodec_array& whole, std::uint64_t first) {
    auto* mask = out_.allocate<std::uint8_t>(array.length);
    for (std::uint64_t i = 0; i < array.length; ++i) mask[i] = is_present(whole, first + i);
    array.layout = POLYCODEC_LAYOUT_OPTION_BYTES;
    array.flags = static_cast<std::uint8_t>(array.flags & ~POLYCODEC_ARRAY_BITS_LSB);
    array.flags |= POLYCODEC_ARRAY_MASK_VALID;
    array.mask = Builder::column(std::span<const std::uint8_t>(mask, array.length));
  }

  const polycodec_array* chunks(const polycodec_array& array, std::uint64_t first,
                                std::uint64_t count, std::uint32_t depth) {
    std::vector<const polycodec_array*> kept;
    std::uint64_t at = 0;
    for (std::uint32_t i = 0; i < array.n_children && at < first + count; ++i) {
      const polycodec_array& chunk = *array.children[i];
      const std::uint64_t from = std::max(first, at),
                          to = std::min(first + count, at + chunk.length);
      if (from < to) kept.push_back(of(chunk, from - at, to - from, depth + 1));
      at += chunk.length;
    }
    if (kept.empty() && array.n_children != 0)
      kept.push_back(of(*array.children[0], 0, 0, depth + 1));
    polycodec_array* const result = out_.chunked(kept);
    result->metadata = array.metadata;
    return result;
  }

  Builder& out_;
  const Limits& limits_;
};

}  // namespace

const polycodec_array* rows(const polycodec_array& array, std::uint64_t first, std::uint64_t count,
                            Builder& out, const Limits& limits) {
  return Rows(out, limits).of(array, first, count, 0);
}

}  // namespace polycodec
