// SPDX-License-Identifier: MIT
// Single elements of arrays.
#include "to_python.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace polycodec_python {

using polycodec::load;

namespace {

double half(const std::byte* data, std::endian order) noexcept {
  return static_cast<double>(polycodec::half_to_float(load<std::uint16_t>(data, order)));
}

/// The nearest double, but for the last bit.
double quad(const std::byte* data, std::endian order) noexcept {
  auto low = load<std::uint64_t>(data, order);
  auto high = load<std::uint64_t>(data + 8, order);
  if (order == std::endian::big) std::swap(low, high);
  const int exponent = static_cast<int>((high >> 48) & 0x7fff);
  const std::uint64_t fraction = high & 0xffffffffffffu;
  const double part =
      std::ldexp(static_cast<double>(fraction), -48) + std::ldexp(static_cast<double>(low), -112);
  double size = exponent == 0        ? std::ldexp(part, -16382)
                : exponent != 0x7fff ? std::ldexp(1 + part, exponent - 16383)
                : part == 0          ? INFINITY
                                     : std::nan("");
  return (high >> 63) != 0 ? -size : size;
}

PyObject* wide_integer(const std::byte* data, bool big_endian, bool is_signed) {
  const nb::object type = nb::borrow(reinterpret_cast<PyObject*>(&PyLong_Type));
  return type
      .attr("from_bytes")(nb::bytes(reinterpret_cast<const char*>(data), 16),
                          big_endian ? "big" : "little", nb::arg("signed") = is_signed)
      .release()
      .ptr();
}

PyObject* fixed_text(const polycodec_array& leaf, const std::byte* data) {
  const std::uint32_t width = leaf.dtype == POLYCODEC_DTYPE_FIXED_UTF8    ? 1
                              : leaf.dtype == POLYCODEC_DTYPE_FIXED_UTF16 ? 2
                                                                          : 4;
  std::uint32_t size = leaf.item_size;
  const auto is_zero = [&](std::uint32_t from) {
    return std::all_of(data + from, data + from + width,
                       [](std::byte b) { return b == std::byte{}; });
  };
  while (size != 0 && is_zero(size - width)) size -= width;
  const char* text = reinterpret_cast<const char*>(data);
  int order = leaf.byte_order == POLYCODEC_BIG_ENDIAN ? 1 : -1;
  if (width == 1) return PyUnicode_DecodeUTF8(text, size, "surrogateescape");
  if (width == 2) return PyUnicode_DecodeUTF16(text, size, "surrogatepass", &order);
  return PyUnicode_DecodeUTF32(text, size, "surrogatepass", &order);
}

}  // namespace

PyObject* time_of(bool is_duration, std::int64_t count, std::uint32_t nanoseconds,
                  std::uint32_t unit) {
  return attribute("polycodec._times", is_duration ? "duration" : "timestamp")(count, nanoseconds,
                                                                               unit)
      .release()
      .ptr();
}

PyObject* element_of(const polycodec_array& leaf, const std::byte* data, bool has_zone) {
  const std::endian order =
      leaf.byte_order == POLYCODEC_BIG_ENDIAN ? std::endian::big : std::endian::little;
  PyObject* made = nullptr;
  switch (leaf.dtype) {
    case POLYCODEC_DTYPE_BOOLEAN:
      made = PyBool_FromLong(load<std::uint8_t>(data, order));
      break;
    case POLYCODEC_DTYPE_INT8:
      made = PyLong_FromLong(load<std::int8_t>(data, order));
      break;
    case POLYCODEC_DTYPE_INT16:
      made = PyLong_FromLong(load<std::int16_t>(data, order));
      break;
    case POLYCODEC_DTYPE_INT32:
      made = PyLong_FromLong(load<std::int32_t>(data, order));
      break;
    case POLYCODEC_DTYPE_INT64:
      made = PyLong_FromLongLong(load<std::int64_t>(data, order));
      break;
    case POLYCODEC_DTYPE_UINT8:
      made = PyLong_FromLong(load<std::uint8_t>(data, order));
      break;
    case POLYCODEC_DTYPE_UINT16:
      made = PyLong_FromLong(load<std::uint16_t>(data, order));
      break;
    case POLYCODEC_DTYPE_UINT32:
      made = PyLong_FromUnsignedLong(load<std::uint32_t>(data, order));
      break;
    case POLYCODEC_DTYPE_UINT64:
      made = PyLong_FromUnsignedLongLong(load<std::uint64_t>(data, order));
      break;
    case POLYCODEC_DTYPE_INT128:
    case POLYCODEC_DTYPE_UINT128:
      made = wide_integer(data, leaf.byte_order == POLYCODEC_BIG_ENDIAN,
                          leaf.dtype == POLYCODEC_DTYPE_INT128);
      break;
    case POLYCODEC_DTYPE_FLOAT16:
      made = PyFloat_FromDouble(half(data, order));
      break;
    case POLYCODEC_DTYPE_FLOAT32:
      made = PyFloat_FromDouble(static_cast<double>(load<float>(data, order)));
      break;
    case POLYCODEC_DTYPE_FLOAT64:
      made = PyFloat_FromDouble(load<double>(data, order));
      break;
    case POLYCODEC_DTYPE_FLOAT128:
      made = PyFloat_FromDouble(quad(data, order));
      break;
    case POLYCODEC_DTYPE_COMPLEX32:
      made = PyComplex_FromDoubles(half(data, order), half(data + 2, order));
      break;
    case POLYCODEC_DTYPE_COMPLEX64:
      made = PyComplex_FromDoubles(static_cast<double>(load<float>(data, order)),
                                   static_cast<double>(load<float>(data + 4, order)));
      break;
    case POLYCODEC_DTYPE_COMPLEX128:
      made = PyComplex_FromDoubles(load<double>(data, order), load<double>(data + 8, order));
      break;
    case POLYCODEC_DTYPE_TIMESTAMP64:
      return attribute("polycodec._times", "timestamp_element")(load<std::int64_t>(data, order),
                                                                leaf.unit, has_zone)
          .release()
          .ptr();
    case POLYCODEC_DTYPE_DURATION64:
      return time_of(true, load<std::int64_t>(data, order), 0, leaf.unit);
    case POLYCODEC_DTYPE_FIXED_BYTES:
      made = PyBytes_FromStringAndSize(reinterpret_cast<const char*>(data), leaf.item_size);
      break;
    default:
      made = fixed_text(leaf, data);
      break;
  }
  if (made == nullptr) throw nb::python_error();
  return made;
}

}  // namespace polycodec_python
