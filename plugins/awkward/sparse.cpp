// SPDX-License-Identifier: MIT
// Arrays most of whose items are the same.
#include <base/convert_number.hpp>

#include "array_parts.hpp"
#include "deferred.hpp"
#include "frame.hpp"

#include <algorithm>
#include <cstring>

namespace polycodec::awkward {
namespace {

/// One item, as often as needed.
const polycodec_array* one_document(Builder& out, const polycodec_node& node) {
  polycodec_array* a = out.new_array(POLYCODEC_LAYOUT_DOCUMENT, 1);
  a->nodes = out.store(node);
  return a;
}

/// One item of a leaf, all bytes of which are zero, whatever its shape.
const polycodec_array* one_zero(Builder& out, const polycodec_array& leaf) {
  polycodec_array* a = copy_header(out, leaf);
  auto* bytes = out.allocate<std::byte>(std::max<std::uint64_t>(leaf.item_size, 1));
  std::memset(bytes, 0, leaf.item_size);
  auto* extents = out.allocate<std::int64_t>(std::uint64_t{leaf.ndim} * 2);
  std::copy_n(leaf.shape, leaf.ndim, extents);
  std::fill_n(extents + leaf.ndim, leaf.ndim, 0);
  extents[0] = 1;
  a->shape = extents;
  a->strides = extents + leaf.ndim;
  a->length = 1;
  a->data = a->buffer = bytes;
  a->buffer_size = leaf.item_size;
  return a;
}

/// The Python library's idea of zero. For lists, strings and tables it is not of the type of the
/// content, and is kept so.
const polycodec_array* zero_of(Builder& out, const polycodec_array& content) {
  const ArrayView view(content);
  switch (content.layout) {
    case POLYCODEC_LAYOUT_NDARRAY:
      if (content.dtype == POLYCODEC_DTYPE_FIXED_BYTES && content.metadata == nullptr &&
          content.ndim == 1)
        return one_document(out, Builder::bytes_view({}));
      return one_zero(out, content);
    case POLYCODEC_LAYOUT_RECORD:
      return one_document(out, Builder::bytes_view(bytes_of(std::span("\0", 1))));
    case POLYCODEC_LAYOUT_LIST_OFFSETS:
    case POLYCODEC_LAYOUT_LIST_VIEW:
    case POLYCODEC_LAYOUT_LIST_FIXED:
      if (view.is_string() || view.is_binary()) return one_document(out, Builder::integer(0));
      return one_document(out, out.list({out.list(std::span<const polycodec_node>())}));
    default:
      return content.n_children != 0 ? zero_of(out, *content.children[0])
                                     : one_document(out, Builder::null());
  }
}

/// The number in the type of the content, if it is the same number there.
const polycodec_array* as_element(Builder& out, NodeView value, const polycodec_array& content) {
  if (content.layout != POLYCODEC_LAYOUT_NDARRAY || content.ndim != 1) return nullptr;
  std::uint8_t bytes[16];
  if (!convert_number(View(value.raw()), content.dtype, bytes).value_or(false)) return nullptr;
  const std::int64_t shape[] = {1};
  return out.ndarray(
      to_string_view(out.store_all(std::span<const std::uint8_t>(bytes)), content.item_size),
      content.dtype, content.item_size, shape, POLYCODEC_LITTLE_ENDIAN);
}

const polycodec_array* default_item(Frame& frame, const polycodec_array& content) {
  if (!frame.has(3) || frame[3].is_null()) return zero_of(frame.out, content);
  if (const auto* element = as_element(frame.out, frame[3], content)) return element;
  return one_document(frame.out, *frame[3].raw());
}

/// `count` times the one item of `item`, without a column.
const polycodec_array* repeated(Builder& out, const polycodec_array& item, std::uint64_t count) {
  static constexpr std::int64_t first = 0;
  return indexed(out, {&first, 0, POLYCODEC_DTYPE_INT64, 0}, count, item);
}

}  // namespace

polycodec_node sparse_array(Frame& frame) {
  const std::uint64_t length = frame.count(0);
  const Integers index = frame.copy_of(frame.integers(1, POLYCODEC_DTYPE_INT64, "the index"));
  const polycodec_array& content = frame.array(2, POLYCODEC_DTYPE_FLOAT64);
  Builder& out = frame.out;
  if (length > frame.call.limits().max_elements)
    frame.fail(0, Status::limit, "awkward.limit",
               "a length of " + std::to_string(length) + " items (max_elements)");
  if (index.shape.size() != 1)
    frame.fail(1, Status::malformed, "sparse.shape", "the index must have one dimension");
  if (has_unknown_length(content))
    frame.fail(2, Status::unsupported, "expression.cycle",
               "the content cannot be a cyclic reference");
  if (index.count > content.length)
    frame.fail(1, Status::malformed, "sparse.shape",
               std::to_string(index.count) + " indices for a content of " +
                   std::to_string(content.length));
  for (std::uint64_t i = 0; i < index.count; ++i) {
    if (index[i] < 0)
      frame.fail(
          1, Status::malformed, "sparse.index",
          "the index in row " + std::to_string(i) + " is negative: " + std::to_string(index[i]));
    if (i != 0 && index[i] < index[i - 1])
      frame.fail(1, Status::malformed, "sparse.index",
                 "the index in row " + std::to_string(i) + ", " + std::to_string(index[i]) +
                     ", is less than the one before, " + std::to_string(index[i - 1]));
  }
  const polycodec_array* missing = default_item(frame, content);
  // Where much is there, one index for each item takes less than a chunk for each run.
  constexpr std::uint64_t dense = 32;
  if (length / dense <= index.count) {
    auto* rows = out.allocate<std::int64_t>(length);
    std::fill_n(rows, length, static_cast<std::int64_t>(content.length));
    for (std::uint64_t j = index.count; j-- > 0;)
      if (static_cast<std::uint64_t>(index[j]) < length)
        rows[index[j]] = static_cast<std::int64_t>(j);
    return Builder::array(indexed(out, Builder::column(std::span<const std::int64_t>(rows, length)),
                                  length, *out.chunked({{&content, missing}})));
  }
  std::vector<const polycodec_array*> runs;
  std::uint64_t at = 0;
  for (std::uint64_t j = 0; j < index.count;) {
    const auto row = static_cast<std::uint64_t>(index[j]);
    if (row >= length) break;
    if (row < at) {  // the same row again: the first one counts
      ++j;
      continue;
    }
    std::uint64_t count = 1;
    while (j + count < index.count && static_cast<std::uint64_t>(index[j + count]) == row + count &&
           row + count < length)
      ++count;
    if (row != at) runs.push_back(repeated(out, *missing, row - at));
    runs.push_back(slice(out, content, j, count));
    at = row + count;
    j += count;
  }
  if (at < length) runs.push_back(repeated(out, *missing, length - at));
  return Builder::array(out.chunked(runs));
}

}  // namespace polycodec::awkward
