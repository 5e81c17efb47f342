// SPDX-License-Identifier: MIT
// Comparing scalars.
#pragma once

#include <polycodec/view.hpp>

#include "core/value/differences.hpp"

namespace polycodec::detail {

/// True if both numbers (BOOLEAN to WIDE, same dtype) have the same bits.
bool same_bits(const View& a, const View& b);
/// True if both are the same number: integers of up to 128 bits, floats of up to 64; parts of
/// complex numbers. Other numbers (float128) only by their bits.
bool same_number(const View& a, const View& b);
/// How far two numbers (SIGNED to WIDE) are apart, and the larger of their magnitudes; of complex
/// numbers the part that differs more. NaN and NaN, or equal infinities: 0. NaN for numbers
/// that no double comes near to (float128).
struct Deviation {
  double absolute = 0;
  double magnitude = 0;
};
Deviation deviation(const View& a, const View& b);
/// The same for two doubles.
Deviation deviation(double a, double b);
/// True if numbers that are so far apart count as equal.
bool is_tolerated(const Deviation& apart, const Tolerance& tolerance);
/// True if both are the same point of time, or the same span; with `any_unit` also in two units.
bool same_time(const polycodec_time& a, const polycodec_time& b, bool is_timestamp, bool any_unit);

}  // namespace polycodec::detail
