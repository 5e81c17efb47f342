// SPDX-License-Identifier: MIT
#include <base/seeded_hash.hpp>
#include <polycodec/checked.hpp>
#include <polycodec/quote.hpp>
#include <polycodec/utf.hpp>

#include "ndarray.hpp"

#include <charconv>
#include <cstring>
#include <vector>

namespace polycodec::msgpack_ndarray {
namespace {

/// A field of a row, or a whole row.
struct Field {
  std::string_view name;
  NumpyType type;             // if it has no fields
  std::vector<Field> fields;  // of a structured one
  Shape inner;
  std::uint64_t offset = 0;     // in its row
  std::uint64_t item_size = 0;  // bytes, without the shape
  bool padding = false;
};

std::uint64_t checked_row(std::uint64_t offset, std::uint64_t size) {
  std::uint64_t end = 0;
  if (!checked_add(offset, size, end) || end > INT32_MAX)
    refuse_numpy("the rows of a structured array exceed 2^31 - 1 bytes", "ndarray.size_overflow");
  return end;
}

// The bytes of `|V4`, which stands for what alignment leaves between fields.
std::optional<std::uint32_t> padding_size(std::string_view name, std::string_view type) {
  if (!name.empty() || !type.starts_with("|V")) return std::nullopt;
  std::uint32_t size = 0;
  const auto [end, error] = std::from_chars(type.data() + 2, type.data() + type.size(), size);
  return error == std::errc{} && end == type.data() + type.size() ? std::optional(size)
                                                                  : std::nullopt;
}

// The depth is that of the document, which the decoder has bounded.
void read_fields(Field& row, NodeView list) {
  if (list.size() == 0)
    refuse_numpy("a structured type is not a list of fields", "ndarray.bad_typestr");
  SeededSet<std::string_view> names;
  for (const polycodec_node& entry_node : list.items()) {
    const NodeView entry(&entry_node);
    if (!entry.is_list() || entry.size() < 2 || entry.size() > 3)
      refuse_numpy("a field of a structured type is not [name, type] or [name, type, shape]",
                   "ndarray.bad_typestr");
    const auto name = text_of(entry[0]);
    if (!name) refuse_numpy("the name of a field is not a string", "ndarray.bad_typestr");
    if (validate_utf8(reinterpret_cast<const std::uint8_t*>(name->data()), name->size()) !=
        utf8_npos)
      refuse_numpy("the name of a field is not UTF-8", "ndarray.bad_typestr");
    Field field;
    field.name = *name;
    field.offset = row.item_size;
    if (entry.size() == 3) field.inner = read_shape(entry[2]);
    const auto word = text_of(entry[1]);
    if (!word && !entry[1].is_list())
      refuse_numpy("the type of a field is neither a string nor a list of fields",
                   "ndarray.bad_typestr");
    if (!word) {
      read_fields(field, entry[1]);
    } else if (const auto size = padding_size(*name, *word)) {
      field.padding = true;
      field.item_size = *size;
    } else {
      field.type = parse_numpy_type(*word);
      field.item_size = field.type.item_size;
    }
    if (!field.padding && !names.insert(field.name).second)
      refuse_numpy("two fields are called " + quote(field.name), "ndarray.bad_typestr");
    row.item_size = checked_row(
        row.item_size,
        checked_byte_size(field.inner.span(), static_cast<std::uint32_t>(field.item_size)));
    row.fields.push_back(std::move(field));
  }
  if (names.empty()) refuse_numpy("a structured type has no fields", "ndarray.bad_typestr");
}

/// Rows in memory: the first one, and how far they are apart.
struct Rows {
  std::string_view buffer;
  const char* first;
  std::uint64_t count;
  std::uint64_t stride;
};

// An array of fixed lists for every extent but the first.
polycodec_array* in_lists(polycodec_array* items, std::span<const std::int64_t> extents,
                          Builder& out) {
  for (std::size_t axis = extents.size(); axis-- > 1;) {
    std::uint64_t length = 1;
    for (const std::int64_t extent : extents.first(axis))
      length *= static_cast<std::uint64_t>(extent);
    const polycodec_array* const child[] = {items};
    items = out.with_children(POLYCODEC_LAYOUT_LIST_FIXED, length, child);
    items->list_size = static_cast<std::uint64_t>(extents[axis]);
  }
  return items;
}

polycodec_array* record_of(const Field& row, const Rows& rows, Builder& out);

polycodec_array* column_of(const Field& field, const Rows& rows, Builder& out) {
  const char* const first = rows.count == 0 ? rows.first : rows.first + field.offset;
  std::vector<std::int64_t> extents{static_cast<std::int64_t>(rows.count)};
  extents.insert(extents.end(), field.inner.span().begin(), field.inner.span().end());
  if (field.fields.empty())
    return numpy_leaf(field.type, rows.buffer, first, extents,
                      static_cast<std::int64_t>(rows.stride), out);
  if (field.inner.ndim == 0)
    return record_of(field, {rows.buffer, first, rows.count, rows.stride}, out);
  // Records in a shape in rows have no one distance: they are put together.
  std::uint64_t each = 1;
  for (const std::int64_t extent : field.inner.span()) each *= static_cast<std::uint64_t>(extent);
  const std::uint64_t width = each * field.item_size;
  auto* const copy = out.allocate<char>(rows.count * width);
  for (std::uint64_t i = 0; i < rows.count && width != 0; ++i)
    std::memcpy(copy + i * width, first + i * rows.stride, width);
  const Rows inner{to_string_view(copy, rows.count * width), copy, rows.count * each,
                   field.item_size};
  return in_lists(record_of(field, inner, out), extents, out);
}

polycodec_array* record_of(const Field& row, const Rows& rows, Builder& out) {
  std::vector<std::string_view> names;
  std::vector<const polycodec_array*> columns;
  for (const Field& field : row.fields) {
    if (field.padding) continue;
    names.push_back(field.name);
    columns.push_back(column_of(field, rows, out));
  }
  return out.record(rows.count, names, columns);
}

}  // namespace

polycodec_node structured_array(NodeView type, const Shape& shape, NodeView data, Builder& out) {
  if (!type.is_list())
    refuse_numpy("a structured type is not a list of fields", "ndarray.bad_typestr");
  if (shape.ndim == 0)
    refuse_numpy("a structured array of no dimensions", "ndarray.unsupported_type",
                 Status::unsupported);
  Field row;
  read_fields(row, type);
  const auto bytes =
      read_data(data, checked_byte_size(shape.span(), static_cast<std::uint32_t>(row.item_size)));
  std::uint64_t count = 1;
  for (const std::int64_t extent : shape.span()) count *= static_cast<std::uint64_t>(extent);
  return Builder::array(in_lists(record_of(row, {bytes, bytes.data(), count, row.item_size}, out),
                                 shape.span(), out));
}

}  // namespace polycodec::msgpack_ndarray
