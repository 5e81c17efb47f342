// SPDX-License-Identifier: MIT
// Arrays one after another.
#include "array_parts.hpp"
#include "classes.hpp"
#include "numpy_array.hpp"

#include <algorithm>

namespace polycodec::awkward {
namespace {

void refuse_deferred(Frame& frame, std::size_t param, const polycodec_array& chunk) {
  if (chunk.length == unknown_length)
    frame.fail(param, Status::unsupported, "expression.cycle",
               "a cyclic reference cannot be a chunk");
}

const polycodec_array* joined(Builder& out, const std::vector<const polycodec_array*>& chunks) {
  return chunks.size() == 1 ? chunks[0] : out.chunked(chunks);
}

bool same_type(const polycodec_array& chunk, const polycodec_array& model) {
  if (chunk.layout != model.layout) return false;
  if (chunk.layout == POLYCODEC_LAYOUT_NDARRAY)
    return chunk.dtype == model.dtype && chunk.item_size == model.item_size &&
           chunk.unit == model.unit && chunk.ndim == model.ndim &&
           std::equal(chunk.shape + 1, chunk.shape + chunk.ndim, model.shape + 1);
  if (chunk.n_children != model.n_children || chunk.list_size != model.list_size) return false;
  for (std::uint32_t i = 0; i < chunk.n_children; ++i)
    if (!same_type(*chunk.children[i], *model.children[i])) return false;
  return true;
}

}  // namespace

polycodec_node Chunked::run(Frame& frame) {
  auto chunks = frame.arrays(0);
  if (frame.has(1) && !frame[1].is_null()) {
    const polycodec_array& given = frame.array(1, POLYCODEC_DTYPE_INT64);
    if (given.length != 0) {
      const Integers sizes = frame.integers(1, POLYCODEC_DTYPE_INT64, "the sizes of chunks");
      if (sizes.shape.size() != 1 || sizes.count > chunks.size())
        frame.fail(1, Status::malformed, "chunk.sizes",
                   std::to_string(sizes.count) + " sizes for " + std::to_string(chunks.size()) +
                       " chunks");
      for (std::uint64_t i = 0; i < sizes.count; ++i) {
        const auto*& chunk = chunks[static_cast<std::size_t>(i)];
        refuse_deferred(frame, 0, *chunk);
        if (sizes[i] < 0 || static_cast<std::uint64_t>(sizes[i]) > chunk->length)
          frame.fail(1, Status::malformed, "chunk.sizes",
                     "chunk " + std::to_string(i) + " is said to have " + std::to_string(sizes[i]) +
                         " items, but has " + std::to_string(chunk->length));
        chunk = slice(frame.out, *chunk, 0, static_cast<std::uint64_t>(sizes[i]));
      }
    }
  }
  std::uint64_t total = 0;
  for (const auto* chunk : chunks) {
    refuse_deferred(frame, 0, *chunk);
    if (__builtin_add_overflow(total, chunk->length, &total) || total > INT64_MAX)
      frame.fail(0, Status::limit, "chunk.sizes", "the chunks have more than 2^63 items together");
  }
  return Builder::array(joined(frame.out, chunks));
}

polycodec_node Appendable::run(Frame& frame) {
  const NodeView shape = frame[0];
  if ((shape.kind() != POLYCODEC_KIND_TUPLE && !shape.is_list()) || shape.size() == 0)
    frame.fail_type(0, "the shape of a chunk");
  const NodeView dtype = frame[1];
  if (dtype.kind() != POLYCODEC_KIND_EXTENSION ||
      to_string_view(dtype.as_extension().name) != dtype_name_word)
    frame.fail_type(1, "a dtype");
  std::vector<std::int64_t> extents;
  for (const polycodec_node& extent : shape.items()) {
    if (extent.kind != POLYCODEC_KIND_SIGNED || extent.as.i64 < 0 || extent.as.i64 > INT32_MAX)
      frame.fail_type(0, "the shape of a chunk");
    extents.push_back(extent.as.i64);
  }
  NumpyType type = parse_numpy_type(NodeView(dtype.as_extension().payload));
  type.shape.insert(type.shape.begin(), extents.begin() + 1, extents.end());
  for (auto extent = extents.begin() + 1; extent != extents.end(); ++extent)
    if (__builtin_mul_overflow(type.item_size, static_cast<std::uint64_t>(*extent),
                               &type.item_size) ||
        type.item_size > INT32_MAX)
      frame.fail(0, Status::limit, "dtype.size", "an item of this shape has more than 2^31 bytes");
  if (type.shape.size() >= POLYCODEC_MAX_NDIM)
    frame.fail(0, Status::limit, "dtype.shape", "a shape of too many dimensions");
  const polycodec_array* model = numpy_array(frame.out, type, {}, 0);
  const auto chunks = frame.arrays(2);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    refuse_deferred(frame, 2, *chunks[i]);
    // Byte strings are lists where zeros end them.
    if (!type.zero_ends && !same_type(*chunks[i], *model))
      frame.fail(2, Status::malformed, "chunk.type",
                 "chunk " + std::to_string(i) + " has another dtype or shape");
    if (chunks[i]->length > static_cast<std::uint64_t>(extents[0]))
      frame.fail(2, Status::malformed, "chunk.sizes",
                 "chunk " + std::to_string(i) + " has " + std::to_string(chunks[i]->length) +
                     " items, more than the " + std::to_string(extents[0]) + " of a whole chunk");
  }
  return Builder::array(chunks.empty() ? model : joined(frame.out, chunks));
}

}  // namespace polycodec::awkward
