// SPDX-License-Identifier: MIT
#include <base/column_read.hpp>
#include <polycodec/array_view.hpp>
#include <polycodec/dtype.hpp>

#include "infer.hpp"

namespace polycodec::type {

Type element_type(const polycodec_array& leaf) {
  switch (leaf.dtype) {
    case POLYCODEC_DTYPE_TIMESTAMP64:
      return datetime(leaf.unit);
    case POLYCODEC_DTYPE_DURATION64:
      return timedelta(leaf.unit);
    // The notation has no fixed types of size 0: their only values are the empty ones.
    case POLYCODEC_DTYPE_FIXED_BYTES:
      return leaf.item_size == 0 ? bytes() : fixed_bytes(leaf.item_size);
    case POLYCODEC_DTYPE_FIXED_UTF8:
      return leaf.item_size == 0 ? string() : fixed_string(leaf.item_size);
    case POLYCODEC_DTYPE_FIXED_UTF16:
      return leaf.item_size < 2 ? string() : fixed_string(leaf.item_size / 2, Encoding::utf16);
    case POLYCODEC_DTYPE_FIXED_UTF32:
      return leaf.item_size < 4 ? string() : fixed_string(leaf.item_size / 4, Encoding::utf32);
    default:
      return scalar(leaf.dtype);
  }
}

Type Inference::element(const polycodec_array& leaf) {
  if (is_time(leaf.dtype)) return time(leaf.dtype, leaf.unit);
  return is_fixed(leaf.dtype) ? element_type(leaf) : number(leaf.dtype);
}

Type Inference::record(const polycodec_array& a) {
  if (a.n_children > max_inferred_parts) return words_.any;
  std::vector<Type> columns;
  columns.reserve(a.n_children);
  for (std::uint32_t i = 0; i < a.n_children; ++i) columns.push_back(small(item(*a.children[i])));
  if (a.names == nullptr) return tuple_of(std::move(columns));
  std::vector<std::string_view> names;
  names.reserve(a.n_children);
  for (std::uint32_t i = 0; i < a.n_children; ++i) names.push_back(to_string_view(a.names[i]));
  if (!are_field_names(names)) return odd_record(names, columns);
  return record_of(names, std::move(columns));
}

Type Inference::bare_item(const polycodec_array& a) {
  const ArrayView view(a);
  switch (view.layout()) {
    case POLYCODEC_LAYOUT_NDARRAY: {
      Type t = element(a);
      for (std::uint32_t axis = a.ndim; axis-- > 1;)
        t = fixed(static_cast<std::uint64_t>(a.shape[axis]), std::move(t));
      return t;
    }
    case POLYCODEC_LAYOUT_LIST_OFFSETS:
    case POLYCODEC_LAYOUT_LIST_VIEW:
    case POLYCODEC_LAYOUT_LIST_FIXED: {
      if (view.is_string()) return string();
      if (view.is_binary()) return bytes();
      Type t = small(item(*a.children[0]));
      return view.layout() == POLYCODEC_LAYOUT_LIST_FIXED ? fixed(a.list_size, std::move(t))
                                                          : var(std::move(t));
    }
    case POLYCODEC_LAYOUT_RECORD:
      return record(a);
    case POLYCODEC_LAYOUT_UNION: {
      std::vector<Type> members;
      for (std::uint32_t i = 0; i < a.n_children && i <= max_inferred_parts; ++i)
        members.push_back(small(item(*a.children[i])));
      return alternatives(std::move(members));
    }
    case POLYCODEC_LAYOUT_OPTION_BYTES:
    case POLYCODEC_LAYOUT_OPTION_BITS:
      return make_optional(small(item(*a.children[0])), words_);
    case POLYCODEC_LAYOUT_INDEXED: {
      Type t = small(item(*a.children[0]));
      visit(a.index.stride == 0 ? 1 : a.length / 16);
      return has_negative(a.index, a.length) ? make_optional(std::move(t), words_) : t;
    }
    case POLYCODEC_LAYOUT_CHUNKED: {
      // Chunks without items say something only if there are no others.
      Join join(words_);
      for (std::uint32_t i = 0; i < a.n_children; ++i)
        if ((a.length == 0 || a.children[i]->length != 0) && !join.add(item(*a.children[i])))
          return words_.any;
      return join.type();
    }
    case POLYCODEC_LAYOUT_DOCUMENT:
      return common({a.nodes, static_cast<std::size_t>(a.length)});
    default:
      throw Error(Status::invalid, "an array of unknown layout " + std::to_string(a.layout));
  }
}

Type Inference::item(const polycodec_array& a) {
  const Level level(*this);
  const bool shared = a.n_children != 0;
  if (shared)
    if (const auto known = known_items_.find(&a); known != known_items_.end()) return known->second;
  Type t = bare_item(a);
  if (a.metadata != nullptr) t = described(small(t), *a.metadata);
  if (shared) known_items_.emplace(&a, t);
  return t;
}

Type Inference::array(const polycodec_array& a) {
  Type t = a.layout == POLYCODEC_LAYOUT_NDARRAY && a.ndim == 0
               ? element(a)
               : fixed(a.length, small(bare_item(a)));
  return a.metadata == nullptr ? t : described(std::move(t), *a.metadata);
}

}  // namespace polycodec::type
