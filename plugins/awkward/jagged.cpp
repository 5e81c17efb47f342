// SPDX-License-Identifier: MIT
// Lists by starts and stops, counts, and offsets.
#include <polycodec/builder.hpp>

#include "array_parts.hpp"
#include "classes.hpp"

#include <algorithm>

namespace polycodec::awkward {
namespace {

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

std::string in_row(std::uint64_t row) {
  return " in row " + std::to_string(row);
}

/// Runs over starts and stops as the format means them: rows that are empty may have any start and
/// stop. `clean`: every row may be taken as it stands.
struct Ranges {
  bool clean = true;
};

Ranges check_ranges(Frame& frame, const Integers& starts, const Integers& stops,
                    std::uint64_t content) {
  Ranges result;
  if (starts.count == 0) return result;
  const auto limit = static_cast<std::int64_t>(std::min<std::uint64_t>(content, INT64_MAX));
  with_column(starts.column, [&](auto from) {
    with_column(stops.column, [&](auto to) {
      // Sign bits are collected, so that the loop has no branches; a second one finds the row.
      std::uint64_t bad = 0;
      for (std::uint64_t i = 0; i < starts.count; ++i) {
        const std::int64_t a = from[i], b = to[i];
        bad |= static_cast<std::uint64_t>(a) | static_cast<std::uint64_t>(b) |
               (static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a)) |
               (static_cast<std::uint64_t>(limit) - static_cast<std::uint64_t>(b));
      }
      if ((bad & sign_bit) == 0) return;
      for (std::uint64_t i = 0; i < starts.count; ++i) {
        const std::int64_t a = from[i], b = to[i];
        if (a < 0)
          frame.fail(0, Status::malformed, "jagged.negative",
                     "the start" + in_row(i) + " is negative: " + std::to_string(a));
        if (b < 0)
          frame.fail(1, Status::malformed, "jagged.negative",
                     "the stop" + in_row(i) + " is negative: " + std::to_string(b));
        if (b < a)
          frame.fail(1, Status::malformed, "jagged.order",
                     "the stop" + in_row(i) + ", " + std::to_string(b) +
                         ", is less than the start, " + std::to_string(a));
        if (a != b && b > limit)
          frame.fail(1, Status::malformed, "jagged.range",
                     "the stop" + in_row(i) + ", " + std::to_string(b) +
                         ", is beyond the content of " + std::to_string(content) + " items");
        if (b > limit) result.clean = false;
      }
    });
  });
  return result;
}

/// Starts and stops with 0 for both where a list is empty.
void write_clean(Builder& out, const Integers& starts, const Integers& stops,
                 polycodec_array& list) {
  auto* columns = out.allocate<std::int64_t>(starts.count * 2);
  for (std::uint64_t i = 0; i < starts.count; ++i) {
    const std::int64_t a = starts[i], b = stops[i];
    columns[i] = a == b ? 0 : a;
    columns[starts.count + i] = a == b ? 0 : b;
  }
  list.index = Builder::column(std::span<const std::int64_t>(columns, starts.count));
  list.stops = Builder::column(std::span<const std::int64_t>(columns + starts.count, starts.count));
}

}  // namespace

polycodec_array* lists_from_starts(Frame& frame, const Integers& starts, const Integers& stops,
                                   const polycodec_array& content) {
  if (stops.shape.size() != starts.shape.size() ||
      !std::equal(starts.shape.begin() + 1, starts.shape.end(), stops.shape.begin() + 1))
    frame.fail(1, Status::malformed, "jagged.shape",
               "starts and stops must have the same shape but for their length");
  if (stops.length() < starts.length())
    frame.fail(1, Status::malformed, "jagged.shape",
               std::to_string(starts.length()) + " starts, but only " +
                   std::to_string(stops.length()) + " stops");
  polycodec_array* list =
      frame.out.with_children(POLYCODEC_LAYOUT_LIST_VIEW, starts.count, {{&content}});
  list->index = starts.column;
  list->stops = stops.column;
  if (!frame.unchecked && !check_ranges(frame, starts, stops, content.length).clean)
    write_clean(frame.out, starts, stops, *list);
  return list;
}

