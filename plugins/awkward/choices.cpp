// SPDX-License-Identifier: MIT
// Items that may be missing, that an index chooses, that are of several types, or in several
// arrays.
#include "array_parts.hpp"
#include "deferred.hpp"
#include "frame.hpp"
#include "numpy.hpp"

#include <algorithm>
#include <vector>

namespace polycodec::awkward {

polycodec_node masked_array(Frame& frame) {
  const Integers mask = frame.mask(0);
  const polycodec_array& content = frame.array(1, POLYCODEC_DTYPE_FLOAT64);
  if (mask.count > content.length)
    frame.fail(0, Status::malformed, "mask.length",
               "a mask of " + std::to_string(mask.count) + " items for a content of " +
                   shown_length(content));
  polycodec_array* a =
      frame.out.with_children(POLYCODEC_LAYOUT_OPTION_BYTES, mask.count, {{&content}});
  a->index = mask.column;
  a->flags = frame.boolean(2, true) ? 0 : POLYCODEC_ARRAY_MASK_VALID;
  return Builder::array(a);
}

polycodec_node bit_masked_array(Frame& frame) {
  Integers mask = frame.integers(0, POLYCODEC_DTYPE_UINT8, "a bit mask");
  const polycodec_array& content = frame.array(1, POLYCODEC_DTYPE_FLOAT64);
  if (mask.shape.size() != 1 || dtype_size(mask.column.dtype) != 1)
    frame.fail(0, Status::type, "mask.bits", "a bit mask must be bytes, with one dimension");
  if (has_unknown_length(content))
    frame.fail(1, Status::unsupported, "expression.cycle",
               "a cyclic reference has no length to be masked");
  const std::uint64_t needed = content.length / 8 + (content.length % 8 == 0 ? 0 : 1);
  if (mask.count < needed)
    frame.fail(0, Status::malformed, "mask.length",
               "a mask of " + std::to_string(mask.count) + " bytes for a content of " +
                   std::to_string(content.length) + " items, which needs " +
                   std::to_string(needed));
  polycodec_array* a =
      frame.out.with_children(POLYCODEC_LAYOUT_OPTION_BITS, content.length, {{&content}});
  mask.column.dtype = POLYCODEC_DTYPE_UINT8;
  a->index = mask.column;
  a->flags = static_cast<std::uint8_t>((frame.boolean(2, true) ? 0u : POLYCODEC_ARRAY_MASK_VALID) |
                                       (frame.boolean(3, false) ? POLYCODEC_ARRAY_BITS_LSB : 0u));
  return Builder::array(a);
}

polycodec_node indexed_masked_array(Frame& frame) {
  const Integers mask = frame.integers(0, POLYCODEC_DTYPE_INT64, "the mask");
  const polycodec_array& content = frame.array(1, POLYCODEC_DTYPE_FLOAT64);
  if (mask.shape.size() != 1)
    frame.fail(0, Status::malformed, "mask.shape", "the mask must have one dimension");
  const std::int64_t masked = frame.has(2) ? frame.integer(2) : -1;
  bool plain = true;  // every missing item is marked by a negative number
  for (std::uint64_t i = 0; i < mask.count; ++i) {
    if (mask[i] == masked) {
      plain = plain && masked < 0;
    } else if (mask[i] < 0 || static_cast<std::uint64_t>(mask[i]) >= content.length) {
      frame.fail(0, Status::malformed, "index.range",
                 "the index in row " + std::to_string(i) + " is " + std::to_string(mask[i]) +
                     ": neither " + std::to_string(masked) + " for a missing item nor one of " +
                     shown_length(content) + " items");
    }
  }
  polycodec_column column = mask.column;
  if (!plain) {
    auto* copy = frame.out.allocate<std::int64_t>(mask.count);
    for (std::uint64_t i = 0; i < mask.count; ++i) copy[i] = mask[i] == masked ? -1 : mask[i];
    column = Builder::column(std::span<const std::int64_t>(copy, mask.count));
  }
  return Builder::array(indexed(frame.out, column, mask.count, content));
}

polycodec_node indexed_array(Frame& frame) {
  const Integers index = frame.integers(0, POLYCODEC_DTYPE_INT64, "the index");
  const polycodec_array& content = frame.array(1, POLYCODEC_DTYPE_FLOAT64);
  for (std::uint64_t i = 0; i < index.count; ++i)
    if (index[i] < 0 || static_cast<std::uint64_t>(index[i]) >= content.length)
      frame.fail(0, Status::malformed, "index.range",
                 "the index in row " + std::to_string(i) + " is " + std::to_string(index[i]) +
                     ", but the content has " + shown_length(content) + " items");
  return Builder::array(
      nested(frame.out, index.shape, indexed(frame.out, index.column, index.count, content)));
}

namespace {

Integers tags_of(Frame& frame, std::size_t members) {
  Integers tags = frame.integers(0, POLYCODEC_DTYPE_UINT8, "tags");
  if (tags.shape.size() != 1)
    frame.fail(0, Status::malformed, "union.shape", "tags must have one dimension");
  for (std::uint64_t i = 0; i < tags.count; ++i)
    if (tags[i] < 0 || static_cast<std::uint64_t>(tags[i]) >= members)
      frame.fail(0, Status::malformed, "union.tag",
                 "the tag in row " + std::to_string(i) + " is " + std::to_string(tags[i]) +
                     ", but there are " + std::to_string(members) + " contents");
  return tags;
}

polycodec_node union_of(Frame& frame, const Integers& tags, const polycodec_column& index,
                        const std::vector<const polycodec_array*>& contents) {
  polycodec_array* a = frame.out.with_children(POLYCODEC_LAYOUT_UNION, tags.count, contents);
  a->index = index;
  a->tags = tags.column;
  return Builder::array(a);
}

}  // namespace

polycodec_node union_array(Frame& frame) {
  const auto contents = frame.arrays(2);
  const Integers tags = tags_of(frame, contents.size());
  const Integers index = frame.integers(1, POLYCODEC_DTYPE_INT64, "the index");
  if (index.shape.size() != 1)
    frame.fail(1, Status::malformed, "union.shape", "the index must have one dimension");
  if (index.count < tags.count)
    frame.fail(
        1, Status::malformed, "union.shape",
        std::to_string(tags.count) + " tags, but only " + std::to_string(index.count) + " indices");
  for (std::uint64_t i = 0; i < tags.count; ++i) {
    const polycodec_array& content = *contents[static_cast<std::size_t>(tags[i])];
    if (index[i] < 0 || static_cast<std::uint64_t>(index[i]) >= content.length)
      frame.fail(1, Status::malformed, "union.index",
                 "the index in row " + std::to_string(i) + " is " + std::to_string(index[i]) +
                     ", but content " + std::to_string(tags[i]) + " has " + shown_length(content) +
                     " items");
  }
  return union_of(frame, tags, index.column, contents);
}

polycodec_node union_from_tags(Frame& frame) {
  const auto contents = frame.arrays(1);
  const Integers tags = tags_of(frame, contents.size());
  auto* index = frame.out.allocate<std::int64_t>(tags.count);
  std::vector<std::uint64_t> seen(contents.size(), 0);
  for (std::uint64_t i = 0; i < tags.count; ++i) {
    const auto tag = static_cast<std::size_t>(tags[i]);
    if (seen[tag] >= contents[tag]->length)
      frame.fail(0, Status::malformed, "union.index",
                 "row " + std::to_string(i) + " needs item " + std::to_string(seen[tag]) +
                     " of content " + std::to_string(tag) + ", which has " +
                     shown_length(*contents[tag]));
    index[i] = static_cast<std::int64_t>(seen[tag]++);
  }
  return union_of(frame, tags, Builder::column(std::span<const std::int64_t>(index, tags.count)),
                  contents);
}

namespace {

void refuse_deferred(Frame& frame, std::size_t param, const polycodec_array& chunk) {
  if (has_unknown_length(chunk))
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

polycodec_node chunked_array(Frame& frame) {
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

polycodec_node appendable_array(Frame& frame) {
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
