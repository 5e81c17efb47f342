// SPDX-License-Identifier: MIT
// Lists by starts and stops, counts, and offsets.
#include <polycodec/builder.hpp>

#include "array_parts.hpp"
#include "deferred.hpp"
#include "frame.hpp"

#include <algorithm>
#include <vector>

namespace polycodec::awkward {
namespace {

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

std::string in_row(std::uint64_t row) {
  return " in row " + std::to_string(row);
}

/// Runs over starts and stops as the format means them: rows that are empty may have any start and
/// stop. `clean`: every row may be taken as it is.
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

polycodec_node jagged_array(Frame& frame) {
  const Integers starts = frame.integers(0, POLYCODEC_DTYPE_INT64, "starts");
  const Integers stops = frame.integers(1, POLYCODEC_DTYPE_INT64, "stops");
  const polycodec_array& content = frame.array(2, POLYCODEC_DTYPE_FLOAT64);
  return Builder::array(
      nested(frame.out, starts.shape, lists_from_starts(frame, starts, stops, content)));
}

polycodec_node jagged_from_counts(Frame& frame) {
  const Integers counts = frame.integers(0, POLYCODEC_DTYPE_INT64, "counts");
  const polycodec_array& content = frame.array(1, POLYCODEC_DTYPE_FLOAT64);
  return Builder::array(
      nested(frame.out, counts.shape, lists_from_counts(frame, counts, content, 0)));
}

polycodec_node jagged_from_offsets(Frame& frame) {
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

namespace {

Integers one_dimension(Frame& frame, const char* what, const polycodec_array& content) {
  Integers integers = frame.integers(0, POLYCODEC_DTYPE_INT64, what);
  if (integers.shape.size() != 1)
    frame.fail(0, Status::malformed, "jagged.shape",
               std::string(what) + " must have one dimension");
  if (integers.count > content.length)
    frame.fail(0, Status::malformed, "jagged.range",
               std::to_string(integers.count) + " " + what + " for a content of " +
                   shown_length(content) + " items");
  return frame.copy_of(integers);
}

/// Lists that begin where begins(i) is true; the first item always begins one.
template <class Begins>
polycodec_node lists_where(Frame& frame, std::uint64_t count, const polycodec_array& content,
                           Begins begins) {
  std::uint64_t lists = 0;
  for (std::uint64_t i = 0; i < count; ++i) lists += i == 0 || begins(i) ? 1 : 0;
  auto* offsets = frame.out.allocate<std::int64_t>(lists + 1);
  std::uint64_t at = 0;
  for (std::uint64_t i = 0; i < count; ++i)
    if (i == 0 || begins(i)) offsets[at++] = static_cast<std::int64_t>(i);
  offsets[at] = static_cast<std::int64_t>(count);
  return Builder::array(
      frame.out.list_offsets(std::span<const std::int64_t>(offsets, lists + 1), &content));
}

}  // namespace

// Item i belongs to list parents[i], or to none if that is negative. The items of a list follow
// each other.
polycodec_node jagged_from_parents(Frame& frame) {
  const polycodec_array& content = frame.array(1, POLYCODEC_DTYPE_FLOAT64);
  const Integers parents = one_dimension(frame, "parents", content);
  std::int64_t greatest = -1;
  for (std::uint64_t i = 0; i < parents.count; ++i) greatest = std::max(greatest, parents[i]);
  const auto lists = static_cast<std::uint64_t>(greatest) + 1;
  if (lists > frame.call.limits().max_elements)
    frame.fail(0, Status::limit, "jagged.range",
               std::to_string(parents.count) + " parents for " + std::to_string(lists) +
                   " lists (max_elements)");
  frame.call.tick(lists + 2 * parents.count);
  auto* starts = frame.out.allocate<std::int64_t>(lists * 2);
  auto* stops = starts + lists;
  std::fill_n(starts, lists * 2, 0);
  for (std::uint64_t i = 0; i < parents.count; ++i) {
    const std::int64_t p = parents[i];
    if (p < 0) continue;
    const auto at = static_cast<std::int64_t>(i);
    if (stops[p] == 0) {
      starts[p] = at;
    } else if (stops[p] != at) {
      frame.fail(0, Status::malformed, "jagged.order",
                 "the items of list " + std::to_string(p) +
                     " do not follow each other: one is in row " + std::to_string(stops[p] - 1) +
                     ", the next in row " + std::to_string(i));
    }
    stops[p] = at + 1;
  }
  polycodec_array* list = frame.out.with_children(POLYCODEC_LAYOUT_LIST_VIEW, lists, {{&content}});
  list->index = Builder::column(std::span<const std::int64_t>(starts, lists));
  list->stops = Builder::column(std::span<const std::int64_t>(stops, lists));
  return Builder::array(list);
}

// A list ends where the number changes.
polycodec_node jagged_from_uniques(Frame& frame) {
  const polycodec_array& content = frame.array(1, POLYCODEC_DTYPE_FLOAT64);
  const Integers uniques = one_dimension(frame, "uniques", content);
  return lists_where(frame, uniques.count, content,
                     [&](std::uint64_t i) { return uniques[i] != uniques[i - 1]; });
}

// The place of each item in its list: a list begins at each 0.
polycodec_node jagged_from_local_index(Frame& frame) {
  const polycodec_array& content = frame.array(1, POLYCODEC_DTYPE_FLOAT64);
  const Integers local = one_dimension(frame, "local indices", content);
  for (std::uint64_t i = 0; i < local.count; ++i)
    if (local[i] != 0 && (i == 0 || local[i] != local[i - 1] + 1))
      frame.fail(0, Status::malformed, "jagged.order",
                 "the local index in row " + std::to_string(i) + " is " + std::to_string(local[i]) +
                     ": expected 0 or the next number");
  return lists_where(frame, local.count, content, [&](std::uint64_t i) { return local[i] == 0; });
}

polycodec_node jagged_from_regular(Frame& frame) {
  const polycodec_array& regular = frame.array(0, POLYCODEC_DTYPE_FLOAT64);
  const bool lists = ArrayView(regular).is_list() ||
                     (regular.layout == POLYCODEC_LAYOUT_NDARRAY && regular.ndim > 1);
  if (!lists)
    frame.fail(0, Status::type, "jagged.shape", "an array of at least two dimensions is needed");
  return Builder::array(&regular);
}

polycodec_node jagged_from_folding(Frame& frame) {
  const polycodec_array& content = frame.array(0, POLYCODEC_DTYPE_FLOAT64);
  const std::uint64_t size = frame.count(1);
  if (size == 0)
    frame.fail(1, Status::range, "function.argument_range",
               "the size of the lists must be at least 1");
  if (has_unknown_length(content))
    frame.fail(0, Status::unsupported, "expression.cycle",
               "a cyclic reference has no length to be folded");
  const auto lists_of = [&](const polycodec_array* items, std::uint64_t each, std::uint64_t lists) {
    polycodec_array* a = frame.out.with_children(POLYCODEC_LAYOUT_LIST_FIXED, lists, {{items}});
    a->list_size = each;
    return a;
  };
  const std::uint64_t whole = content.length / size;
  const std::uint64_t rest = content.length % size;
  const polycodec_array* lists = lists_of(&content, size, whole);
  if (rest == 0) return Builder::array(lists);
  const polycodec_array* last =
      lists_of(slice(frame.out, content, content.length - rest, rest), rest, 1);
  return Builder::array(frame.out.chunked({{lists, last}}));
}

polycodec_node jagged_from_iter(Frame& frame) {
  if (!frame[0].is_list()) frame.fail_type(0, "a list of lists");
  for (const polycodec_node& item : frame[0].items())
    if (!NodeView(&item).is_list() && !NodeView(&item).is_array())
      frame.fail_type(0, "a list of lists");
  const auto items = frame[0].items();
  polycodec_array* a = frame.out.new_array(POLYCODEC_LAYOUT_DOCUMENT, items.size());
  a->nodes = items.data();
  return Builder::array(a);
}

polycodec_node jagged_from_jagged(Frame& frame) {
  const polycodec_array& jagged = frame.array(0, POLYCODEC_DTYPE_FLOAT64);
  if (!ArrayView(jagged).is_list() && !is_deferred(jagged))
    frame.fail(0, Status::type, "function.argument_kind", "'jagged' must be an array of lists");
  return Builder::array(&jagged);
}

}  // namespace polycodec::awkward
