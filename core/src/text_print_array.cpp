// SPDX-License-Identifier: MIT
#include <polycodec/type/build.hpp>
#include <polycodec/type/print.hpp>

#include "infer_type.hpp"
#include "text_print.hpp"
#include "text_time.hpp"

namespace polycodec::text {

using type::Kind;
using type::Type;

namespace {

const Type& any_type() {
  static const Type type = type::any();
  return type;
}

const Type& element_of(const Type& t) noexcept {
  return t.is_dim() ? t.element() : any_type();
}

}  // namespace

void Printer::array(const polycodec_array& a, const Type& t) {
  if (a.form == POLYCODEC_FORM_NDARRAY && a.ndim == 0) return ElementPrinter(a).put(out_, ArrayView(a).data());
  items(a, 0, a.length, element_of(t));
}

void Printer::element(const polycodec_array& a, const std::byte* data, const Type& t) {
  if (!bare(t).is(Kind::any)) return ElementPrinter(a).put(out_, data);
  // Under `any`, only what reads back as the same type stands without it.
  const bool plain = a.dtype == POLYCODEC_BOOL || a.dtype == POLYCODEC_INT64 || a.dtype == POLYCODEC_FLOAT64 ||
                     a.dtype == POLYCODEC_COMPLEX128 || a.dtype == POLYCODEC_TIMEDELTA64;
  if (plain) return ElementPrinter(a).put(out_, data);
  out_.put(R"({"$value": {"type": )");
  out_.put_quoted(type::print(element_type(a)));
  out_.put(", \"value\": ");
  ElementPrinter(a).put(out_, data);
  out_.put("}}");
}

void Printer::elements(const polycodec_array& a, const std::byte* data, std::uint32_t axis, std::uint64_t count,
                       const Type& t) {
  const bool last = axis + 1 == a.ndim;
  Bracket bracket(*this, '[', ']', !last);
  if (last && !pretty() && !bare(t).is(Kind::any)) {
    ElementPrinter(a).put_run(out_, data, count, a.strides[axis]);
    return bracket.end();
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    bracket.next();
    const std::byte* at = data + static_cast<std::int64_t>(i) * a.strides[axis];
    if (last)
      element(a, at, t);
    else
      elements(a, at, axis + 1, static_cast<std::uint64_t>(a.shape[axis + 1]), element_of(bare(t)));
  }
  bracket.end();
}

void Printer::items(const polycodec_array& a, std::uint64_t begin, std::uint64_t end, const Type& t) {
  if (a.form == POLYCODEC_FORM_NDARRAY && a.ndim > 0) {
    const std::byte* data = ArrayView(a).data();
    // No pointer arithmetic for an empty range: its strides mean nothing.
    if (begin < end) data += static_cast<std::int64_t>(begin) * a.strides[0];
    return elements(a, data, 0, end - begin, t);
  }
  Bracket bracket(*this, '[', ']', pretty() && !is_flat(t));
  if (a.form == POLYCODEC_FORM_CHUNKED) {
    chunk_items(a, begin, end, t, bracket);
  } else {
    for (std::uint64_t i = begin; i < end; ++i) {
      bracket.next();
      item(a, i, t);
    }
  }
  bracket.end();
}

void Printer::chunk_items(const polycodec_array& a, std::uint64_t begin, std::uint64_t end, const Type& t,
                          Bracket& bracket) {
  std::uint64_t start = 0;
  for (std::uint32_t c = 0; c < a.n_children && start < end; ++c) {
    const polycodec_array& chunk = *a.children[c];
    for (std::uint64_t i = begin > start ? begin - start : 0; i < chunk.length && start + i < end; ++i) {
      bracket.next();
      item(chunk, i, t);
    }
    start += chunk.length;
  }
}

void Printer::row(const polycodec_array& a, std::uint64_t i, const Type& type) {
  const Type& t = bare(type);
  const auto column_type = [&t](std::uint32_t c) -> const Type& {
    if (t.is(Kind::map)) return t.items()[1];
    return (t.is(Kind::record) || t.is(Kind::tuple)) && c < t.items().size() ? t.items()[c] : any_type();
  };
  if (a.names == nullptr) {
    out_.put(R"({"$tuple": )");
    Bracket bracket(*this, '[', ']', false);
    for (std::uint32_t c = 0; c < a.n_children; ++c) {
      bracket.next();
      item(*a.children[c], i, column_type(c));
    }
    bracket.end();
    return out_.put('}');
  }
  const bool as_map = t.is(Kind::map) || (t.is(Kind::any) && !has_record_names(a));
  if (as_map) out_.put(R"({"$map": )");
  bool flat = !as_map;
  for (std::uint32_t c = 0; flat && pretty() && c < a.n_children; ++c) flat = is_flat(column_type(c));
  Bracket bracket(*this, as_map ? '[' : '{', as_map ? ']' : '}', !flat);
  for (std::uint32_t c = 0; c < a.n_children; ++c) {
    bracket.next();
    if (as_map) {
      out_.put('[');
      put_text(out_, to_string_view(a.names[c]));
      out_.put(", ");
    } else {
      key(to_string_view(a.names[c]));
    }
    item(*a.children[c], i, column_type(c));
    if (as_map) out_.put(']');
  }
  bracket.end();
  if (as_map) out_.put('}');
}

std::uint64_t Printer::union_index(const polycodec_array& a, std::uint64_t i, std::int64_t tag) {
  if (a.index.data != nullptr) return static_cast<std::uint64_t>(ColumnView(a.index)[i]);
  const ColumnView tags(a.index2);
  std::uint64_t index = 0;
  for (std::uint64_t earlier = 0; earlier < i; ++earlier) index += tags[earlier] == tag ? 1 : 0;
  return index;
}

void Printer::union_item(const polycodec_array& a, std::uint64_t i, const Type& t) {
  const std::int64_t tag = ColumnView(a.index2)[i];
  out_.put(R"({"$union": )");
  Bracket bracket(*this, '[', ']', false);
  bracket.next();
  out_.put_with([&](char* p) { return write_signed(p, tag); });
  bracket.next();
  const auto alternative = static_cast<std::size_t>(tag);
  item(*a.children[alternative], union_index(a, i, tag),
       t.is(Kind::union_type) ? t.items()[alternative] : any_type());
  bracket.end();
  out_.put('}');
}

void Printer::item(const polycodec_array& a, std::uint64_t i, const Type& type) {
  const ArrayView view(a);
  const Type& t = bare(type);
  switch (view.form()) {
    case POLYCODEC_FORM_NDARRAY: {
      if (a.ndim == 0) return element(a, view.data(), t);
      const std::byte* at = view.data() + static_cast<std::int64_t>(i) * a.strides[0];
      if (a.ndim == 1) return element(a, at, t);
      return elements(a, at, 1, static_cast<std::uint64_t>(a.shape[1]), element_of(t));
    }
    case POLYCODEC_FORM_LIST_OFFSETS:
    case POLYCODEC_FORM_LIST_VIEW:
    case POLYCODEC_FORM_LIST_FIXED: {
      if (view.is_text()) return put_text(out_, view.text(i));
      if (view.is_binary()) return put_bytes(out_, view.text(i).data(), view.text(i).size());
      const auto range = view.range(i);
      return items(*a.children[0], range.begin, range.end, element_of(t));
    }
    case POLYCODEC_FORM_RECORD:
      return row(a, i, t);
    case POLYCODEC_FORM_UNION:
      return union_item(a, i, t);
    case POLYCODEC_FORM_OPTION_BYTES:
    case POLYCODEC_FORM_OPTION_BITS:
      if (!view.is_present(i)) return out_.put("null");
      return item(*a.children[0], i, t);
    case POLYCODEC_FORM_INDEXED: {
      if (!view.is_present(i)) return out_.put("null");
      return item(*a.children[0], static_cast<std::uint64_t>(view.index()[i]), t);
    }
    case POLYCODEC_FORM_CHUNKED: {
      std::uint64_t start = 0;
      for (std::uint32_t c = 0; c < a.n_children; ++c) {
        if (i - start < a.children[c]->length) return item(*a.children[c], i - start, t);
        start += a.children[c]->length;
      }
      throw Error(Status::invalid, "a chunked array is shorter than it says");
    }
    case POLYCODEC_FORM_DOCUMENT:
      return node(a.nodes[i], t);
    default:
      throw Error(Status::invalid, "an array of unknown form " + std::to_string(a.form));
  }
}

}  // namespace polycodec::text
