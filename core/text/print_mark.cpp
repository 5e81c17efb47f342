// SPDX-License-Identifier: MIT
// The marks of values whose type and items do not say all that they are.
#include <base/depth.hpp>
#include <model/type/build.hpp>
#include <polycodec/items.h>

#include "core/text/column.hpp"
#include "core/text/layout_words.hpp"
#include "core/text/print.hpp"
#include "core/text/reads_back.hpp"

#include <utility>

namespace polycodec::text {

using type::Type;

bool Printer::is_taken_for_array(const polycodec_node& n, const Type& t) const {
  if (!marks_ || documents_ || !t.is_dim()) return false;
  // A column has no place for `$id` and `$ref`.
  if (targets_ && !targets_->empty() && !is_document_column(t.element(), false)) return true;
  return reads_as_array(n, t, options_.limits);
}

bool Printer::label(const polycodec_node& n, const Type& t) {
  Targets::Target* target = targets_ ? targets_->find(&n) : nullptr;
  if (target == nullptr || !target->inside || target->printed) return false;
  target->printed = true;
  numbered(R"({"$id": )", target->id, [&] { node(n, t); });
  return true;
}

void Printer::reference(const polycodec_node& target, const Type& t) {
  if (Targets::Target* known = targets_ ? targets_->find(&target) : nullptr) {
    if (!known->inside && !std::exchange(known->printed, true))
      return numbered(R"({"$ref": )", known->id, [&] { node(target, t); });
    out_.put(R"({"$ref": )");
    out_.put_with([&](char* p) { return write_unsigned(p, known->id); });
    return out_.put('}');
  }
  if (depth_ >= options_.limits.max_depth)
    throw Error(Status::limit,
                "the value nests deeper than the limit, or a reference makes a cycle")
        .detail("text.limit");
  check_stack(depth_ + layers_);
  ++depth_;
  node(target, t);
  --depth_;
}

void Printer::same_array(std::uint64_t number) {
  out_.put(R"({"$same": )");
  out_.put_with([&](char* p) { return write_unsigned(p, number); });
  out_.put('}');
}

void Printer::array(const polycodec_array& a, const Type& t) {
  std::uint64_t* number = targets_ ? targets_->shared(a) : nullptr;
  if (number == nullptr) return unshared_array(a, t);
  if (*number != 0) return same_array(*number);
  *number = targets_->next_number();
  numbered(R"({"$same": )", *number, [&] { unshared_array(a, t); });
}

void Printer::unshared_array(const polycodec_array& a, const Type& t) {
  const bool single = a.layout == POLYCODEC_LAYOUT_NDARRAY && a.ndim == 0;
  const auto print = [&] {
    if (single) return ElementPrinter(a).put(out_, ArrayView(a).data());
    bare_items(a, 0, a.length, t.is_dim() ? t.element() : type::any_type());
  };
  if (!marks_) return print();
  // Items cannot say which arrays are one.
  const bool has_shared = targets_ && targets_->has_shared(a);
  if (!has_shared && array_reads_back(a, t, meter_)) {
    const bool is_default = single
                                ? is_fixed(a.dtype)
                                : !documents_ && (a.layout != POLYCODEC_LAYOUT_DOCUMENT ||
                                                  reads_as_document_array(a, t, options_.limits));
    return is_default ? print() : mark("$array", false, print);
  }
  polycodec_array bare_array = a;
  bare_array.metadata = nullptr;  // the type around here says it
  const polycodec_node own = Builder::array(&bare_array);
  const Type own_type = types_.of(own);
  if (has_shared || !array_reads_back(a, own_type, meter_))
    return mark("$layout", false, [&] { layout(a); });
  out_.put(R"({"$value": )");
  typed(own, own_type);
  positions_.erase(&bare_array);  // another array may have this address later
  out_.put('}');
}

void Printer::structure(std::string_view name, const polycodec_column& column,
                        std::uint64_t count) {
  out_.put(", ");
  out_.put_quoted(name);
  out_.put(": ");
  const std::int64_t shape[] = {static_cast<std::int64_t>(count)};
  const std::int64_t strides[] = {column.stride};
  polycodec_array leaf{};
  leaf.struct_size = sizeof leaf;
  leaf.layout = POLYCODEC_LAYOUT_NDARRAY;
  leaf.dtype = static_cast<std::uint8_t>(column.dtype);
  leaf.byte_order = host_byte_order;
  leaf.length = count;
  leaf.data = leaf.buffer = column.data;
  leaf.buffer_size = UINT64_MAX;  // items may share bytes: there are no more than of the array
  leaf.ndim = 1;
  leaf.item_size = dtype_size(column.dtype);
  leaf.shape = shape;
  leaf.strides = strides;
  const polycodec_node n = Builder::array(&leaf);
  typed(n, types_.of(n));
}

void Printer::raw_leaf(const polycodec_array& a) {
  out_.put(", \"dtype\": ");
  out_.put_with([&](char* p) { return write_unsigned(p, a.dtype); });
  out_.put(", \"item_size\": ");
  out_.put_with([&](char* p) { return write_unsigned(p, a.item_size); });
  out_.put(", \"shape\": ");
  Bracket shape(*this, '[', ']', false);
  for (std::uint32_t axis = 0; axis < a.ndim; ++axis) {
    shape.next();
    out_.put_with([&](char* p) { return write_signed(p, a.shape[axis]); });
  }
  shape.end();
}

void Printer::layout(const polycodec_array& a) {
  const std::uint64_t count =
      a.layout == POLYCODEC_LAYOUT_NDARRAY ? ArrayView(a).element_count() : a.length;
  if (count > options_.limits.max_nodes) refuse_endless(count);
  Bracket bracket(*this, '{', '}', false);
  bracket.next();
  out_.put("\"layout\": ");
  out_.put_quoted(layout_names[a.layout]);
  out_.put(", \"length\": ");
  out_.put_with([&](char* p) { return write_unsigned(p, a.length); });
  if (a.flags != 0) {
    out_.put(", \"flags\": ");
    Bracket flags(*this, '[', ']', false);
    for (unsigned bit = 0; bit < std::size(flag_names); ++bit) {
      if ((a.flags >> bit & 1u) == 0) continue;
      flags.next();
      out_.put_quoted(flag_names[bit]);
    }
    flags.end();
  }
  if (a.layout == POLYCODEC_LAYOUT_NDARRAY) {
    raw_leaf(a);
    return bracket.end();
  }
  if (a.layout == POLYCODEC_LAYOUT_LIST_FIXED) {
    out_.put(", \"size\": ");
    out_.put_with([&](char* p) { return write_unsigned(p, a.list_size); });
  }
  const ColumnNames names = written_columns(a.layout);
  if (!names.first.empty() && a.index.data != nullptr)
    structure(names.first, a.index, polycodec_column_length(a.layout, a.length, a.n_children, 0));
  if (!names.second.empty()) structure(names.second, a.tags, a.length);
  const auto children = children_of(a);
  if (const polycodec_bytes* const known = names_of(a)) {
    out_.put(", \"names\": ");
    Bracket list(*this, '[', ']', false);
    for (std::size_t i = 0; i < children.size(); ++i) {
      list.next();
      put_text(out_, to_string_view(known[i]));
    }
    list.end();
  }
  const bool documents = a.layout == POLYCODEC_LAYOUT_DOCUMENT;
  out_.put(documents ? ", \"nodes\": " : ", \"children\": ");
  Bracket parts(*this, '[', ']', true);
  for (std::uint64_t i = 0; i < (documents ? a.length : children.size()); ++i) {
    parts.next();
    if (documents) {
      any(a.nodes[i]);
      continue;
    }
    const polycodec_array& child = *children[i];
    const std::uint64_t* number = targets_ ? targets_->shared(child) : nullptr;
    if (number != nullptr && *number != 0 && child.metadata == nullptr) {
      same_array(*number);
      continue;
    }
    const polycodec_node n = Builder::array(&child);
    typed(n, types_.of(n));
  }
  parts.end();
  bracket.end();
}

}  // namespace polycodec::text
