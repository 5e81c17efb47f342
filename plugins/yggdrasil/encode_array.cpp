// SPDX-License-Identifier: MIT
// Columnar arrays: numbers and fixed strings as one leaf, all others item by item as nested JSON.
#include <polycodec/dtype.hpp>

#include "encode.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>
#include <vector>

namespace polycodec::yggdrasil {
namespace {

// The leaf of the elements of an innermost axis.
polycodec_array array_of(const Elements& run, const std::int64_t& count,
                         const std::int64_t& stride) noexcept {
  polycodec_array leaf{};
  leaf.struct_size = sizeof leaf;
  leaf.layout = POLYCODEC_LAYOUT_NDARRAY;
  leaf.dtype = static_cast<std::uint8_t>(run.dtype);
  leaf.byte_order = run.byte_order;
  leaf.length = run.count;
  leaf.data = run.data;
  leaf.ndim = 1;
  leaf.item_size = run.item_size;
  leaf.shape = &count;
  leaf.strides = &stride;
  return leaf;
}

}  // namespace

void Encoder::array(const polycodec_array& array, const polycodec_node* attributes,
                    std::uint64_t depth) {
  if (attributes == nullptr) attributes = array.metadata;
  if (array.layout == POLYCODEC_LAYOUT_NDARRAY && array.ndim == 0)
    return item_scalar(View(array), attributes);
  if (array.layout == POLYCODEC_LAYOUT_NDARRAY && has_subtype(array.dtype))
    return leaf(array, attributes, nullptr, false);
  if (array.layout == POLYCODEC_LAYOUT_NDARRAY && is_own_dtype(array.dtype))
    return own_array(array, attributes);
  if (array.layout == POLYCODEC_LAYOUT_RECORD) {
    const polycodec_node node = Builder::array(&array);
    if (geometry(node, attributes)) return;
    if (is_table(array)) {
      lose_attributes(attributes);
      check_depth(depth + 2);
      return table(array);
    }
  }
  lose_attributes(attributes);
  lose_attributes_within(array);
  item(View(array), depth);
}

void Encoder::leaf(const polycodec_array& array, const polycodec_node* attributes,
                   const std::string_view* title, bool first) {
  const Words given = words(attributes);
  Words used;
  LeafHead head{.type = TypeWord::ndarray,
                .subtype = subtype_of(array.dtype),
                .has_precision = true,
                .precision = array.item_size,
                .has_shape = true,
                .shape = ArrayView(array).shape()};
  if (given.type == "1darray" && array.ndim == 1) {
    head.type = TypeWord::array1d;
    used.type = given.type;
  }
  if (is_fixed(array.dtype) && array.dtype != POLYCODEC_DTYPE_FIXED_BYTES) {
    const Encoding wanted = encoding_from(given.encoding);
    head.encoding = array.dtype == POLYCODEC_DTYPE_FIXED_UTF8    ? Encoding::utf8
                    : array.dtype == POLYCODEC_DTYPE_FIXED_UTF16 ? Encoding::utf16
                                                                 : Encoding::ucs4;
    const bool same = (array.dtype == POLYCODEC_DTYPE_FIXED_UTF8 && wanted == Encoding::ascii) ||
                      (array.dtype == POLYCODEC_DTYPE_FIXED_UTF32 && wanted == Encoding::utf32) ||
                      wanted == head.encoding;
    if (same) {
      head.encoding = wanted;
      used.encoding = given.encoding;
    }
    if (given.subtype == "unicode" && head.encoding == Encoding::ucs4) {
      head.subtype = Subtype::unicode;
      head.encoding = Encoding::none;
      used.subtype = given.subtype;
    }
  } else if (is_fixed(array.dtype) && given.subtype == "bytes") {
    head.subtype = Subtype::bytes;
    used.subtype = given.subtype;
  }
  if (title != nullptr) {
    head.has_title = true;
    head.title = *title;
    head.table = first;
  }
  open(head, attributes, used);
  elements(array);
  close();
}

// The elements in C order and little-endian.
void Encoder::elements(const polycodec_array& array) {
  Base64Out data(call_, out_, settings_.dialect == Dialect::legacy);
  const ArrayView view(array);
  const std::size_t size = array.item_size;
  const std::uint32_t width = dtype_swap_width(array.dtype);
  const std::size_t swap = array.byte_order == POLYCODEC_LITTLE_ENDIAN ? 1 : width;
  if (size == 0 || without_data_ || view.element_count() == 0) return;
  if (swap == 1 && view.is_contiguous()) {
    data.put(array.data, contiguous_size(view));
    return data.finish();
  }
  constexpr std::size_t room = 24576;
  const std::size_t step = std::max<std::size_t>(room / size, 1);
  std::vector<std::byte> piece(step * size);
  const auto gather = detail::gather_for(size, swap);
  for_each_run(view, [&](const std::byte* from, std::uint64_t count, std::int64_t stride) {
    if (swap == 1 && stride == static_cast<std::int64_t>(size)) return data.put(from, count * size);
    while (count != 0) {
      const std::uint64_t n = std::min<std::uint64_t>(count, step);
      if (gather != nullptr) {
        gather(piece.data(), from, n, stride);
      } else {
        detail::gather_any(piece.data(), from, n, stride, size, swap);
      }
      data.put(piece.data(), n * size);
      from += static_cast<std::int64_t>(n) * stride;
      call_.tick(n);
      count -= n;
    }
  });
  data.finish();
}

// True if all columns are leaves of the format of one dimension: then they are written whole, as
// data frames are.
bool Encoder::is_table(const polycodec_array& record) const {
  if (record.names == nullptr || record.n_children == 0) return false;
  std::unordered_set<std::string_view> titles;
  for (std::uint32_t i = 0; i < record.n_children; ++i) {
    const polycodec_array& column = *record.children[i];
    if (column.layout != POLYCODEC_LAYOUT_NDARRAY || column.ndim != 1 || !has_subtype(column.dtype))
      return false;
    if (!titles.insert(to_string_view(record.names[i])).second) return false;
    if (column.metadata != nullptr && NodeView(column.metadata).find("title")) return false;
  }
  return true;
}

void Encoder::table(const polycodec_array& record) {
  out_.put_u8('[');
  for (std::uint32_t i = 0; i < record.n_children; ++i) {
    if (i != 0) out_.put_u8(',');
    // A column may be longer than the record.
    polycodec_array column = *record.children[i];
    std::int64_t length = static_cast<std::int64_t>(record.length);
    column.length = record.length;
    column.shape = &length;
    const std::string_view title = to_string_view(record.names[i]);
    leaf(column, column.metadata, &title, i == 0);
  }
  out_.put_u8(']');
}

void Encoder::item(const View& item, std::uint64_t depth) {
  if (const polycodec_node* const node = item.node()) {
    if (const polycodec_node* const attributes = item.metadata(); attributes != nullptr)
      return other(*node, attributes, depth);
    return loop(node, depth);
  }
  switch (item.kind()) {
    case POLYCODEC_KIND_LIST:
    case POLYCODEC_KIND_TUPLE: {
      check_depth(depth + 1);
      if (const auto run = item.elements(); run && run->count != 0 && has_subtype(run->dtype)) {
        const auto count = static_cast<std::int64_t>(run->count);
        const polycodec_array leaf_array = array_of(*run, count, run->stride);
        return leaf(leaf_array, nullptr, nullptr, false);
      }
      if (const auto run = item.elements(); run && run->count != 0 && is_own_dtype(run->dtype)) {
        const auto count = static_cast<std::int64_t>(run->count);
        polycodec_array leaf_array = array_of(*run, count, run->stride);
        if (run->dtype >= POLYCODEC_DTYPE_TIMESTAMP64)
          leaf_array.unit = item.child(0).as_time().unit;
        return own_array(leaf_array, nullptr);
      }
      out_.put_u8('[');
      for (std::uint64_t i = 0; i < item.size(); ++i) {
        if (i != 0) out_.put_u8(',');
        this->item(item.child(i), depth + 1);
        if ((i & 65535) == 0) call_.tick(std::min<std::uint64_t>(65536, item.size() - i) * 4);
      }
      return out_.put_u8(']');
    }
    case POLYCODEC_KIND_OBJECT: {
      check_depth(depth + 1);
      out_.put_u8('{');
      for (std::uint64_t i = 0; i < item.size(); ++i) {
        if (i != 0) out_.put_u8(',');
        string(item.name(i), true);
        this->item(item.child(i), depth + 1);
      }
      return out_.put_u8('}');
    }
    case POLYCODEC_KIND_UNION:
      refuse_foreign("a member of a union");
      check_depth(depth + 1);
      out_.put_u8('[');
      own_marker(OwnKind::member, ",\"tag\":" + std::to_string(item.tag()));
      out_.put_u8(',');
      this->item(item.child(), depth + 1);
      return out_.put_u8(']');
    default:
      return item_scalar(item, nullptr);
  }
}

// A single item that is not a node: an element of a leaf, or a text of a list.
void Encoder::item_scalar(const View& item, const polycodec_node* attributes) {
  std::string scratch;
  switch (item.kind()) {
    case POLYCODEC_KIND_NULL:
      return out_.put_text("null");
    case POLYCODEC_KIND_BOOLEAN:
      return out_.put_text(item.as_bool() ? "true" : "false");
    case POLYCODEC_KIND_STRING:
      return text(item.as_string(scratch), false, attributes);
    case POLYCODEC_KIND_BINARY:
      return bytes_leaf(item.as_bytes(), attributes);
    case POLYCODEC_KIND_TIMESTAMP:
    case POLYCODEC_KIND_DURATION:
      return own_time(item.as_time(), item.kind() == POLYCODEC_KIND_TIMESTAMP, attributes);
    default:
      break;
  }
  const std::uint32_t dtype = item.dtype();
  std::byte bits[16] = {};
  const std::uint32_t size = item.copy_bits(bits);
  const std::uint32_t width = dtype_swap_width(dtype);
  polycodec_node node = Builder::null();
  if (item.kind() == POLYCODEC_KIND_SIGNED)
    node = Builder::integer(item.as_int64(), static_cast<std::uint8_t>(dtype));
  if (item.kind() == POLYCODEC_KIND_UNSIGNED)
    node = Builder::unsigned_integer(item.as_uint64(), static_cast<std::uint8_t>(dtype));
  if (dtype == POLYCODEC_DTYPE_FLOAT64) node = Builder::real(item.as_double());
  // A whole array without dimensions is a scalar of the format; an element of a longer one is any
  // number.
  if (node.kind != POLYCODEC_KIND_NULL && item.array() == nullptr)
    return other(node, attributes, 0);
  if constexpr (host_byte_order != POLYCODEC_LITTLE_ENDIAN)
    swap_copy(bits, bits, size / width, width);
  static_cast<void>(size), static_cast<void>(width);
  if (is_own_dtype(dtype)) {
    if (item.kind() == POLYCODEC_KIND_WIDE && attributes == nullptr) {
      polycodec_node wide =
          polycodec_node_make(POLYCODEC_KIND_WIDE, static_cast<std::uint8_t>(dtype), 0);
      std::byte host[16] = {};
      item.copy_bits(host);
      wide.as.data = host;
      return other(wide, nullptr, 0);
    }
    return own_scalar(dtype, bits, size, attributes);
  }
  scalar(dtype, bits, attributes);
}

std::uint64_t Encoder::size_of(const Settings& settings, const Call& call, NodeView value) {
  if (!value.is_array() || settings.dialect == Dialect::legacy) return POLYCODEC_SIZE_UNKNOWN;
  const polycodec_array& array = value.as_array();
  if (array.layout != POLYCODEC_LAYOUT_NDARRAY || array.ndim == 0 || !has_subtype(array.dtype))
    return POLYCODEC_SIZE_UNKNOWN;
  MemorySink sink(UINT64_MAX);
  Writer writer(sink.abi());
  Encoder encoder(settings, call, writer);
  encoder.without_data_ = true;
  Losses losses;  // encoding says what is lost
  encoder.gathering_ = &losses;
  const auto attributes = value.metadata();
  encoder.leaf(array, attributes ? attributes->node() : array.metadata, nullptr, false);
  writer.flush();
  const std::uint64_t bytes = contiguous_size(value.as_array());
  return sink.text().size() + bytes / 3 * 4 + (bytes % 3 != 0 ? 4 : 0);
}

}  // namespace polycodec::yggdrasil
