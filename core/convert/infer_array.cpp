// SPDX-License-Identifier: MIT
#include <base/column_read.hpp>

#include "core/convert/infer_type.hpp"

#include <algorithm>

namespace polycodec::text {

using type::Type;

Type element_type(const polycodec_array& leaf) {
  switch (leaf.dtype) {
    case POLYCODEC_DTYPE_TIMESTAMP64:
      return type::datetime(leaf.unit);
    case POLYCODEC_DTYPE_DURATION64:
      return type::timedelta(leaf.unit);
    // The notation has no fixed types of size 0: their only values are the empty ones.
    case POLYCODEC_DTYPE_FIXED_BYTES:
      return leaf.item_size == 0 ? type::bytes() : type::fixed_bytes(leaf.item_size);
    case POLYCODEC_DTYPE_FIXED_UTF8:
      return leaf.item_size == 0 ? type::string() : type::fixed_string(leaf.item_size);
    case POLYCODEC_DTYPE_FIXED_UTF16:
      return leaf.item_size < 2 ? type::string()
                                : type::fixed_string(leaf.item_size / 2, type::Encoding::utf16);
    case POLYCODEC_DTYPE_FIXED_UTF32:
      return leaf.item_size < 4 ? type::string()
                                : type::fixed_string(leaf.item_size / 4, type::Encoding::utf32);
    default:
      return type::scalar(leaf.dtype);
  }
}

Type Inference::record(const polycodec_array& a) {
  if (a.n_children > max_inferred_parts) return type::any();
  std::vector<Type> columns;
  columns.reserve(a.n_children);
  std::uint64_t parts = 0;
  for (std::uint32_t i = 0; i < a.n_children; ++i) {
    columns.push_back(clip(item(*a.children[i])));
    parts += columns.back().nodes();
  }
  if (parts > max_inferred_parts) return type::any();
  if (a.names == nullptr) return type::tuple(std::move(columns));
  std::vector<std::string_view> names;
  names.reserve(a.n_children);
  for (std::uint32_t i = 0; i < a.n_children; ++i) names.push_back(to_string_view(a.names[i]));
  if (!std::ranges::all_of(names, [](std::string_view name) { return is_utf8(name); }))
    return type::any();
  std::vector<std::string_view> sorted = names;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end()) {
    // As an object whose keys stand twice.
    Join join;
    for (const Type& column : columns)
      if (!join.add(column)) return type::map(type::string(), type::any());
    return type::map(type::string(), clip(join.type()));
  }
  std::vector<type::Field> fields;
  fields.reserve(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i)
    fields.push_back({std::string(names[i]), std::move(columns[i])});
  return type::record(std::move(fields));
}

Type Inference::chunked(const polycodec_array& a) {
  // Chunks without items say something only if there are no others.
  Join join;
  for (std::uint32_t i = 0; i < a.n_children; ++i)
    if ((a.length == 0 || a.children[i]->length != 0) && !join.add(item(*a.children[i])))
      return type::any();
  return join.type();
}

Type Inference::bare_item(const polycodec_array& a) {
  const ArrayView view(a);
  switch (view.layout()) {
    case POLYCODEC_LAYOUT_NDARRAY: {
      Type t = element_type(a);
      for (std::uint32_t axis = a.ndim; axis-- > 1;)
        t = type::fixed(static_cast<std::uint64_t>(a.shape[axis]), std::move(t));
      return t;
    }
    case POLYCODEC_LAYOUT_LIST_OFFSETS:
    case POLYCODEC_LAYOUT_LIST_VIEW:
      if (view.is_string()) return type::string();
      if (view.is_binary()) return type::bytes();
      return type::var(clip(item(*a.children[0])));
    case POLYCODEC_LAYOUT_LIST_FIXED:
      if (view.is_string()) return type::string();
      if (view.is_binary()) return type::bytes();
      return type::fixed(a.list_size, clip(item(*a.children[0])));
    case POLYCODEC_LAYOUT_RECORD:
      return record(a);
    case POLYCODEC_LAYOUT_UNION: {
      std::vector<Type> alternatives;
      for (std::uint32_t i = 0; i < a.n_children && i <= max_inferred_parts; ++i)
        alternatives.push_back(clip(item(*a.children[i])));
      std::uint64_t parts = 0;
      for (const Type& alternative : alternatives) parts += alternative.nodes();
      return alternatives.empty() || parts > max_inferred_parts
                 ? type::any()
                 : type::union_of(std::move(alternatives));
    }
    case POLYCODEC_LAYOUT_OPTION_BYTES:
    case POLYCODEC_LAYOUT_OPTION_BITS:
      return make_optional(clip(item(*a.children[0])));
    case POLYCODEC_LAYOUT_INDEXED: {
      Type t = clip(item(*a.children[0]));
      return has_negative(a.index, a.length) ? make_optional(std::move(t)) : t;
    }
    case POLYCODEC_LAYOUT_CHUNKED:
      return chunked(a);
    case POLYCODEC_LAYOUT_DOCUMENT:
      return nodes({a.nodes, static_cast<std::size_t>(a.length)});
    default:
      throw Error(Status::invalid, "an array of unknown form " + std::to_string(a.layout));
  }
}

Type Inference::item(const polycodec_array& a) {
  const Level level(*this);
  const bool shared = a.n_children != 0;
  if (shared)
    if (const auto known = known_items_.find(&a); known != known_items_.end()) return known->second;
  Type t = bare_item(a);
  if (a.metadata != nullptr) t = annotate(clip(t), annotations_of(NodeView(a.metadata), limits_));
  if (shared) known_items_.emplace(&a, t);
  return t;
}

Type Inference::array(const polycodec_array& a) {
  Type t = a.layout == POLYCODEC_LAYOUT_NDARRAY && a.ndim == 0
               ? element_type(a)
               : type::fixed(a.length, clip(bare_item(a)));
  if (a.metadata != nullptr)
    t = annotate(std::move(t), annotations_of(NodeView(a.metadata), limits_));
  return t;
}

}  // namespace polycodec::text
