// SPDX-License-Identifier: MIT
// Unions: items of several arrays, in any order.
#include "array_parts.hpp"
#include "classes.hpp"

#include <vector>

namespace polycodec::awkward {
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

polycodec_node Union::run(Frame& frame) {
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
    const std::uint64_t length = contents[static_cast<std::size_t>(tags[i])]->length;
    if (index[i] < 0 || static_cast<std::uint64_t>(index[i]) >= length)
      frame.fail(1, Status::malformed, "union.index",
                 "the index in row " + std::to_string(i) + " is " + std::to_string(index[i]) +
                     ", but content " + std::to_string(tags[i]) + " has " + number(length) +
                     " items");
  }
  return union_of(frame, tags, index.column, contents);
}

polycodec_node UnionFromTags::run(Frame& frame) {
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
                     number(contents[tag]->length));
    index[i] = static_cast<std::int64_t>(seen[tag]++);
  }
  return union_of(frame, tags, Builder::column(std::span<const std::int64_t>(index, tags.count)),
                  contents);
}

}  // namespace polycodec::awkward
