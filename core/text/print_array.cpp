// SPDX-License-Identifier: MIT
#include "core/text/print_array.hpp"

#include <model/type/build.hpp>
#include <model/type/infer.hpp>
#include <model/type/print.hpp>

#include "core/text/infer.hpp"
#include "core/text/print.hpp"
#include "core/text/time.hpp"

#include <algorithm>

namespace polycodec::text {

using type::any_type;
using type::Kind;
using type::Type;

namespace {

/// Item `i` of those at `data`. Rows of nothing have no bytes, and stay nowhere.
const std::byte* item_of(const std::byte* data, std::uint64_t i, std::int64_t stride) noexcept {
  return data == nullptr ? data : data + static_cast<std::int64_t>(i) * stride;
}

/// The integer or boolean of up to 64 bits in `bytes`, extended as its type asks for.
std::int64_t load_integer(const unsigned char* bytes, std::uint32_t dtype) noexcept {
  return ColumnView(polycodec_column{bytes, 0, dtype, 0})[0];
}

const Type& element_of(const Type& t) {
  return t.is_dim() ? t.element() : any_type();
}

/// The document node for one element of a leaf; it views `bytes` or `time`.
polycodec_node element_node(const polycodec_array& a, const std::byte* data,
                            unsigned char (&bytes)[16], polycodec_time& time) {
  const std::uint32_t size = dtype_size(a.dtype);
  std::memset(bytes, 0, sizeof bytes);
  std::memcpy(bytes, data, size);
  if (!ArrayView(a).is_host_order()) {
    const std::uint32_t width = dtype_swap_width(a.dtype);
    for (std::uint32_t i = 0; i < size; i += width) std::reverse(bytes + i, bytes + i + width);
  }
  polycodec_node n = Builder::null();
  n.dtype = a.dtype;
  if (is_time(a.dtype)) {
    std::int64_t count = 0;
    std::memcpy(&count, bytes, sizeof count);
    const bool point = a.dtype == POLYCODEC_DTYPE_TIMESTAMP64;
    time = point ? split_count(count, a.unit) : polycodec_time{count, 0, a.unit};
    n.kind = point ? POLYCODEC_KIND_TIMESTAMP : POLYCODEC_KIND_DURATION;
    n.as.time = &time;
  } else if (size > 8 || is_complex(a.dtype)) {
    n.kind = POLYCODEC_KIND_WIDE;
    n.as.data = bytes;
  } else if (is_float(a.dtype)) {
    n.kind = POLYCODEC_KIND_FLOAT;
    if (size == 8) std::memcpy(&n.as.f64, bytes, 8);
    if (size == 4) std::memcpy(&n.as.f32, bytes, 4);
    if (size == 2) n.as.u64 = bytes[0] | static_cast<unsigned>(bytes[1]) << 8;
    if (size == 2 && host_byte_order == POLYCODEC_BIG_ENDIAN)
      n.as.u64 = bytes[1] | static_cast<unsigned>(bytes[0]) << 8;
  } else {
    n.kind = a.dtype == POLYCODEC_DTYPE_BOOLEAN ? POLYCODEC_KIND_BOOLEAN
             : is_signed_integer(a.dtype)       ? POLYCODEC_KIND_SIGNED
                                                : POLYCODEC_KIND_UNSIGNED;
    if (a.dtype == POLYCODEC_DTYPE_UINT64)
      std::memcpy(&n.as.u64, bytes, 8);
    else
      n.as.i64 = load_integer(bytes, a.dtype);
  }
  return n;
}

/// The type of an item of `a`, without what the attributes of `a` say.
const Type& own_type(const polycodec_array& a, const Type& t) noexcept {
  return a.metadata != nullptr && t.is(Kind::annotated) ? t.element() : t;
}

/// The type of a present item of an array of options or indices, with what the attributes of the
/// content say.
const Type& content_of(const polycodec_array& a, const Type& t) noexcept {
  const Type& own = own_type(a, t);
  return own.is(Kind::option) ? own.element() : own;
}

}  // namespace

void ArrayPrinter::element(const polycodec_array& a, const std::byte* data, const Type& t) {
  if (!bare(t).is(Kind::any)) return ElementPrinter(a).put(out_, data);
  if (!is_fixed(a.dtype)) {
    alignas(16) unsigned char bytes[16];
    polycodec_time time{};
    return printer_.any(element_node(a, data, bytes, time));
  }
  out_.put(R"({"$value": {"type": )");
  out_.put_quoted(type::print(type::element_type(a)));
  out_.put(", \"value\": ");
  ElementPrinter(a).put(out_, data);
  out_.put("}}");
}

void ArrayPrinter::elements(const polycodec_array& a, const std::byte* data, std::uint32_t axis,
                            std::uint64_t count, const Type& t) {
  const bool last = axis + 1 == a.ndim;
  const auto at_item = [&](std::uint64_t i) { return item_of(data, i, a.strides[axis]); };
  Bracket bracket(writer_, '[', ']', !last);
  if (last && !writer_.pretty() && !bare(t).is(Kind::any)) {
    constexpr std::uint64_t piece = 4096;
    ElementPrinter element(a);
    for (std::uint64_t i = 0; i < count; i += piece) {
      const std::uint64_t n = std::min(piece, count - i);
      if (i != 0) out_.put(", ");
      writer_.charge(8 * n);
      element.put_run(out_, at_item(i), n, a.strides[axis]);
      bracket.passed(i + n);
    }
    return bracket.end();
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    bracket.next();
    const std::byte* at = at_item(i);
    if (last)
      element(a, at, t);
    else
      elements(a, at, axis + 1, static_cast<std::uint64_t>(a.shape[axis + 1]), element_of(bare(t)));
  }
  bracket.end();
}

void refuse_endless(std::uint64_t count) {
  throw Error(Status::limit,
              std::to_string(count) + " items are more than can be printed (max_nodes)")
      .detail("text.limit");
}

void ArrayPrinter::bare_items(const polycodec_array& a, std::uint64_t begin, std::uint64_t end,
                              const Type& t) {
  if (a.layout == POLYCODEC_LAYOUT_NDARRAY && a.ndim > 0) {
    // Elements that share bytes, or have none, may be more than anybody can hold.
    std::uint64_t count = end - begin;
    for (std::uint32_t axis = 1; axis < a.ndim; ++axis)
      count *= static_cast<std::uint64_t>(a.shape[axis]);
    if (count > writer_.options().limits.max_nodes && count > a.buffer_size) refuse_endless(count);
    const std::byte* data = ArrayView(a).data();
    // No pointer arithmetic for an empty range: its strides mean nothing.
    if (begin < end) data = item_of(data, begin, a.strides[0]);
    return elements(a, data, 0, end - begin, t);
  }
  // An array may have more items than anybody can hold, such as one of repeated rows.
  if (end - begin > writer_.options().limits.max_nodes) refuse_endless(end - begin);
  Bracket bracket(writer_, '[', ']', writer_.pretty() && !is_flat(t));
  if (a.layout == POLYCODEC_LAYOUT_CHUNKED) {
    chunk_items(a, begin, end, t, bracket);
  } else {
    for (std::uint64_t i = begin; i < end; ++i) {
      bracket.next();
      bare_item(a, i, t);
    }
  }
  bracket.end();
}

void ArrayPrinter::items(const polycodec_array& a, std::uint64_t begin, std::uint64_t end,
                         const Type& t) {
  if (a.metadata == nullptr || !t.is(Kind::any)) return bare_items(a, begin, end, t);
  Bracket bracket(writer_, '[', ']', true);
  for (std::uint64_t i = begin; i < end; ++i) {
    bracket.next();
    annotated_item(a, i);
  }
  bracket.end();
}

void ArrayPrinter::item(const polycodec_array& a, std::uint64_t i, const Type& t) {
  if (a.metadata != nullptr && t.is(Kind::any)) return annotated_item(a, i);
  bare_item(a, i, t);
}

void ArrayPrinter::inner_item(const polycodec_array& a, std::uint64_t i, const Type& t) {
  const TextWriter::Layer layer(writer_);
  item(a, i, t);
}

void ArrayPrinter::annotated_item(const polycodec_array& a, std::uint64_t i) {
  const Type t = infer_item(a, writer_.options().limits);
  out_.put(R"({"$value": {"type": )");
  out_.put_quoted(type::print(t));
  out_.put(", \"value\": ");
  bare_item(a, i, t);
  out_.put("}}");
}

void ArrayPrinter::chunk_items(const polycodec_array& a, std::uint64_t begin, std::uint64_t end,
                               const Type& t, Bracket& bracket) {
  while (begin < end) {
    const std::size_t c = chunk_at(a, begin);
    const std::uint64_t start = positions(a)[c];
    const polycodec_array& chunk = *a.children[c];
    for (; begin < end && begin - start < chunk.length; ++begin) {
      bracket.next();
      item(chunk, begin - start, own_type(a, t));
    }
  }
}

std::size_t ArrayPrinter::chunk_at(const polycodec_array& a, std::uint64_t i) {
  if (i >= a.length) throw Error(Status::invalid, "a chunked array is shorter than it says");
  // Of empty chunks that start at one place, the last is followed by the one that has the item.
  const auto& starts = positions(a);
  return static_cast<std::size_t>(std::ranges::upper_bound(starts, i) - starts.begin()) - 1;
}

void ArrayPrinter::row(const polycodec_array& a, std::uint64_t i, const Type& type) {
  const Type& t = bare(type);
  const auto column_type = [&t](std::uint32_t c) -> const Type& {
    if (t.is(Kind::map)) return t.items()[1];
    return (t.is(Kind::record) || t.is(Kind::tuple)) && c < t.items().size() ? t.items()[c]
                                                                             : any_type();
  };
  if (a.names == nullptr) {
    out_.put(R"({"$tuple": )");
    Bracket bracket(writer_, '[', ']', false);
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
  for (std::uint32_t c = 0; flat && writer_.pretty() && c < a.n_children; ++c)
    flat = is_flat(column_type(c));
  Bracket bracket(writer_, as_map ? '[' : '{', as_map ? ']' : '}', !flat);
  for (std::uint32_t c = 0; c < a.n_children; ++c) {
    bracket.next();
    if (as_map) {
      out_.put('[');
      put_text(out_, to_string_view(a.names[c]));
      out_.put(", ");
    } else {
      writer_.key(to_string_view(a.names[c]));
    }
    item(*a.children[c], i, column_type(c));
    if (as_map) out_.put(']');
  }
  bracket.end();
  if (as_map) out_.put('}');
}

const std::vector<std::uint64_t>& ArrayPrinter::positions(const polycodec_array& a) {
  const auto [at, fresh] = positions_.try_emplace(&a);
  std::vector<std::uint64_t>& found = at->second;
  if (!fresh) return found;
  writer_.charge(a.layout == POLYCODEC_LAYOUT_CHUNKED ? a.n_children : a.length);
  if (a.layout == POLYCODEC_LAYOUT_CHUNKED) {
    std::uint64_t start = 0;
    for (std::uint32_t c = 0; c < a.n_children; start += a.children[c++]->length)
      found.push_back(start);
    return found;
  }
  const ColumnView tags(a.tags);
  std::vector<std::uint64_t> counts(a.n_children);
  for (std::uint64_t i = 0; i < a.length; ++i)
    found.push_back(counts[static_cast<std::size_t>(tags[i])]++);
  return found;
}

void ArrayPrinter::union_item(const polycodec_array& a, std::uint64_t i, const Type& t) {
  const std::int64_t tag = ColumnView(a.tags)[i];
  out_.put(R"({"$union": )");
  Bracket bracket(writer_, '[', ']', false);
  bracket.hide();
  bracket.next();
  out_.put_with([&](char* p) { return write_signed(p, tag); });
  bracket.next();
  const auto alternative = static_cast<std::size_t>(tag);
  const std::uint64_t index = a.index.data != nullptr
                                  ? static_cast<std::uint64_t>(ColumnView(a.index)[i])
                                  : positions(a)[static_cast<std::size_t>(i)];
  item(*a.children[alternative], index,
       t.is(Kind::union_type) ? t.items()[alternative] : any_type());
  bracket.end();
  out_.put('}');
}

void ArrayPrinter::bare_item(const polycodec_array& a, std::uint64_t i, const Type& type) {
  const ArrayView view(a);
  const Type& t = bare(type);
  switch (view.layout()) {
    case POLYCODEC_LAYOUT_NDARRAY: {
      if (a.ndim == 0) return element(a, view.data(), t);
      const std::byte* at = item_of(view.data(), i, a.strides[0]);
      if (a.ndim == 1) return element(a, at, t);
      return elements(a, at, 1, static_cast<std::uint64_t>(a.shape[1]), element_of(t));
    }
    case POLYCODEC_LAYOUT_LIST_OFFSETS:
    case POLYCODEC_LAYOUT_LIST_VIEW:
    case POLYCODEC_LAYOUT_LIST_FIXED: {
      if (view.is_string() || view.is_binary()) {
        const std::string_view text = view.text(i);
        writer_.charge(0, text.size());
        return view.is_string() ? put_text(out_, text) : put_bytes(out_, text.data(), text.size());
      }
      const auto range = view.range(i);
      return items(*a.children[0], range.begin, range.end, element_of(t));
    }
    case POLYCODEC_LAYOUT_RECORD:
      return row(a, i, t);
    case POLYCODEC_LAYOUT_UNION:
      return union_item(a, i, t);
    case POLYCODEC_LAYOUT_OPTION_BYTES:
    case POLYCODEC_LAYOUT_OPTION_BITS:
      if (!view.is_present(i)) return out_.put("null");
      return inner_item(*a.children[0], i, content_of(a, type));
    case POLYCODEC_LAYOUT_INDEXED: {
      if (!view.is_present(i)) return out_.put("null");
      return inner_item(*a.children[0], static_cast<std::uint64_t>(view.index()[i]),
                        content_of(a, type));
    }
    case POLYCODEC_LAYOUT_CHUNKED: {
      const std::size_t c = chunk_at(a, i);
      return inner_item(*a.children[c], i - positions(a)[c], own_type(a, type));
    }
    case POLYCODEC_LAYOUT_DOCUMENT:
      return printer_.node(a.nodes[i], t);
    default:
      throw Error(Status::invalid, "an array of unknown form " + std::to_string(a.layout));
  }
}

}  // namespace polycodec::text
