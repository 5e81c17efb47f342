// SPDX-License-Identifier: MIT
#include "numpy_maps.hpp"

#include <polycodec/byte_order.hpp>
#include <polycodec/checked.hpp>
#include <polycodec/view.hpp>

#include "ndarray.hpp"

#include <array>
#include <charconv>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::msgpack_ndarray {
namespace {

[[noreturn]] void refuse(std::string message, const char* detail = "numpy.bad_map",
                         Status status = Status::malformed) {
  throw Error(status, std::move(message)).detail(detail);
}

// Text that came as str or, from Python bytes, as bin.
std::optional<std::string_view> text_of(View v) {
  if (v.kind() != POLYCODEC_STRING && v.kind() != POLYCODEC_BINARY) return std::nullopt;
  const auto bytes = v.as_bytes();
  return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

/// The members of a map that may be one of the forms. All other keys disqualify it.
struct Form {
  std::optional<View> nd, type, kind, shape, data, complex, ndarray, generic, dtype;
};

std::optional<Form> read_form(const polycodec_node& map) {
  const View view(&map);
  if (view.size() < 2 || view.size() > 5) return std::nullopt;
  Form form;
  for (std::uint64_t i = 0; i < view.size(); ++i) {
    const auto key = text_of(view.key(i));
    if (!key) return std::nullopt;
    std::optional<View>* slot = *key == "nd"              ? &form.nd
                                : *key == "type"          ? &form.type
                                : *key == "kind"          ? &form.kind
                                : *key == "shape"         ? &form.shape
                                : *key == "data"          ? &form.data
                                : *key == "complex"       ? &form.complex
                                : *key == "__ndarray__"   ? &form.ndarray
                                : *key == "__npgeneric__" ? &form.generic
                                : *key == "dtype"         ? &form.dtype
                                                          : nullptr;
    if (slot == nullptr || slot->has_value()) return std::nullopt;
    *slot = view.value(i);
  }
  return form;
}

bool is_flag(const std::optional<View>& v, bool wanted) {
  return v && v->kind() == POLYCODEC_BOOLEAN && v->as_bool() == wanted;
}

/// Shape of an array: a list of integers.
struct Shape {
  std::array<std::int64_t, POLYCODEC_MAX_NDIM> extents;
  std::size_t ndim = 0;
  std::span<const std::int64_t> span() const noexcept { return {extents.data(), ndim}; }
};

Shape read_shape(View list) {
  Shape shape;
  if (!list.is_list()) refuse("the shape is not an array", "ndarray.bad_shape");
  if (list.size() > POLYCODEC_MAX_NDIM) refuse("more than 64 dimensions", "ndarray.too_many_dims", Status::limit);
  for (const polycodec_node& extent : list.items()) {
    if (extent.kind != POLYCODEC_SIGNED || extent.as.i64 < 0)
      refuse("an extent of the shape is not an integer from 0 to 2^63 - 1", "ndarray.bad_shape");
    shape.extents[shape.ndim++] = extent.as.i64;
  }
  return shape;
}

std::span<const std::byte> read_data(View data, std::uint64_t size) {
  if (data.kind() != POLYCODEC_BINARY && data.kind() != POLYCODEC_STRING)
    refuse("the data is not bin", "ndarray.bad_data");
  const auto bytes = data.as_bytes();
  if (bytes.size() != size)
    refuse("shape and type ask for " + std::to_string(size) + " bytes, data has " + std::to_string(bytes.size()),
           "ndarray.size_mismatch");
  return bytes;
}

ElementType read_type(View type) {
  const auto text = text_of(type);
  if (!text) refuse("the element type is not a string", "ndarray.bad_typestr");
  return parse_typestr(*text);
}

polycodec_node simple_array(View type, const Shape& shape, View data, Builder& out) {
  const ElementType element = read_type(type);
  const auto bytes = read_data(data, checked_byte_size(shape.span(), element.item_size));
  if (element.dtype == POLYCODEC_BOOL) check_booleans(bytes);
  return Builder::array(out.ndarray(bytes, element.dtype, element.item_size, shape.span(), element.byte_order));
}

/// A field of a structured type.
struct Field {
  std::string_view name;
  ElementType element;
  Shape inner;
  std::uint64_t offset;
};

Field read_field(View entry, std::uint64_t offset) {
  if ((!entry.is_list() && entry.kind() != POLYCODEC_TUPLE) || entry.size() < 2 || entry.size() > 3)
    refuse("a field of a structured type is not [name, type] or [name, type, shape]", "ndarray.bad_typestr");
  const auto name = text_of(entry[0]);
  if (!name) refuse("the name of a field is not a string", "ndarray.bad_typestr");
  if (!text_of(entry[1]))
    refuse("a field of a structured type is structured itself", "ndarray.unsupported_type", Status::unsupported);
  Field field{*name, read_type(entry[1]), {}, offset};
  if (entry.size() == 3) field.inner = read_shape(entry[2]);
  return field;
}

// Rows of a structured array are views: each field is a strided column of the rows.
polycodec_node structured_array(View type, const Shape& shape, View data, Builder& out) {
  if (!type.is_list() || type.size() == 0) refuse("a structured type is not a list of fields", "ndarray.bad_typestr");
  if (shape.ndim != 1)
    refuse("a structured array of " + std::to_string(shape.ndim) + " dimensions", "ndarray.unsupported_type",
           Status::unsupported);
  std::vector<Field> fields;
  std::uint64_t row = 0;
  for (std::uint64_t i = 0; i < type.size(); ++i) {
    fields.push_back(read_field(type[i], row));
    const std::uint64_t size = checked_byte_size(fields.back().inner.span(), fields.back().element.item_size);
    if (!checked_add(row, size, row) || row > INT32_MAX)
      refuse("the rows of a structured array exceed 2^31 - 1 bytes", "ndarray.size_overflow");
  }
  const auto bytes = read_data(data, checked_byte_size(shape.span(), static_cast<std::uint32_t>(row)));
  std::vector<std::string_view> names;
  std::vector<const polycodec_array*> columns;
  for (const Field& field : fields) {
    std::vector<std::int64_t> extents{shape.extents[0]};
    extents.insert(extents.end(), field.inner.span().begin(), field.inner.span().end());
    polycodec_array* column =
        out.ndarray(bytes, field.element.dtype, field.element.item_size, extents, field.element.byte_order);
    column->data = bytes.empty() ? bytes.data() : bytes.data() + field.offset;
    *const_cast<std::int64_t*>(column->strides) = static_cast<std::int64_t>(row);
    if (field.element.dtype == POLYCODEC_BOOL) {
      const std::uint64_t width = checked_byte_size(field.inner.span(), 1);
      for (std::uint64_t at = field.offset; at < bytes.size(); at += row) check_booleans(bytes.subspan(at, width));
    }
    names.push_back(field.name);
    columns.push_back(column);
  }
  return Builder::array(out.record(static_cast<std::uint64_t>(shape.extents[0]), names, columns));
}

polycodec_node scalar(View type, View data, Builder& out) {
  const ElementType element = read_type(type);
  const auto bytes = read_data(data, element.item_size);
  const auto order = element.byte_order == POLYCODEC_BIG_ENDIAN ? std::endian::big : std::endian::little;
  const void* p = bytes.data();
  switch (element.dtype) {
    case POLYCODEC_BOOL:
      check_booleans(bytes);
      return Builder::boolean(bytes[0] != std::byte{0});
    case POLYCODEC_INT8:
      return Builder::integer(load<std::int8_t>(p, order), POLYCODEC_INT8);
    case POLYCODEC_INT16:
      return Builder::integer(load<std::int16_t>(p, order), POLYCODEC_INT16);
    case POLYCODEC_INT32:
      return Builder::integer(load<std::int32_t>(p, order), POLYCODEC_INT32);
    case POLYCODEC_INT64:
      return Builder::integer(load<std::int64_t>(p, order), POLYCODEC_INT64);
    case POLYCODEC_UINT8:
      return Builder::unsigned_integer(load<std::uint8_t>(p, order), POLYCODEC_UINT8);
    case POLYCODEC_UINT16:
      return Builder::unsigned_integer(load<std::uint16_t>(p, order), POLYCODEC_UINT16);
    case POLYCODEC_UINT32:
      return Builder::unsigned_integer(load<std::uint32_t>(p, order), POLYCODEC_UINT32);
    case POLYCODEC_UINT64:
      return Builder::unsigned_integer(load<std::uint64_t>(p, order), POLYCODEC_UINT64);
    case POLYCODEC_FLOAT16:
      return Builder::real16(load<std::uint16_t>(p, order));
    case POLYCODEC_FLOAT32:
      return Builder::real32(load<float>(p, order));
    case POLYCODEC_FLOAT64:
      return Builder::real(load<double>(p, order));
    case POLYCODEC_COMPLEX64: {
      const float parts[] = {load<float>(p, order), load<float>(bytes.data() + 4, order)};
      return out.wide(POLYCODEC_COMPLEX64, parts);
    }
    default: {
      const double parts[] = {load<double>(p, order), load<double>(bytes.data() + 8, order)};
      return out.wide(POLYCODEC_COMPLEX128, parts);
    }
  }
}

// The text that Python prints for a complex number: "(1+2j)", "2j", "(nan-infj)".
polycodec_node complex_number(View data, Builder& out) {
  const auto found = text_of(data);
  if (!found) refuse("a complex number is not given as text");
  std::string_view text = *found;
  if (text.size() >= 2 && text.front() == '(' && text.back() == ')') text = text.substr(1, text.size() - 2);
  if (text.empty() || text.back() != 'j') refuse("the text of a complex number does not end with 'j'");
  text.remove_suffix(1);
  double parts[2] = {0.0, 0.0};
  const auto number = [&text](double& value) {
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{}) refuse("the text of a complex number is not two numbers");
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  };
  number(parts[1]);
  if (!text.empty()) {
    parts[0] = parts[1];
    number(parts[1]);
  }
  if (!text.empty()) refuse("the text of a complex number has something after it");
  return out.wide(POLYCODEC_COMPLEX128, parts);
}

}  // namespace

