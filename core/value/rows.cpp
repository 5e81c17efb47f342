// SPDX-License-Identifier: MIT
#include "core/value/rows.hpp"

#include <base/depth.hpp>
#include <base/slice.hpp>
#include <polycodec/array_view.hpp>

#include <span>

namespace polycodec {
namespace {

class RowRange {
 public:
  RowRange(Builder& out, const Limits& limits) : out_(out), limits_(limits) {}

  const polycodec_array* of(const polycodec_array& array, std::uint64_t first, std::uint64_t count,
                            std::uint32_t depth) {
    if (first == 0 && count == array.length) return &array;
    check_depth(depth, limits_.max_depth);
    const auto child = [&](const polycodec_array& inner, std::uint64_t from, std::uint64_t items) {
      return of(inner, from, items, depth + 1);
    };
    if (array.layout == POLYCODEC_LAYOUT_CHUNKED && count == 0 && array.n_children != 0)
      return no_items(array, child(*array.children[0], 0, 0));
    polycodec_array* const result = slice_array(array, first, count, out_, child);
    if (array.layout == POLYCODEC_LAYOUT_OPTION_BITS && first % 8 != 0)
      set_mask_of_bytes(*result, array, first);
    return result;
  }

 private:
  // One chunk stays, because it has the type of the items.
  const polycodec_array* no_items(const polycodec_array& array, const polycodec_array* chunk) {
    polycodec_array* const result = out_.chunked({{chunk}});
    result->metadata = array.metadata;
    return result;
  }

  void set_mask_of_bytes(polycodec_array& array, const polycodec_array& whole,
                         std::uint64_t first) {
    auto* mask = out_.allocate<std::uint8_t>(array.length);
    for (std::uint64_t i = 0; i < array.length; ++i)
      mask[i] = polycodec_is_present(&whole, first + i) != 0;
    array.layout = POLYCODEC_LAYOUT_OPTION_BYTES;
    array.flags = static_cast<std::uint8_t>(array.flags & ~POLYCODEC_ARRAY_BITS_LSB);
    array.flags |= POLYCODEC_ARRAY_MASK_VALID;
    array.mask = Builder::column(std::span<const std::uint8_t>(mask, array.length));
  }

  Builder& out_;
  const Limits& limits_;
};

}  // namespace

const polycodec_array* rows(const polycodec_array& array, std::uint64_t first, std::uint64_t count,
                            Builder& out, const Limits& limits) {
  return RowRange(out, limits).of(array, first, count, 0);
}

}  // namespace polycodec
