// SPDX-License-Identifier: MIT
// Items that may be missing, and items that are chosen by an index.
#include "array_parts.hpp"
#include "classes.hpp"

namespace polycodec::awkward {

polycodec_node Masked::run(Frame& frame) {
  const Integers mask = frame.mask(0);
  const polycodec_array& content = frame.array(1, POLYCODEC_DTYPE_FLOAT64);
  if (mask.count > content.length)
    frame.fail(0, Status::malformed, "mask.length",
               "a mask of " + std::to_string(mask.count) + " items for a content of " +
                   number(content.length));
  polycodec_array* a =
      frame.out.with_children(POLYCODEC_LAYOUT_OPTION_BYTES, mask.count, {{&content}});
  a->index = mask.column;
  a->flags = frame.boolean(2, true) ? 0 : POLYCODEC_ARRAY_MASK_VALID;
  return Builder::array(a);
}

polycodec_node BitMasked::run(Frame& frame) {
  Integers mask = frame.integers(0, POLYCODEC_DTYPE_UINT8, "a bit mask");
  const polycodec_array& content = frame.array(1, POLYCODEC_DTYPE_FLOAT64);
  if (mask.shape.size() != 1 || dtype_size(mask.column.dtype) != 1)
    frame.fail(0, Status::type, "mask.bits", "a bit mask must be bytes, with one dimension");
  if (content.length == unknown_length)
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

polycodec_node IndexedMasked::run(Frame& frame) {
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
                     number(content.length) + " items");
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

polycodec_node Indexed::run(Frame& frame) {
  const Integers index = frame.integers(0, POLYCODEC_DTYPE_INT64, "the index");
  const polycodec_array& content = frame.array(1, POLYCODEC_DTYPE_FLOAT64);
  for (std::uint64_t i = 0; i < index.count; ++i)
    if (index[i] < 0 || static_cast<std::uint64_t>(index[i]) >= content.length)
      frame.fail(0, Status::malformed, "index.range",
                 "the index in row " + std::to_string(i) + " is " + std::to_string(index[i]) +
                     ", but the content has " + number(content.length) + " items");
  return Builder::array(
      nested(frame.out, index.shape, indexed(frame.out, index.column, index.count, content)));
}

}  // namespace polycodec::awkward
