// SPDX-License-Identifier: MIT
// Floating-point numbers with the fewest digits that read back.
#pragma once

#include <base/decimal.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace polycodec {

/// Bytes that print_real() needs.
inline constexpr unsigned max_real_size = 48;

/// Writes a finite number with the fewest digits that read back, and a point or an exponent, and
/// returns the end. In the style of C++ numbers from 1e-6 to below 1e21 have no exponent (1e-7,
/// 1e21), in that of Python those from 1e-4 to below 1e16 (1e-05, 1e+16).
char* print_real(char* out, double value, bool python) noexcept;

namespace detail {

// Numbers that have no exponent in either style.
inline bool is_usual(double magnitude) noexcept {
  return magnitude >= 1e-3 && magnitude < 1e7;
}

// Writes digits * 10^-places (0 < places <= 8), a usual number, without zeros at its end.
inline char* print_few(char* out, std::uint64_t digits, int places) noexcept {
  if (std::endian::native != std::endian::little || digits >= 100000000) [[unlikely]] {
    for (; places > 1 && digits % 10 == 0; --places) digits /= 10;
    return detail::print_places(out, digits, places);
  }
  constexpr std::uint64_t zeros = 0x3030303030303030;
  std::uint64_t word = detail::eight_digits(digits);
  // At least one digit is after the point. Zeros at the other end are quicker to count.
  const int behind = std::min(__builtin_ctzll(__builtin_bswap64(word ^ zeros)) / 8, places - 1);
  const int before = __builtin_ctzll(word ^ zeros) / 8;
  word >>= 8 * before;
  const int whole = 8 - before - places;
  if (whole <= 0) [[unlikely]] {
    std::memcpy(out, "0.000000", 8);
    out += 2 - whole;
    std::memcpy(out, &word, 8);
    return out + 8 - before - behind;
  }
  std::memcpy(out, &word, 8);
  out[whole] = '.';
  word >>= 8 * whole;
  std::memcpy(out + whole + 1, &word, 8);
  return out + whole + 1 + places - behind;
}

// A number that is not like those before.
char* print_unlike(char* out, double value, bool python, int& places) noexcept;

}  // namespace detail

/// Does the same, quicker where numbers are like those before: `places` is how many digits after
/// the point they had at most, 0 at first, or -1 for more than few.
inline char* print_real(char* out, double value, bool python, int& places) noexcept {
  const double magnitude = std::fabs(value);
  if (places > 0 && detail::is_usual(magnitude)) {
    // At most 15 digits that read back: no shorter ones do, but these without zeros at their end.
    const double power = detail::exact_powers_of_ten[places];
    const auto digits = static_cast<std::int64_t>(magnitude * power + 0.5);
    if (static_cast<double>(digits) / power == magnitude) [[likely]] {
      *out = '-';
      return detail::print_few(out + (std::signbit(value) ? 1 : 0),
                               static_cast<std::uint64_t>(digits), places);
    }
  }
  return detail::print_unlike(out, value, python, places);
}

}  // namespace polycodec
