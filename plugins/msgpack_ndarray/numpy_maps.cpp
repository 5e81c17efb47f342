// SPDX-License-Identifier: MIT
#include <base/dtype_names.hpp>
#include <base/nodes.hpp>
#include <base/swap_copy.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/detail/half.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/node_view.hpp>
#include <polycodec/quote.hpp>

#include "ndarray.hpp"

#include <bit>
#include <charconv>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace polycodec::msgpack_ndarray {
namespace {

/// The members of a map that may be one of the forms. All other keys disqualify it.
struct Form {
  std::optional<NodeView> nd, type, kind, shape, data, complex, ndarray, generic, dtype;
};

std::optional<Form> read_form(const polycodec_node& map) {
  const NodeView view(&map);
  if (view.size() < 2 || view.size() > 5) return std::nullopt;
  Form form;
  for (std::uint64_t i = 0; i < view.size(); ++i) {
    const auto key = text_of(view.key(i));
    if (!key) return std::nullopt;
    std::optional<NodeView>* slot = *key == "nd"              ? &form.nd
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

bool is_flag(const std::optional<NodeView>& v, bool wanted) {
  return v && v->kind() == POLYCODEC_KIND_BOOLEAN && v->as_bool() == wanted;
}

// What `read` makes of a member; errors name it.
template <class Read>
auto member(const char* path, Read&& read) {
  try {
    return read();
  } catch (Error& e) {
    if (e.path().empty()) e.path(path);
    throw;
  }
}

polycodec_node simple_array(const NumpyType& type, const Shape& shape, NodeView data,
                            Builder& out) {
  return member(".data", [&] {
    const auto bytes = read_data(data, checked_byte_size(shape.span(), type.item_size));
    return Builder::array(numpy_leaf(type, bytes, bytes.data(), shape.span(), std::nullopt, out));
  });
}

// A scalar as the bytes of one element.
polycodec_node scalar(const NumpyType& type, NodeView data, Builder& out) {
  const auto bytes = member(".data", [&] { return read_data(data, type.item_size); });
  if (type.dtype == POLYCODEC_DTYPE_BOOLEAN) check_booleans(bytes);
  // Strings and times are an array of no dimensions.
  if (type.dtype > POLYCODEC_DTYPE_COMPLEX128)
    return Builder::array(numpy_leaf(type, bytes, bytes.data(), {}, std::nullopt, out));
  std::byte bits[16];
  const std::size_t width = type.byte_order == host_byte_order ? 1 : dtype_swap_width(type.dtype);
  swap_copy(bits, bytes.data(), type.item_size / width, width);
  return number_node(out, type.dtype, bits);
}

polycodec_node integer_of(const NumpyType& type, NodeView number) {
  const bool is_signed = is_signed_integer(type.dtype);
  const unsigned bits = type.item_size * 8 - (is_signed ? 1 : 0);
  const auto beyond = [&] {
    refuse_numpy("the number does not fit in " + std::string(dtype_name(type.dtype)),
                 "numpy.bad_map", Status::range);
  };
  if (number.kind() == POLYCODEC_KIND_SIGNED && number.node()->as.i64 < 0) {
    const std::int64_t value = number.as_int64();
    if (!is_signed || ~value >> bits != 0) beyond();
    return Builder::integer(value, type.dtype);
  }
  const std::uint64_t value = number.as_uint64();
  if (bits < 64 && value >> bits != 0) beyond();
  return is_signed ? Builder::integer(static_cast<std::int64_t>(value), type.dtype)
                   : Builder::unsigned_integer(value, type.dtype);
}

// A scalar as the Python object that numpy makes of it: a number, a boolean or a text.
polycodec_node generic(const NumpyType& type, NodeView data, Builder& out) {
  if (is_integer(type.dtype) && data.is_integer()) return integer_of(type, data);
  if (type.dtype == POLYCODEC_DTYPE_BOOLEAN && data.kind() == POLYCODEC_KIND_BOOLEAN)
    return *data.raw();
  if (is_float(type.dtype) && data.is_number()) {
    const double value = data.as_double();
    if (type.dtype == POLYCODEC_DTYPE_FLOAT16) return Builder::real16(double_to_half(value));
    return type.dtype == POLYCODEC_DTYPE_FLOAT32 ? Builder::real32(static_cast<float>(value))
                                                 : Builder::real(value);
  }
  if (type.dtype == POLYCODEC_DTYPE_FIXED_UTF32 && data.is_string()) return *data.raw();
  if (type.dtype == POLYCODEC_DTYPE_FIXED_BYTES && data.kind() == POLYCODEC_KIND_BINARY)
    return *data.raw();
  return scalar(type, data, out);
}

// The text that Python prints for a complex number: "(1+2j)", "2j", "(nan-infj)".
polycodec_node complex_number(NodeView data, Builder& out) {
  const auto found = text_of(data);
  if (!found) refuse_numpy("a complex number is not given as text");
  std::string_view text = *found;
  if (text.size() >= 2 && text.front() == '(' && text.back() == ')')
    text = text.substr(1, text.size() - 2);
  if (text.empty() || text.back() != 'j')
    refuse_numpy("the text of a complex number does not end with 'j'");
  text.remove_suffix(1);
  double parts[2] = {0.0, 0.0};
  const auto number = [&text](double& value) {
    if (text.starts_with('+')) text.remove_prefix(1);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{}) refuse_numpy("the text of a complex number is not two numbers");
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  };
  number(parts[1]);
  if (!text.empty()) {
    parts[0] = parts[1];
    number(parts[1]);
  }
  if (!text.empty()) refuse_numpy("the text of a complex number has something after it");
  return out.wide(POLYCODEC_DTYPE_COMPLEX128, parts);
}

}  // namespace

void convert_numpy_map(polycodec_node& map, const polycodec_limits& limits, Builder& out) {
  const auto form = read_form(map);
  if (!form) return;
  const auto n = NodeView(&map).size();
  const auto shape = [&](NodeView list) {
    return member(".shape", [&] {
      const Shape read = read_shape(list);
      if (checked_byte_size(read.span(), 1) > limits.max_elements)
        refuse_numpy("the array has more elements than the limit allows", "", Status::limit);
      return read;
    });
  };
  const auto type = [](const char* path, NodeView text) {
    return member(path, [&] { return read_numpy_type(text); });
  };

  if (is_flag(form->nd, true) && form->type && form->shape && form->data &&
      n == (form->kind ? 5u : 4u)) {
    const auto kind = form->kind ? text_of(*form->kind) : std::string_view();
    if (!kind) refuse_numpy("the kind of an array is not a string");
    if (*kind == "O")
      refuse_numpy("the array holds Python objects as a pickle, which is never read",
                   "numpy.pickle", Status::unsupported);
    if (*kind != "" && *kind != "V") refuse_numpy("an array of unknown kind " + quote(*kind));
    const Shape extents = shape(*form->shape);
    map = *kind == "V" ? structured_array(*form->type, extents, *form->data, out)
                       : simple_array(type(".type", *form->type), extents, *form->data, out);
  } else if (is_flag(form->nd, false) && form->type && form->data && n == 3) {
    map = scalar(type(".type", *form->type), *form->data, out);
  } else if (is_flag(form->complex, true) && form->data && n == 2) {
    map = complex_number(*form->data, out);
  } else if (is_flag(form->ndarray, true) && form->data && form->dtype && form->shape && n == 4) {
    map = simple_array(type(".dtype", *form->dtype), shape(*form->shape), *form->data, out);
  } else if (is_flag(form->generic, true) && form->data && form->dtype && n == 3) {
    map = generic(type(".dtype", *form->dtype), *form->data, out);
  }
}

}  // namespace polycodec::msgpack_ndarray