void convert_numpy_map(polycodec_node& map, const polycodec_limits& limits, Builder& out) {
  const auto form = read_form(map);
  if (!form) return;
  const auto n = View(&map).size();
  const auto within = [&](const Shape& shape) {
    if (checked_byte_size(shape.span(), 1) > limits.max_elements)
      refuse("the array has more elements than the limit allows", "", Status::limit);
    return shape;
  };

  if (is_flag(form->nd, true) && form->type && form->shape && form->data && n == (form->kind ? 5u : 4u)) {
    const auto kind = form->kind ? text_of(*form->kind) : std::string_view();
    if (!kind) refuse("the kind of an array is not a string");
    if (*kind == "O")
      refuse("the array holds Python objects as a pickle, which is never read", "numpy.pickle", Status::unsupported);
    if (*kind != "" && *kind != "V") refuse("an array of unknown kind '" + std::string(kind->substr(0, 16)) + "'");
    const Shape shape = within(read_shape(*form->shape));
    map = *kind == "V" ? structured_array(*form->type, shape, *form->data, out)
                       : simple_array(*form->type, shape, *form->data, out);
  } else if (is_flag(form->nd, false) && form->type && form->data && n == 3) {
    map = scalar(*form->type, *form->data, out);
  } else if (is_flag(form->complex, true) && form->data && n == 2) {
    map = complex_number(*form->data, out);
  } else if (is_flag(form->ndarray, true) && form->data && form->dtype && form->shape && n == 4) {
    map = simple_array(*form->dtype, within(read_shape(*form->shape)), *form->data, out);
  } else if (is_flag(form->generic, true) && form->data && form->dtype && n == 3) {
    map = scalar(*form->dtype, *form->data, out);
  }
}

}  // namespace polycodec::msgpack_ndarray
