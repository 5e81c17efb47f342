// SPDX-License-Identifier: MIT
#include <base/dtype_names.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "ndarray.hpp"

#include <charconv>
#include <string>

namespace polycodec::msgpack_ndarray {
namespace {

struct Known {
  std::string_view code;  // kind and size
  std::uint8_t dtype;
  std::string_view little, big;
};

// The most frequent ones first.
constexpr Known known[] = {
    {"f8", POLYCODEC_DTYPE_FLOAT64, "<f8", ">f8"},
    {"f4", POLYCODEC_DTYPE_FLOAT32, "<f4", ">f4"},
    {"i8", POLYCODEC_DTYPE_INT64, "<i8", ">i8"},
    {"i4", POLYCODEC_DTYPE_INT32, "<i4", ">i4"},
    {"u1", POLYCODEC_DTYPE_UINT8, "|u1", "|u1"},
    {"b1", POLYCODEC_DTYPE_BOOLEAN, "|b1", "|b1"},
    {"i1", POLYCODEC_DTYPE_INT8, "|i1", "|i1"},
    {"i2", POLYCODEC_DTYPE_INT16, "<i2", ">i2"},
    {"u2", POLYCODEC_DTYPE_UINT16, "<u2", ">u2"},
    {"u4", POLYCODEC_DTYPE_UINT32, "<u4", ">u4"},
    {"u8", POLYCODEC_DTYPE_UINT64, "<u8", ">u8"},
    {"f2", POLYCODEC_DTYPE_FLOAT16, "<f2", ">f2"},
    {"c8", POLYCODEC_DTYPE_COMPLEX64, "<c8", ">c8"},
    {"c16", POLYCODEC_DTYPE_COMPLEX128, "<c16", ">c16"},
};

// True for types that numpy writes and that stay outside: strings, records, pointers,
// extended floats, and times without a byte order.
bool is_foreign(std::string_view code) {
  if (code == "f16" || code == "f12" || code == "c32" || code == "c24") return true;
  constexpr std::string_view kinds = "SaUVMmOt";
  return !code.empty() && kinds.find(code[0]) != std::string_view::npos;
}

std::uint8_t byte_order_of(char mark) noexcept {
  return static_cast<std::uint8_t>(mark == '>' ? POLYCODEC_BIG_ENDIAN : POLYCODEC_LITTLE_ENDIAN);
}

std::string shown(std::string_view text) {
  return "typestr " + quote(text) + " ";
}

// The number behind the kind of a text, in bytes.
std::uint32_t text_size(std::string_view text, std::uint32_t unit) {
  const std::string_view digits = text.substr(2);
  std::uint32_t count = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (error != std::errc{} || end != digits.data() + digits.size() || digits[0] == '0')
    refuse_numpy(shown(text) + "does not give the length of its strings", "ndarray.bad_typestr");
  if (count > INT32_MAX / unit)
    refuse_numpy(shown(text) + "has strings of 2^31 bytes or more", "ndarray.unsupported_type",
                 Status::unsupported);
  return count * unit;
}

// The unit in `M8[ns]`; none in `M8`.
std::uint32_t time_unit(std::string_view text) {
  std::string_view rest = text.substr(2);
  if (!rest.starts_with('8')) refuse_numpy(shown(text) + "names no type", "ndarray.bad_typestr");
  rest.remove_prefix(1);
  if (rest.empty()) return POLYCODEC_UNIT_NONE;
  const bool brackets = rest.size() > 2 && rest.front() == '[' && rest.back() == ']';
  const std::string_view name = brackets ? rest.substr(1, rest.size() - 2) : std::string_view();
  if (!brackets) refuse_numpy(shown(text) + "names no type", "ndarray.bad_typestr");
  const std::uint32_t unit = time_unit_from_name(name);
  if (unit == POLYCODEC_UNIT_COUNT)
    refuse_numpy(shown(text) + "counts in a unit that this codec does not know",
                 "ndarray.unsupported_type", Status::unsupported);
  return unit;
}

}  // namespace

NumpyType parse_typestr(std::string_view text) {
  if (text.empty() || (text[0] != '<' && text[0] != '>' && text[0] != '|'))
    throw Error(Status::malformed,
                shown(text) + "does not start with a byte order: '<', '>' or '|'")
        .detail("ndarray.bad_typestr");
  const std::string_view code = text.substr(1);
  if (code.size() > 1 && (code[0] == 'M' || code[0] == 'm') && text[0] != '|')
    return {static_cast<std::uint8_t>(code[0] == 'M' ? POLYCODEC_DTYPE_TIMESTAMP64
                                                     : POLYCODEC_DTYPE_DURATION64),
            byte_order_of(text[0]), 8, time_unit(text)};
  for (const Known& k : known) {
    if (k.code != code) continue;
    const std::uint32_t size = dtype_size(k.dtype);
    if (size > 1 && text[0] == '|')
      throw Error(Status::malformed, shown(text) + "gives no byte order for elements of " +
                                         std::to_string(size) + " bytes")
          .detail("ndarray.bad_typestr");
    return {k.dtype, size == 1 ? host_byte_order : byte_order_of(text[0]), size, 0};
  }
  if (is_foreign(code))
    throw Error(
        Status::unsupported,
        shown(text) + "is a type that this format does not carry: only b, i, u, f, c, M and m")
        .detail("ndarray.unsupported_type");
  throw Error(Status::malformed, shown(text) + "names no type: expected one such as '<f8' or '|u1'")
      .detail("ndarray.bad_typestr");
}

std::string typestr_of(std::uint32_t dtype, std::uint8_t byte_order, std::uint32_t unit) {
  const bool is_big = byte_order == POLYCODEC_BIG_ENDIAN;
  for (const Known& k : known)
    if (k.dtype == dtype) return std::string(is_big ? k.big : k.little);
  if (dtype != POLYCODEC_DTYPE_TIMESTAMP64 && dtype != POLYCODEC_DTYPE_DURATION64) return {};
  std::string text(is_big ? ">" : "<");
  text.append(dtype == POLYCODEC_DTYPE_TIMESTAMP64 ? "M8" : "m8");
  if (unit != POLYCODEC_UNIT_NONE) text.append("[").append(time_unit_name(unit)).append("]");
  return text;
}

void refuse_numpy(std::string message, const char* detail, Status status) {
  throw Error(status, std::move(message)).detail(detail);
}

std::optional<std::string_view> text_of(NodeView v) {
  if (v.kind() != POLYCODEC_KIND_STRING && v.kind() != POLYCODEC_KIND_BINARY) return std::nullopt;
  const auto bytes = v.as_bytes();
  return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

NumpyType parse_numpy_type(std::string_view text) {
  const char order = text.empty() ? '\0' : text[0];
  const char kind = text.size() < 3 ? '\0' : text[1];
  const bool ordered = order == '<' || order == '>';
  if ((kind == 'S' || kind == 'a') && (ordered || order == '|'))
    return {POLYCODEC_DTYPE_FIXED_BYTES, host_byte_order, text_size(text, 1), 0};
  if (kind == 'U' && ordered)
    return {POLYCODEC_DTYPE_FIXED_UTF32, byte_order_of(order), text_size(text, 4), 0};
  return parse_typestr(text);
}

NumpyType read_numpy_type(NodeView type) {
  const auto text = text_of(type);
  if (!text) refuse_numpy("the element type is not a string", "ndarray.bad_typestr");
  return parse_numpy_type(*text);
}

Shape read_shape(NodeView list) {
  Shape shape;
  if (!list.is_list()) refuse_numpy("the shape is not an array", "ndarray.bad_shape");
  if (list.size() > POLYCODEC_MAX_NDIM)
    refuse_numpy("more than 64 dimensions", "ndarray.too_many_dims", Status::limit);
  for (const polycodec_node& extent : list.items()) {
    if (extent.kind != POLYCODEC_KIND_SIGNED || extent.as.i64 < 0)
      refuse_numpy("an extent of the shape is not an integer from 0 to 2^63 - 1",
                   "ndarray.bad_shape");
    shape.extents[shape.ndim++] = extent.as.i64;
  }
  return shape;
}

std::string_view read_data(NodeView data, std::uint64_t size) {
  if (data.kind() != POLYCODEC_KIND_BINARY && data.kind() != POLYCODEC_KIND_STRING)
    refuse_numpy("the data is not bin", "ndarray.bad_data");
  const auto bytes = data.as_bytes();
  if (bytes.size() != size)
    refuse_numpy("shape and type ask for " + std::to_string(size) + " bytes, data has " +
                     std::to_string(bytes.size()),
                 "ndarray.size_mismatch");
  return bytes;
}

polycodec_array* numpy_leaf(const NumpyType& type, std::string_view bytes, const char* first,
                            std::span<const std::int64_t> shape, std::optional<std::int64_t> stride,
                            Builder& out) {
  polycodec_array* const leaf =
      out.ndarray(bytes, type.dtype, type.item_size, shape, type.byte_order);
  leaf->data = first;
  leaf->unit = static_cast<decltype(leaf->unit)>(type.unit);
  if (stride) *const_cast<std::int64_t*>(leaf->strides) = *stride;
  if (type.dtype != POLYCODEC_DTYPE_BOOLEAN || bytes.empty()) return leaf;
  if (!stride) {
    check_booleans(bytes);
    return leaf;
  }
  const std::uint64_t width = checked_byte_size(shape.subspan(1), 1);
  for (std::int64_t row = 0; row < shape[0]; ++row)
    check_booleans(to_string_view(first + row * *stride, width));
  return leaf;
}

}  // namespace polycodec::msgpack_ndarray
