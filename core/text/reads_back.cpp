// SPDX-License-Identifier: MIT
#include "core/text/reads_back.hpp"

#include <base/depth.hpp>
#include <model/type/infer.hpp>
#include <polycodec/array_view.hpp>
#include <polycodec/utf.hpp>

#include "core/text/column.hpp"
#include "core/text/element.hpp"
#include "core/text/infer.hpp"
#include "core/text/time.hpp"
#include "core/value/host_meter.hpp"

#include <algorithm>

namespace polycodec::text {

using type::Kind;
using type::Type;

namespace {

bool has_metadata(const polycodec_array& a) noexcept {
  return a.metadata != nullptr && polycodec_node_size(a.metadata) != 0;
}

/// The reader makes leaves of several dimensions where a leaf can hold the elements.
bool makes_leaf(const Type& t) noexcept {
  const Type* inner = &t;
  while (inner->is(Kind::fixed_dim)) inner = &inner->element();
  return ElementReader::takes(*inner) && !is_document_column(*inner, false);
}

bool leaf_reads_back(const polycodec_array& a, const Type& t) {
  if (a.ndim == 0 || a.item_size == 0) return false;
  const Type* inner = &t;
  for (std::uint32_t axis = 1; axis < a.ndim; ++axis) {
    if (!inner->is(Kind::fixed_dim) || inner->size() != static_cast<std::uint64_t>(a.shape[axis]))
      return false;
    inner = &inner->element();
  }
  return *inner == type::element_type(a);
}

/// Lists that share items, or are in another order than their items, are more than their items.
bool in_order(const polycodec_array& a, HostMeter& meter) {
  meter.tick(a.length);
  if (a.layout != POLYCODEC_LAYOUT_LIST_VIEW) return true;
  const ArrayView view(a);
  std::uint64_t at = 0;
  for (std::uint64_t i = 0; i < a.length; ++i) {
    const ArrayView::Range range = view.range(i);
    if (range.begin == range.end) continue;
    if (range.begin < at) return false;
    at = range.end;
  }
  return true;
}

bool list_reads_back(const polycodec_array& a, const Type& t, HostMeter& meter) {
  const ArrayView view(a);
  if (view.is_string() || view.is_binary()) {
    if (!t.is(view.is_string() ? Kind::string : Kind::bytes)) return false;
    return a.layout != POLYCODEC_LAYOUT_LIST_FIXED && in_order(a, meter);
  }
  if (a.layout == POLYCODEC_LAYOUT_LIST_FIXED)
    return t.is(Kind::fixed_dim) && t.size() == a.list_size && !makes_leaf(t) &&
           reads_back(*a.children[0], t.element(), meter);
  return t.is(Kind::var_dim) && in_order(a, meter) &&
         reads_back(*a.children[0], t.element(), meter);
}

bool children_read_back(const polycodec_array& a, const Type& t, HostMeter& meter) {
  if (a.n_children != t.items().size()) return false;
  for (std::uint32_t i = 0; i < a.n_children; ++i)
    if (!reads_back(*a.children[i], t.items()[i], meter)) return false;
  return true;
}

bool record_reads_back(const polycodec_array& a, const Type& t, HostMeter& meter) {
  if (a.names == nullptr) return t.is(Kind::tuple) && children_read_back(a, t, meter);
  if (!t.is(Kind::record) || a.n_children != t.names().size()) return false;
  for (std::uint32_t i = 0; i < a.n_children; ++i)
    if (to_string_view(a.names[i]) != t.names()[i]) return false;
  return children_read_back(a, t, meter);
}

bool union_reads_back(const polycodec_array& a, const Type& t, HostMeter& meter) {
  if (!t.is(Kind::union_type) || is_document_column(t, false) || !children_read_back(a, t, meter))
    return false;
  const ArrayView view(a);
  std::vector<std::int64_t> counts(a.n_children);
  meter.tick(a.length);
  for (std::uint64_t i = 0; i < a.length; ++i) {
    std::int64_t& count = counts[static_cast<std::size_t>(view.tags()[i])];
    if (view.index().present() && view.index()[i] != count) return false;
    ++count;
  }
  return true;
}

/// True if item `i` is what the reader puts in the place of a missing one: zeros, empty lists.
bool is_filler(const polycodec_array& a, std::uint64_t i, HostMeter& meter,
               std::uint32_t depth = 0) {
  check_stack(depth);
  meter.tick(1);
  const ArrayView view(a);
  switch (a.layout) {
    case POLYCODEC_LAYOUT_NDARRAY: {
      if (a.ndim == 0) return false;
      std::uint64_t size = a.item_size;
      std::int64_t stride = a.item_size;
      for (std::uint32_t axis = a.ndim; axis-- > 1;) {
        if (a.strides[axis] != stride) return false;
        stride *= a.shape[axis];
      }
      for (std::uint32_t axis = 1; axis < a.ndim; ++axis)
        size *= static_cast<std::uint64_t>(a.shape[axis]);
      meter.tick(size / 16);
      if (size == 0) return true;
      const std::byte* item = view.data() + static_cast<std::int64_t>(i) * a.strides[0];
      return std::all_of(item, item + size, [](std::byte b) { return b == std::byte{}; });
    }
    case POLYCODEC_LAYOUT_LIST_OFFSETS:
    case POLYCODEC_LAYOUT_LIST_VIEW:
      return view.range(i).begin == view.range(i).end;
    case POLYCODEC_LAYOUT_LIST_FIXED:
      for (std::uint64_t at = view.range(i).begin; at < view.range(i).end; ++at)
        if (!is_filler(*a.children[0], at, meter, depth + 1)) return false;
      return true;
    case POLYCODEC_LAYOUT_RECORD:
      for (std::uint32_t c = 0; c < a.n_children; ++c)
        if (!is_filler(*a.children[c], i, meter, depth + 1)) return false;
      return true;
    case POLYCODEC_LAYOUT_OPTION_BYTES:
      return !view.is_present(i) && is_filler(*a.children[0], i, meter, depth + 1);
    default:
      return false;
  }
}

/// Missing items read back as fillers, or where those are large, as no items. What else a mask
/// covers would be lost.
bool option_reads_back(const polycodec_array& a, const Type& t, HostMeter& meter) {
  if (!t.is(Kind::option) || is_document_column(t, false)) return false;
  const ArrayView view(a);
  const polycodec_array& content = *a.children[0];
  const bool indexed = a.layout == POLYCODEC_LAYOUT_INDEXED;
  if (!indexed && (a.flags & POLYCODEC_ARRAY_MASK_VALID) == 0) return false;
  std::uint64_t present = 0;
  bool fillers = true;
  meter.tick(a.length);
  for (std::uint64_t i = 0; i < a.length; ++i) {
    if (!view.is_present(i)) {
      fillers = fillers && !indexed && is_filler(content, i, meter);
    } else if (indexed && view.index()[i] != static_cast<std::int64_t>(present++)) {
      return false;
    } else {
      present += indexed ? 0 : 1;
    }
  }
  const bool all = present == a.length;
  if (indexed ? all || !has_large_filler(t.element()) || content.length != present
              : !all && (!fillers || has_large_filler(t.element()) || content.length != a.length))
    return false;
  return reads_back(content, t.element(), meter);
}

/// How many items a LIST can have to have the type of a tuple.
constexpr std::uint64_t max_tuple_items = 16;

}  // namespace

bool reads_as_document_array(const polycodec_node& list, const Type& t, const Limits& limits) {
  return t.element().is(Kind::any) && polycodec_node_size(&list) <= max_tuple_items &&
         infer_type(NodeView(&list), limits).is(Kind::tuple);
}

bool reads_as_document_array(const polycodec_array& a, const Type& t, const Limits& limits) {
  if (a.layout != POLYCODEC_LAYOUT_DOCUMENT || a.length > max_tuple_items) return false;
  polycodec_node list = polycodec_node_make(POLYCODEC_KIND_LIST, 0, a.length);
  list.as.nodes = a.nodes;
  return reads_as_document_array(list, t, limits);
}

bool reads_as_array(const polycodec_node& list, const Type& t, const Limits& limits) {
  const Type& item = t.element();
  if (is_document_column(item, false)) return reads_as_document_array(list, t, limits);
  if (!is_document_column(item, true)) return true;
  const auto is_no_element = [&](const polycodec_node& n) {
    switch (n.kind) {
      case POLYCODEC_KIND_STRING:
        return !is_utf8(NodeView(&n).as_string());
      case POLYCODEC_KIND_TIMESTAMP:
        return !join_count(*n.as.time).has_value();
      default:
        return n.kind == POLYCODEC_KIND_LIST;
    }
  };
  const std::uint64_t size = polycodec_node_size(&list);
  return std::none_of(list.as.nodes, list.as.nodes + size, is_no_element);
}

bool array_reads_back(const polycodec_array& a, const Type& t, HostMeter& meter) {
  if (a.layout == POLYCODEC_LAYOUT_NDARRAY && a.ndim == 0)
    return a.item_size != 0 && t == type::element_type(a);
  if (!t.is_dim()) return false;
  // The reader keeps metadata of the items of an array apart from that of the array.
  if (t.element().is(Kind::annotated) && a.layout == POLYCODEC_LAYOUT_CHUNKED)
    return a.n_children == 1 && has_metadata(*a.children[0]) &&
           a.children[0]->layout != POLYCODEC_LAYOUT_DOCUMENT &&
           reads_back(*a.children[0], t.element(), meter);
  polycodec_array items = a;
  items.metadata = nullptr;  // the type says it of the whole
  return reads_back(items, t.element(), meter);
}

bool reads_back(const polycodec_array& a, const Type& type, HostMeter& meter) {
  check_stack(type.depth());
  meter.tick(1);
  if (has_metadata(a) && !type.is(Kind::annotated)) return false;
  const Type& t = has_metadata(a) ? type.element() : type;
  switch (a.layout) {
    case POLYCODEC_LAYOUT_NDARRAY:
      return leaf_reads_back(a, t);
    case POLYCODEC_LAYOUT_LIST_OFFSETS:
    case POLYCODEC_LAYOUT_LIST_VIEW:
    case POLYCODEC_LAYOUT_LIST_FIXED:
      return list_reads_back(a, t, meter);
    case POLYCODEC_LAYOUT_RECORD:
      return record_reads_back(a, t, meter);
    case POLYCODEC_LAYOUT_UNION:
      return union_reads_back(a, t, meter);
    case POLYCODEC_LAYOUT_OPTION_BYTES:
    case POLYCODEC_LAYOUT_INDEXED:
      return option_reads_back(a, t, meter);
    case POLYCODEC_LAYOUT_DOCUMENT:
      return is_document_column(t, false);
    default:
      return false;
  }
}

}  // namespace polycodec::text
