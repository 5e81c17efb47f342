// SPDX-License-Identifier: MIT
// The C++ types of numbers in memory.
#pragma once

#include <polycodec/detail/half.hpp>
#include <polycodec/dtype.hpp>

#include <cstdint>

namespace polycodec {

/// The bits of a float16.
enum class Half : std::uint16_t {};

/// The value of a number as C++ counts with it.
template <class T>
constexpr T value_of(T number) noexcept {
  return number;
}
constexpr float value_of(Half half) noexcept {
  return half_to_float(static_cast<std::uint16_t>(half));
}

/// The float of which the complex number `dtype` has two.
constexpr std::uint32_t part_dtype(std::uint32_t dtype) noexcept {
  return dtype - (POLYCODEC_DTYPE_COMPLEX32 - POLYCODEC_DTYPE_FLOAT16);
}

/// Calls visit(T()), where T is the type of an integer or float `dtype` of at most 64 bits; calls
/// otherwise() for every other dtype.
template <class Visit, class Otherwise>
decltype(auto) with_number_type(std::uint32_t dtype, Visit&& visit, Otherwise&& otherwise) {
  switch (dtype) {
    case POLYCODEC_DTYPE_INT8:
      return visit(std::int8_t());
    case POLYCODEC_DTYPE_INT16:
      return visit(std::int16_t());
    case POLYCODEC_DTYPE_INT32:
      return visit(std::int32_t());
    case POLYCODEC_DTYPE_INT64:
      return visit(std::int64_t());
    case POLYCODEC_DTYPE_UINT8:
      return visit(std::uint8_t());
    case POLYCODEC_DTYPE_UINT16:
      return visit(std::uint16_t());
    case POLYCODEC_DTYPE_UINT32:
      return visit(std::uint32_t());
    case POLYCODEC_DTYPE_UINT64:
      return visit(std::uint64_t());
    case POLYCODEC_DTYPE_FLOAT16:
      return visit(Half());
    case POLYCODEC_DTYPE_FLOAT32:
      return visit(float());
    case POLYCODEC_DTYPE_FLOAT64:
      return visit(double());
    default:
      return otherwise();
  }
}

}  // namespace polycodec
