// SPDX-License-Identifier: MIT
// Numbers of the value model as numbers of another type, if not a bit is lost.
#pragma once

#include <base/number_type.hpp>
#include <base/swap_copy.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/detail/half.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/view.hpp>

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

namespace polycodec {
namespace detail {

/// Two's complement of 128 bits and whether it stands for a negative number.
struct Integer128 {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  bool negative = false;
};

inline Integer128 integer_of(const View& item) {
  if (item.kind() == POLYCODEC_KIND_SIGNED) {
    const std::int64_t v = item.as_int64();
    return {static_cast<std::uint64_t>(v), v < 0 ? UINT64_MAX : 0, v < 0};
  }
  if (item.kind() == POLYCODEC_KIND_UNSIGNED) return {item.as_uint64(), 0, false};
  std::byte bits[16] = {};
  item.copy_bits(bits);
  if constexpr (std::endian::native == std::endian::big) swap_copy(bits, bits, 1, 16);
  Integer128 wide{load_le<std::uint64_t>(bits), load_le<std::uint64_t>(bits + 8), false};
  wide.negative = item.dtype() == POLYCODEC_DTYPE_INT128 && (wide.high >> 63) != 0;
  return wide;
}

inline bool put_integer(const Integer128& v, std::uint32_t dtype, std::uint8_t* out) {
  const unsigned bits = dtype_size(dtype) * 8;
  const bool is_signed = is_signed_integer(dtype);
  if (v.negative && !is_signed) return false;
  // All bits above the value's own must repeat the sign.
  const unsigned own = is_signed ? bits - 1 : bits;
  const std::uint64_t fill = v.negative ? UINT64_MAX : 0;
  if (own < 64) {
    if (v.high != fill || ((v.low ^ fill) >> own) != 0) return false;
  } else if (own == 64) {
    if (v.high != fill) return false;
  } else if (own == 127) {
    if (((v.high ^ fill) >> 63) != 0) return false;
  } else if (own == 63) {
    if (v.high != fill || ((v.low ^ fill) >> 63) != 0) return false;
  }
  store(out, v.low, std::endian::little);
  store(out + 8, v.high, std::endian::little);
  return true;
}

inline constexpr std::uint64_t plain_nan = 0x7ff8000000000000u;

// binary128 of a double: exact for every one.
inline void put_float128(double value, std::uint8_t* out) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t sign = bits & (std::uint64_t{1} << 63);
  std::uint64_t exponent = bits >> 52 & 0x7ff;
  std::uint64_t mantissa = bits & ((std::uint64_t{1} << 52) - 1);
  if (exponent == 0x7ff) {
    exponent = 0x7fff;
  } else if (exponent != 0) {
    exponent += 16383 - 1023;
  } else if (mantissa != 0) {
    const int shift = std::countl_zero(mantissa) - 11;
    mantissa = (mantissa << shift) & ((std::uint64_t{1} << 52) - 1);
    exponent = static_cast<std::uint64_t>(16383 - 1022 - shift);
  }
  store(out, mantissa << 60, std::endian::little);
  store(out + 8, sign | exponent << 48 | mantissa >> 4, std::endian::little);
}

inline bool put_double(double value, std::uint32_t dtype, std::uint8_t* out) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const bool nan = value != value;
  if (nan && bits != plain_nan) return false;
  switch (dtype) {
    case POLYCODEC_DTYPE_FLOAT64:
      store(out, bits, std::endian::little);
      return true;
    case POLYCODEC_DTYPE_FLOAT32: {
      const auto narrow = static_cast<float>(value);
      store(out, nan ? 0x7fc00000u : std::bit_cast<std::uint32_t>(narrow), std::endian::little);
      return nan || static_cast<double>(narrow) == value;
    }
    case POLYCODEC_DTYPE_FLOAT16: {
      const std::uint16_t half = nan ? std::uint16_t{0x7e00} : double_to_half(value);
      store(out, half, std::endian::little);
      return nan || static_cast<double>(half_to_float(half)) == value;
    }
    default:
      put_float128(value, out);
      return true;
  }
}

// The value of a float of 16, 32 or 64 bits; other NaNs than the plain one give a NaN that
// put_double() refuses.
inline double double_of(std::uint32_t dtype, const std::byte* bits) {
  if (dtype == POLYCODEC_DTYPE_FLOAT64) return load<double>(bits, std::endian::native);
  if (dtype == POLYCODEC_DTYPE_FLOAT32) {
    const auto b = load<std::uint32_t>(bits, std::endian::native);
    if ((b & 0x7fffffff) <= 0x7f800000) return static_cast<double>(std::bit_cast<float>(b));
    return std::bit_cast<double>(b == 0x7fc00000 ? plain_nan : plain_nan | 1);
  }
  const auto half = load<std::uint16_t>(bits, std::endian::native);
  if ((half & 0x7fff) <= 0x7c00) return static_cast<double>(half_to_float(half));
  return std::bit_cast<double>(half == 0x7e00 ? plain_nan : plain_nan | 1);
}

inline bool integer_to_float(const Integer128& v, std::uint32_t dtype, std::uint8_t* out) {
  std::uint64_t low = v.low, high = v.high;
  if (v.negative) {
    low = ~low + 1;
    high = ~high + (low == 0 ? 1 : 0);
  }
  if (high != 0) return false;
  const auto value = static_cast<double>(low);
  if (value >= 18446744073709551616.0 || static_cast<std::uint64_t>(value) != low) return false;
  return put_double(v.negative ? -value : value, dtype, out);
}

}  // namespace detail

/// Writes the number `item` as `dtype`, little-endian, to `out`. An integer may become any integer
/// or float that holds it, a float one that holds it exactly (of the NaNs only the plain quiet
/// one), complex numbers likewise; true and false stay what they are. Returns false, and leaves
/// `out` unspecified, if the number does not fit, and nothing if `item` is not a number of that
/// family.
inline std::optional<bool> convert_number(const View& item, std::uint32_t dtype,
                                          std::uint8_t (&out)[16]) {
  const std::uint32_t from = item.dtype();
  const bool number = item.kind() >= POLYCODEC_KIND_BOOLEAN && item.kind() <= POLYCODEC_KIND_WIDE;
  if (number && from == dtype) {
    std::byte bits[16] = {};
    const std::uint32_t size = item.copy_bits(bits);
    if constexpr (std::endian::native == std::endian::big) {
      const std::uint32_t width = dtype_swap_width(dtype);
      swap_copy(out, bits, size / width, width);
    } else {
      std::memcpy(out, bits, size);
    }
    return true;
  }
  if (number && is_integer(from)) {
    if (is_integer(dtype)) return detail::put_integer(detail::integer_of(item), dtype, out);
    if (is_float(dtype)) return detail::integer_to_float(detail::integer_of(item), dtype, out);
  }
  if (number && is_float(from) && from != POLYCODEC_DTYPE_FLOAT128 && is_float(dtype)) {
    std::byte bits[16] = {};
    item.copy_bits(bits);
    return detail::put_double(detail::double_of(from, bits), dtype, out);
  }
  if (number && is_complex(from) && is_complex(dtype)) {
    std::byte bits[16] = {};
    const std::uint32_t half = item.copy_bits(bits) / 2;
    const std::uint32_t part = part_dtype(dtype);
    return detail::put_double(detail::double_of(part_dtype(from), bits), part, out) &&
           detail::put_double(detail::double_of(part_dtype(from), bits + half), part,
                              out + dtype_size(part));
  }
  return std::nullopt;
}

}  // namespace polycodec
