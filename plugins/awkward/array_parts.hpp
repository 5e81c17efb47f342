// SPDX-License-Identifier: MIT
// Arrays made of parts of other arrays. All of it makes headers; no item is copied.
#pragma once

#include <polycodec/array_view.hpp>
#include <polycodec/builder.hpp>

#include <cstdint>
#include <span>

namespace polycodec::awkward {

/// A copy of the header, to be changed.
polycodec_array* copy_header(Builder& out, const polycodec_array& array);

/// Items [begin, begin + count) of `array`, which has them.
const polycodec_array* slice(Builder& out, const polycodec_array& array, std::uint64_t begin,
                             std::uint64_t count);

/// Item begin + i * step of `array` for i < count, all of which it has.
const polycodec_array* stride(Builder& out, const polycodec_array& array, std::int64_t begin,
                              std::int64_t step, std::uint64_t count);

/// Item index[i] of `content`; `index` lives as long as the value. Negative: missing.
polycodec_array* indexed(Builder& out, const polycodec_column& index, std::uint64_t length,
                         const polycodec_array& content);

/// `flat` as an array of the shape `shape`, the product of which is its length; it is itself for
/// one dimension.
const polycodec_array* nested(Builder& out, std::span<const std::int64_t> shape,
                              const polycodec_array* flat);

/// The array with one more attribute.
const polycodec_array* with_attribute(Builder& out, const polycodec_array& array,
                                      std::string_view name, const polycodec_node& value);

/// Item `i` of the array as a node. Lists become arrays that are parts of `array`, rows become
/// objects.
polycodec_node element_node(Builder& out, const polycodec_array& array, std::uint64_t i);

/// Row `i` of a record, union, option or index as a node, where item(c, k) is item `k` of child
/// `c`.
template <class Item>
polycodec_node row_node(Builder& out, const ArrayView& view, std::uint64_t i, Item&& item) {
  const polycodec_array& array = view.raw();
  if (array.layout == POLYCODEC_LAYOUT_RECORD) {
    polycodec_node* nodes;
    const bool named = array.names != nullptr;
    polycodec_node row =
        named ? out.object(array.n_children, &nodes) : out.list(array.n_children, &nodes);
    if (!named) row.kind = POLYCODEC_KIND_TUPLE;
    for (std::uint32_t c = 0; c < array.n_children; ++c) {
      if (named) *nodes++ = Builder::string_view(view.name(c));
      *nodes++ = item(c, i);
    }
    return row;
  }
  if (array.layout == POLYCODEC_LAYOUT_UNION) {
    const std::int64_t tag = view.tags()[i];
    return out.tagged(
        tag, item(static_cast<std::uint32_t>(tag), static_cast<std::uint64_t>(view.index()[i])));
  }
  if (!view.is_present(i)) return Builder::null();
  return item(0, array.layout == POLYCODEC_LAYOUT_INDEXED
                     ? static_cast<std::uint64_t>(view.index()[i])
                     : i);
}

}  // namespace polycodec::awkward
