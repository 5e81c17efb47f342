// SPDX-License-Identifier: MIT
#include "array_parts.hpp"

#include <base/nodes.hpp>
#include <base/slice.hpp>
#include <polycodec/items.h>
#include <polycodec/node_view.hpp>

#include "deferred.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace polycodec::awkward {
namespace {

/// Begin, begin + step, ..: a column that exists in memory.
polycodec_column progression(Builder& out, std::int64_t begin, std::int64_t step,
                             std::uint64_t count) {
  auto* items = out.allocate<std::int64_t>(count);
  for (std::uint64_t i = 0; i < count; ++i) items[i] = begin + static_cast<std::int64_t>(i) * step;
  return Builder::column(std::span<const std::int64_t>(items, count));
}

}  // namespace

polycodec_array* copy_header(Builder& out, const polycodec_array& array) {
  return out.store(array);
}

const polycodec_array* slice(Builder& out, const polycodec_array& array, std::uint64_t begin,
                             std::uint64_t count) {
  if (begin == 0 && count == array.length) return &array;
  if (is_deferred(array) || (array.layout == POLYCODEC_LAYOUT_OPTION_BITS && begin % 8 != 0))
    return indexed(out, progression(out, static_cast<std::int64_t>(begin), 1, count), count, array);
  return slice_array(array, begin, count, out,
                     [&](const polycodec_array& child, std::uint64_t from, std::uint64_t items) {
                       return slice(out, child, from, items);
                     });
}

const polycodec_array* stride(Builder& out, const polycodec_array& array, std::int64_t begin,
                              std::int64_t step, std::uint64_t count) {
  if (count == 0) return slice(out, array, 0, 0);
  if (step == 1 || count == 1) return slice(out, array, static_cast<std::uint64_t>(begin), count);
  if (array.layout == POLYCODEC_LAYOUT_NDARRAY) return slice_leaf(array, begin, step, count, out);
  if (array.layout == POLYCODEC_LAYOUT_RECORD) {
    polycodec_array* a = copy_header(out, array);
    auto* children = out.allocate<const polycodec_array*>(array.n_children);
    for (std::uint32_t i = 0; i < array.n_children; ++i)
      children[i] = stride(out, *array.children[i], begin, step, count);
    a->children = children;
    a->length = count;
    return a;
  }
  return indexed(out, progression(out, begin, step, count), count, array);
}

polycodec_array* indexed(Builder& out, const polycodec_column& index, std::uint64_t length,
                         const polycodec_array& content) {
  polycodec_array* a = out.with_children(POLYCODEC_LAYOUT_INDEXED, length, {{&content}});
  a->index = index;
  return a;
}

const polycodec_array* nested(Builder& out, std::span<const std::int64_t> shape,
                              const polycodec_array* flat) {
  std::uint64_t length = flat->length;
  for (std::size_t axis = shape.size(); axis-- > 1;) {
    const auto extent = static_cast<std::uint64_t>(shape[axis]);
    length = 1;
    for (std::size_t outer = 0; outer < axis; ++outer)
      length *= static_cast<std::uint64_t>(shape[outer]);
    polycodec_array* a = out.with_children(POLYCODEC_LAYOUT_LIST_FIXED, length, {{flat}});
    a->list_size = extent;
    flat = a;
  }
  return flat;
}

const polycodec_array* with_attribute(Builder& out, const polycodec_array& array,
                                      std::string_view name, const polycodec_node& value) {
  polycodec_array* a = copy_header(out, array);
  const auto before =
      a->metadata == nullptr ? std::span<const polycodec_node>() : NodeView(a->metadata).entries();
  polycodec_node* nodes;
  const polycodec_node object = out.object(before.size() / 2 + 1, &nodes);
  nodes = std::copy(before.begin(), before.end(), nodes);
  nodes[0] = out.string_copy(name);
  nodes[1] = value;
  a->metadata = out.store(object);
  return a;
}

namespace {

polycodec_node scalar_node(Builder& out, const View& item) {
  switch (item.kind()) {
    case POLYCODEC_KIND_BOOLEAN:
      return Builder::boolean(item.as_bool());
    case POLYCODEC_KIND_SIGNED:
    case POLYCODEC_KIND_UNSIGNED:
    case POLYCODEC_KIND_FLOAT:
    case POLYCODEC_KIND_WIDE: {
      std::byte bits[16] = {};
      item.copy_bits(bits);
      return number_node(out, item.dtype(), bits);
    }
    case POLYCODEC_KIND_TIMESTAMP: {
      const polycodec_time t = item.as_time();
      return out.timestamp(t.count, t.nanoseconds, t.unit);
    }
    case POLYCODEC_KIND_DURATION: {
      const polycodec_time t = item.as_time();
      return out.duration(t.count, t.unit);
    }
    case POLYCODEC_KIND_STRING: {
      std::string scratch;
      return out.string_copy(item.as_string(scratch));
    }
    default:
      return Builder::bytes_view(bytes_of(std::span(item.as_bytes())));
  }
}

}  // namespace

polycodec_node element_node(Builder& out, const polycodec_array& array, std::uint64_t i) {
  if (is_deferred(array))
    throw Error(Status::unsupported, "the items of a cyclic reference are not known yet")
        .detail("expression.cycle");
  if (polycodec_is_choice(&array) != 0) {
    const polycodec_array* const chosen = polycodec_chosen(&array, &i);
    return chosen == nullptr ? Builder::null() : element_node(out, *chosen, i);
  }
  if (array.layout == POLYCODEC_LAYOUT_DOCUMENT) return array.nodes[i];
  const ArrayView view(array);
  if (view.is_list()) {
    if (view.is_string()) return Builder::string_view(view.text(i));
    if (view.is_binary()) return Builder::bytes_view(bytes_of(std::span(view.text(i))));
    const auto range = view.range(i);
    return Builder::array(slice(out, *array.children[0], range.begin, range.end - range.begin));
  }
  if (array.layout != POLYCODEC_LAYOUT_NDARRAY)
    return row_node(out, view, i, [&](std::uint32_t child, std::uint64_t at) {
      return element_node(out, *array.children[child], at);
    });
  if (array.ndim <= 1) return scalar_node(out, View::element(array, i));
  const auto* row = slice_leaf(array, static_cast<std::int64_t>(i), 1, 1, out);
  polycodec_array* a = copy_header(out, *row);
  --a->ndim, ++a->shape, ++a->strides;
  a->length = static_cast<std::uint64_t>(a->shape[0]);
  return Builder::array(a);
}

}  // namespace polycodec::awkward
