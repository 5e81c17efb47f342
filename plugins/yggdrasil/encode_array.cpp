// SPDX-License-Identifier: MIT
// Columnar arrays.
#include <base/seeded_hash.hpp>
#include <base/swap_copy.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/dtype.hpp>

#include "encode.hpp"

#include <algorithm>

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

// True if all columns are leaves of the format of one dimension: then they are written whole, as
// data frames are.
bool is_table(const polycodec_array& record) {
  if (record.names == nullptr || record.n_children == 0) return false;
  SeededSet<std::string_view> titles;
  for (std::uint32_t i = 0; i < record.n_children; ++i) {
    const polycodec_array& column = *record.children[i];
    if (column.layout != POLYCODEC_LAYOUT_NDARRAY || column.ndim != 1 || !has_subtype(column.dtype))
      return false;
    if (!titles.insert(to_string_view(record.names[i])).second) return false;
    if (column.metadata != nullptr && NodeView(column.metadata).find("title")) return false;
  }
  return true;
}

}  // namespace

void ArrayWriter::array(const polycodec_array& array, const polycodec_node* attributes,
                        std::uint64_t depth) {
  if (attributes == nullptr) attributes = array.metadata;
  if (array.layout == POLYCODEC_LAYOUT_NDARRAY && array.ndim == 0)
    return scalar(View(array), attributes);
  if (array.layout == POLYCODEC_LAYOUT_NDARRAY && has_subtype(array.dtype))
    return leaves_.array(array, attributes);
  if (array.layout == POLYCODEC_LAYOUT_NDARRAY && is_own_dtype(array.dtype))
    return put_own_array(state_, leaves_, array, attributes);
  if (array.layout == POLYCODEC_LAYOUT_RECORD) {
    const polycodec_node node = Builder::array(&array);
    if (put_geometry(state_, leaves_, node, attributes)) return;
    if (is_table(array)) {
      state_.lose_attributes(attributes);
      state_.check_depth(depth + 2);
      return table(array);
    }
  }
  state_.lose_attributes(attributes);
  state_.lose_attributes_within(array);
  item(View(array), depth);
}

void ArrayWriter::table(const polycodec_array& record) {
  state_.out.put_u8('[');
  for (std::uint32_t i = 0; i < record.n_children; ++i) {
    if (i != 0) state_.out.put_u8(',');
    // A column may be longer than the record.
    polycodec_array column = *record.children[i];
    std::int64_t length = static_cast<std::int64_t>(record.length);
    column.length = record.length;
    column.shape = &length;
    const std::string_view title = to_string_view(record.names[i]);
    leaves_.array(column, column.metadata, &title, i == 0);
  }
  state_.out.put_u8(']');
}

void ArrayWriter::item(const View& item, std::uint64_t depth) {
  if (const polycodec_node* const node = item.node()) {
    if (const polycodec_node* const attributes = item.metadata(); attributes != nullptr)
      return encoder_.other(*node, attributes, depth);
    return encoder_.node(node, depth);
  }
  switch (item.kind()) {
    case POLYCODEC_KIND_LIST:
    case POLYCODEC_KIND_TUPLE: {
      state_.check_depth(depth + 1);
      const auto run = item.elements();
      const bool own = run && is_own_dtype(run->dtype);
      if (run && run->count != 0 && (own || has_subtype(run->dtype))) {
        const auto count = static_cast<std::int64_t>(run->count);
        polycodec_array leaf_array = array_of(*run, count, run->stride);
        if (!own) return leaves_.array(leaf_array, nullptr);
        if (run->dtype >= POLYCODEC_DTYPE_TIMESTAMP64)
          leaf_array.unit = item.child(0).as_time().unit;
        return put_own_array(state_, leaves_, leaf_array, nullptr);
      }
      state_.out.put_u8('[');
      for (std::uint64_t i = 0; i < item.size(); ++i) {
        if (i != 0) state_.out.put_u8(',');
        this->item(item.child(i), depth + 1);
        if ((i & 65535) == 0) state_.call.tick(std::min<std::uint64_t>(65536, item.size() - i) * 4);
      }
      return state_.out.put_u8(']');
    }
    case POLYCODEC_KIND_OBJECT: {
      state_.check_depth(depth + 1);
      state_.out.put_u8('{');
      for (std::uint64_t i = 0; i < item.size(); ++i) {
        if (i != 0) state_.out.put_u8(',');
        put_string(state_.out, state_.settings, item.name(i), true);
        this->item(item.child(i), depth + 1);
      }
      return state_.out.put_u8('}');
    }
    case POLYCODEC_KIND_UNION:
      state_.refuse_foreign("a member of a union");
      state_.check_depth(depth + 1);
      state_.out.put_u8('[');
      leaves_.own_marker(OwnKind::member, ",\"tag\":" + std::to_string(item.tag()));
      state_.out.put_u8(',');
      this->item(item.child(), depth + 1);
      return state_.out.put_u8(']');
    default:
      return scalar(item, nullptr);
  }
}

// A single item that is not a node: an element of a leaf, or a text of a list.
void ArrayWriter::scalar(const View& item, const polycodec_node* attributes) {
  std::string scratch;
  switch (item.kind()) {
    case POLYCODEC_KIND_NULL:
      return state_.out.put_text("null");
    case POLYCODEC_KIND_BOOLEAN:
      return state_.out.put_text(item.as_bool() ? "true" : "false");
    case POLYCODEC_KIND_STRING:
      return encoder_.text(item.as_string(scratch), false, attributes);
    case POLYCODEC_KIND_BINARY:
      return leaves_.bytes(item.as_bytes(), attributes);
    case POLYCODEC_KIND_TIMESTAMP:
    case POLYCODEC_KIND_DURATION:
      return put_own_time(state_, leaves_, item.as_time(), item.kind() == POLYCODEC_KIND_TIMESTAMP,
                          attributes);
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
    return encoder_.other(node, attributes, 0);
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
      return encoder_.other(wide, nullptr, 0);
    }
    return put_own_scalar(state_, leaves_, dtype, bits, size, attributes);
  }
  leaves_.scalar(dtype, bits, attributes);
}

}  // namespace polycodec::yggdrasil
