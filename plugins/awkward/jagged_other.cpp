// SPDX-License-Identifier: MIT
// Lists by other descriptions, which no writer is known to use but every reader knows.
#include <polycodec/builder.hpp>

#include "array_parts.hpp"
#include "classes.hpp"

#include <algorithm>
#include <vector>

namespace polycodec::awkward {
namespace {

Integers one_dimension(Frame& frame, const char* what, const polycodec_array& content) {
  Integers integers = frame.integers(0, POLYCODEC_DTYPE_INT64, what);
  if (integers.shape.size() != 1)
    frame.fail(0, Status::malformed, "jagged.shape",
               std::string(what) + " must have one dimension");
  if (integers.count > content.length)
    frame.fail(0, Status::malformed, "jagged.range",
               std::to_string(integers.count) + " " + what + " for a content of " +
                   number(content.length) + " items");
  return integers;
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
polycodec_node JaggedFromParents::run(Frame& frame) {
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
polycodec_node JaggedFromUniques::run(Frame& frame) {
  const polycodec_array& content = frame.array(1, POLYCODEC_DTYPE_FLOAT64);
  const Integers uniques = one_dimension(frame, "uniques", content);
  return lists_where(frame, uniques.count, content,
                     [&](std::uint64_t i) { return uniques[i] != uniques[i - 1]; });
}

// The place of each item in its list: a list begins at each 0.
polycodec_node JaggedFromLocalIndex::run(Frame& frame) {
  const polycodec_array& content = frame.array(1, POLYCODEC_DTYPE_FLOAT64);
  const Integers local = one_dimension(frame, "local indices", content);
  for (std::uint64_t i = 0; i < local.count; ++i)
    if (local[i] != 0 && (i == 0 || local[i] != local[i - 1] + 1))
      frame.fail(0, Status::malformed, "jagged.order",
                 "the local index in row " + std::to_string(i) + " is " + std::to_string(local[i]) +
                     ": expected 0 or the next number");
  return lists_where(frame, local.count, content, [&](std::uint64_t i) { return local[i] == 0; });
}

polycodec_node JaggedFromRegular::run(Frame& frame) {
  const polycodec_array& regular = frame.array(0, POLYCODEC_DTYPE_FLOAT64);
  const bool lists = ArrayView(regular).is_list() ||
                     (regular.layout == POLYCODEC_LAYOUT_NDARRAY && regular.ndim > 1);
  if (!lists)
    frame.fail(0, Status::type, "jagged.shape", "an array of at least two dimensions is needed");
  return Builder::array(&regular);
}

polycodec_node JaggedFromFolding::run(Frame& frame) {
  const polycodec_array& content = frame.array(0, POLYCODEC_DTYPE_FLOAT64);
  const std::uint64_t size = frame.count(1);
  if (size == 0)
    frame.fail(1, Status::range, "function.argument_range",
               "the size of the lists must be at least 1");
  if (content.length == unknown_length)
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

polycodec_node JaggedFromIter::run(Frame& frame) {
  if (!frame[0].is_list()) frame.fail_type(0, "a list of lists");
  for (const polycodec_node& item : frame[0].items())
    if (!NodeView(&item).is_list() && !NodeView(&item).is_array())
      frame.fail_type(0, "a list of lists");
  const auto items = frame[0].items();
  polycodec_array* a = frame.out.new_array(POLYCODEC_LAYOUT_DOCUMENT, items.size());
  a->nodes = items.data();
  return Builder::array(a);
}

polycodec_node JaggedFromJagged::run(Frame& frame) {
  const polycodec_array& jagged = frame.array(0, POLYCODEC_DTYPE_FLOAT64);
  if (!ArrayView(jagged).is_list() && !is_deferred(jagged))
    frame.fail(0, Status::type, "function.argument_kind", "'jagged' must be an array of lists");
  return Builder::array(&jagged);
}

}  // namespace polycodec::awkward