polycodec_array* lists_from_counts(Frame& frame, const Integers& counts,
                                   const polycodec_array& content, std::size_t param) {
  auto* offsets = frame.out.allocate<std::int64_t>(counts.count + 1);
  offsets[0] = 0;
  std::uint64_t total = 0;
  if (counts.count != 0)
    with_column(counts.column, [&](auto items) {
      // A sum of two numbers below 2^63 cannot wrap, so that the first that is too great has its
      // sign bit set.
      std::uint64_t bad = 0;
      for (std::uint64_t i = 0; i < counts.count; ++i) {
        const auto n = static_cast<std::uint64_t>(items[i]);
        total += n;
        bad |= n | total;
        offsets[i + 1] = static_cast<std::int64_t>(total);
      }
      if ((bad & sign_bit) == 0) return;
      for (std::uint64_t i = 0; i < counts.count; ++i) {
        if (items[i] < 0)
          frame.fail(param, Status::malformed, "jagged.negative",
                     "the count" + in_row(i) + " is negative: " + std::to_string(items[i]));
        if (offsets[i + 1] < 0)
          frame.fail(param, Status::malformed, "jagged.range",
                     "the sum of the counts overflows" + in_row(i));
      }
    });
  if (total > content.length) {
    const auto* end = std::upper_bound(offsets, offsets + counts.count + 1,
                                       static_cast<std::int64_t>(content.length));
    frame.fail(param, Status::malformed, "jagged.range",
               "the counts need " + std::to_string(total) + " items, but the content has " +
                   std::to_string(content.length) + ": it ends" +
                   in_row(static_cast<std::uint64_t>(end - offsets) - 1));
  }
  return frame.out.list_offsets(std::span<const std::int64_t>(offsets, counts.count + 1), &content);
}

polycodec_node Jagged::run(Frame& frame) {
  const Integers starts = frame.integers(0, POLYCODEC_DTYPE_INT64, "starts");
  const Integers stops = frame.integers(1, POLYCODEC_DTYPE_INT64, "stops");
  const polycodec_array& content = frame.array(2, POLYCODEC_DTYPE_FLOAT64);
  return Builder::array(
      nested(frame.out, starts.shape, lists_from_starts(frame, starts, stops, content)));
}

polycodec_node JaggedFromCounts::run(Frame& frame) {
  const Integers counts = frame.integers(0, POLYCODEC_DTYPE_INT64, "counts");
  const polycodec_array& content = frame.array(1, POLYCODEC_DTYPE_FLOAT64);
  return Builder::array(
      nested(frame.out, counts.shape, lists_from_counts(frame, counts, content, 0)));
}

polycodec_node JaggedFromOffsets::run(Frame& frame) {
  const Integers offsets = frame.integers(0, POLYCODEC_DTYPE_INT64, "offsets");
  const polycodec_array& content = frame.array(1, POLYCODEC_DTYPE_FLOAT64);
  if (offsets.shape.size() != 1 || offsets.count == 0)
    frame.fail(0, Status::malformed, "jagged.shape",
               "offsets need one dimension, and at least one of them");
  polycodec_array* list =
      frame.out.with_children(POLYCODEC_LAYOUT_LIST_OFFSETS, offsets.count - 1, {{&content}});
  list->index = offsets.column;
  if (frame.unchecked) return Builder::array(list);
  with_column(offsets.column, [&](auto items) {
    for (std::uint64_t i = 0; i < offsets.count; ++i) {
      const std::int64_t offset = items[i];
      if (offset < 0)
        frame.fail(0, Status::malformed, "jagged.negative",
                   "the offset" + in_row(i) + " is negative: " + std::to_string(offset));
      if (i != 0 && offset < items[i - 1])
        frame.fail(0, Status::malformed, "jagged.order",
                   "the offset" + in_row(i) + ", " + std::to_string(offset) +
                       ", is less than the one before, " + std::to_string(items[i - 1]));
      if (static_cast<std::uint64_t>(offset) > content.length)
        frame.fail(0, Status::malformed, "jagged.range",
                   "the offset" + in_row(i) + ", " + std::to_string(offset) +
                       ", is beyond the content of " + std::to_string(content.length) + " items");
    }
  });
  return Builder::array(list);
}

}  // namespace polycodec::awkward
