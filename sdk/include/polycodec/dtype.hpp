// SPDX-License-Identifier: MIT
// Facts about element types: sizes, families, and the dtype of a C++ type.
#pragma once

#include <polycodec/abi.h>

#include <bit>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace polycodec {

namespace detail {
// Not in the function, which would build the table at each call.
inline constexpr std::uint8_t dtype_sizes[POLYCODEC_DTYPE_COUNT] = {
    0, 1, 1, 2, 4, 8, 16, 1, 2, 4, 8, 16, 2, 4, 8, 16, 4, 8, 16, 8, 8, 0, 0, 0, 0};
}  // namespace detail

/// Bytes of one element, or 0 for the FIXED_* types (their size is beside them) and for
/// DTYPE_NONE.
constexpr std::uint32_t dtype_size(std::uint32_t dtype) noexcept {
  return dtype < POLYCODEC_DTYPE_COUNT ? detail::dtype_sizes[dtype] : 0;
}

/// The name in type notation, such as "float64" or "complex[float64]"; "" for DTYPE_NONE, the times
/// and FIXED_*.
constexpr std::string_view dtype_name(std::uint32_t dtype) noexcept {
  // clang-format off
  constexpr std::string_view names[POLYCODEC_DTYPE_COUNT] = {
      "", "bool", "int8", "int16", "int32", "int64", "int128", "uint8", "uint16", "uint32",
      "uint64", "uint128", "float16", "float32", "float64", "float128", "complex[float16]",
      "complex[float32]", "complex[float64]", "", "", "", "", "", ""};
  // clang-format on
  return dtype < POLYCODEC_DTYPE_COUNT ? names[dtype] : std::string_view();
}

constexpr bool is_signed_integer(std::uint32_t d) noexcept {
  return d >= POLYCODEC_DTYPE_INT8 && d <= POLYCODEC_DTYPE_INT128;
}
constexpr bool is_unsigned_integer(std::uint32_t d) noexcept {
  return d >= POLYCODEC_DTYPE_UINT8 && d <= POLYCODEC_DTYPE_UINT128;
}
constexpr bool is_integer(std::uint32_t d) noexcept {
  return is_signed_integer(d) || is_unsigned_integer(d);
}
constexpr bool is_float(std::uint32_t d) noexcept {
  return d >= POLYCODEC_DTYPE_FLOAT16 && d <= POLYCODEC_DTYPE_FLOAT128;
}
constexpr bool is_complex(std::uint32_t d) noexcept {
  return d >= POLYCODEC_DTYPE_COMPLEX32 && d <= POLYCODEC_DTYPE_COMPLEX128;
}
constexpr bool is_time(std::uint32_t d) noexcept {
  return d == POLYCODEC_DTYPE_TIMESTAMP64 || d == POLYCODEC_DTYPE_DURATION64;
}
constexpr bool is_fixed(std::uint32_t d) noexcept {
  return d >= POLYCODEC_DTYPE_FIXED_BYTES && d <= POLYCODEC_DTYPE_FIXED_UTF32;
}

/// Bytes that are swapped as one when the byte order changes: the part of a complex, the code unit
/// of a fixed string.
constexpr std::uint32_t dtype_swap_width(std::uint32_t d) noexcept {
  if (is_complex(d)) return dtype_size(d) / 2;
  if (d == POLYCODEC_DTYPE_FIXED_UTF16) return 2;
  if (d == POLYCODEC_DTYPE_FIXED_UTF32) return 4;
  return is_fixed(d) ? 1 : dtype_size(d);
}

namespace detail {
// std::complex by its members: <complex> is slow to compile.
template <class T>
concept complex_like = requires(T v) {
  v.real();
  v.imag();
  requires sizeof(T) == 2 * sizeof(typename T::value_type);
};

template <class T>
constexpr std::uint32_t dtype_of_arithmetic() noexcept {
  if constexpr (std::is_same_v<T, bool>) return POLYCODEC_DTYPE_BOOLEAN;
  if constexpr (std::is_integral_v<T>)
    return (std::is_signed_v<T> ? POLYCODEC_DTYPE_INT8 : POLYCODEC_DTYPE_UINT8) +
           static_cast<std::uint32_t>(std::countr_zero(sizeof(T)));
  if constexpr (std::is_same_v<T, float>) return POLYCODEC_DTYPE_FLOAT32;
  if constexpr (std::is_same_v<T, double>) return POLYCODEC_DTYPE_FLOAT64;
  if constexpr (complex_like<T>) {
    if (std::is_same_v<typename T::value_type, float>) return POLYCODEC_DTYPE_COMPLEX64;
    if (std::is_same_v<typename T::value_type, double>) return POLYCODEC_DTYPE_COMPLEX128;
  }
  return POLYCODEC_DTYPE_NONE;
}
}  // namespace detail

/// The dtype of a C++ type: bool, the integers of 1 to 8 bytes, float and double. Specialize it for
/// a type of your own that has the bytes of an element type, such as std::complex<float>.
template <class T>
inline constexpr std::uint32_t dtype_of = detail::dtype_of_arithmetic<std::remove_cv_t<T>>();

/// The byte order of this machine, as POLYCODEC_LITTLE_ENDIAN or POLYCODEC_BIG_ENDIAN.
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
inline constexpr std::uint8_t host_byte_order = POLYCODEC_BIG_ENDIAN;
#else
inline constexpr std::uint8_t host_byte_order = POLYCODEC_LITTLE_ENDIAN;
#endif

/// True for the units in which a TIMESTAMP node is seconds plus nanoseconds (see polycodec_time).
constexpr bool is_subsecond_unit(std::uint32_t unit) noexcept {
  return unit >= POLYCODEC_UNIT_SECOND && unit <= POLYCODEC_UNIT_NANOSECOND;
}

}  // namespace polycodec
