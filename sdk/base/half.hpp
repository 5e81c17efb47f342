// SPDX-License-Identifier: MIT
// IEEE 754 half precision (binary16), held as its bits because C++20 has no type for it: rounding
// to it, and the way back.
#pragma once

#include <polycodec/dtype.hpp>

#include <bit>
#include <cstdint>

namespace polycodec {

namespace detail {

// Rounds an IEEE number with `MantissaBits` and `Bias`, given by its bits, to the nearest half,
// ties to even.
template <class U, int MantissaBits, int Bias>
constexpr std::uint16_t narrow_to_half(U bits) noexcept {
  constexpr int width = static_cast<int>(sizeof(U)) * 8;
  constexpr int drop = MantissaBits - 10;
  constexpr U exponent_mask = (U{1} << (width - 1 - MantissaBits)) - 1;
  const auto sign = static_cast<std::uint32_t>((bits >> (width - 16)) & 0x8000u);
  const U exponent_bits = (bits >> MantissaBits) & exponent_mask;
  const U mantissa = bits & ((U{1} << MantissaBits) - 1);
  if (exponent_bits == exponent_mask) {
    if (mantissa == 0) return static_cast<std::uint16_t>(sign | 0x7c00u);
    // The upper ten bits of a NaN are kept; where they are all zero, the result must still be a
    // NaN.
    const auto payload = static_cast<std::uint32_t>(mantissa >> drop);
    return static_cast<std::uint16_t>(sign | 0x7c00u | (payload != 0 ? payload : 0x200u));
  }
  const int exponent = static_cast<int>(exponent_bits) - Bias + 15;
  if (exponent >= 31) return static_cast<std::uint16_t>(sign | 0x7c00u);
  if (exponent < -10) return static_cast<std::uint16_t>(sign);  // below half of the least subnormal
  const bool normal = exponent > 0;
  const int shift = normal ? drop : drop + 1 - exponent;
  const U significand = normal ? mantissa : mantissa | (U{1} << MantissaBits);
  const U rest = significand & ((U{1} << shift) - 1);
  const U tie = U{1} << (shift - 1);
  auto half = static_cast<std::uint32_t>(significand >> shift);
  if (normal) half |= static_cast<std::uint32_t>(exponent) << 10;
  // A carry out of the mantissa raises the exponent, and from the greatest half gives infinity:
  // both are right.
  if (rest > tie || (rest == tie && (half & 1) != 0)) ++half;
  return static_cast<std::uint16_t>(sign | half);
}

}  // namespace detail

/// The half nearest to the float with these bits, ties to even, too large ones to infinity. A NaN
/// stays a NaN with the same sign and the upper ten bits of its payload (made quiet only if those
/// are all zero).
constexpr std::uint16_t float_bits_to_half(std::uint32_t bits) noexcept {
  return detail::narrow_to_half<std::uint32_t, 23, 127>(bits);
}
/// The half nearest to `value`; see float_bits_to_half().
constexpr std::uint16_t float_to_half(float value) noexcept {
  return float_bits_to_half(std::bit_cast<std::uint32_t>(value));
}
/// The half nearest to `value`, rounded once (not by way of float); see float_bits_to_half().
constexpr std::uint16_t double_to_half(double value) noexcept {
  return detail::narrow_to_half<std::uint64_t, 52, 1023>(std::bit_cast<std::uint64_t>(value));
}

/// The bits of the float with the value of the half `half`. Exact; a NaN keeps sign, quietness and
/// payload.
constexpr std::uint32_t half_to_float_bits(std::uint16_t half) noexcept {
  const std::uint32_t sign = (half & 0x8000u) << 16;
  const std::uint32_t exponent = (half >> 10) & 0x1fu;
  const std::uint32_t mantissa = half & 0x3ffu;
  if (exponent == 0x1f) return sign | 0x7f800000u | (mantissa << 13);
  if (exponent != 0) return sign | ((exponent + 112) << 23) | (mantissa << 13);
  if (mantissa == 0) return sign;
  // A subnormal half is a normal float: shift its highest bit to where the implicit one stands.
  const auto shift = static_cast<std::uint32_t>(std::countl_zero(mantissa)) - 21;
  return sign | ((113 - shift) << 23) | (((mantissa << shift) & 0x3ffu) << 13);
}

/// The value of the half `half`, exact. Where a NaN's bits matter, use half_to_float_bits().
constexpr float half_to_float(std::uint16_t half) noexcept {
  return std::bit_cast<float>(half_to_float_bits(half));
}

}  // namespace polycodec
