// SPDX-License-Identifier: MIT
// Numbers to text: the shortest decimals that read back. Included by decimal.hpp.
#pragma once

#include <bit>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace polycodec {
namespace detail {

inline constexpr double exact_powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// How many places a number from 1e-3 to 1e7 is to be moved so that it has `digits` digits before
// the point.
inline int places_for(double value, int digits) noexcept {
  int whole = value < 1 ? (value < 0.01 ? -2 : value < 0.1 ? -1 : 0) : 1;
  while (whole > 0 && value >= exact_powers_of_ten[whole]) ++whole;
  return digits - whole;
}

// The eight digits of a number below 10^8, in the order of memory on a little-endian machine.
inline std::uint64_t eight_digits(std::uint64_t value) noexcept {
  const std::uint64_t high = value / 10000;
  const std::uint64_t fours = high | (value - high * 10000) << 32;
  const std::uint64_t hundreds = (fours * 10486 >> 20) & 0x0000007f0000007f;
  const std::uint64_t twos = hundreds | (fours - hundreds * 100) << 16;
  const std::uint64_t tens = (twos * 103 >> 10) & 0x000f000f000f000f;
  return (tens | (twos - tens * 10) << 8) | 0x3030303030303030;
}

// Writes digits * 10^-places; 0 <= places <= 19, 0 < digits < 10^17. Writes up to 24 bytes after
// the text.
inline char* print_places(char* out, std::uint64_t digits, int places) noexcept {
  if (std::endian::native == std::endian::little && digits < 100000000) {  // all in one word
    std::uint64_t word = eight_digits(digits);
    const int zeros = std::countr_zero(word ^ 0x3030303030303030) / 8;
    word >>= 8 * zeros;
    const int whole = 8 - zeros - places;
    if (whole > 0) {
      std::memcpy(out, &word, 8);
      if (places == 0) return out + whole;
      out[whole] = '.';
      word >>= 8 * whole;
      std::memcpy(out + whole + 1, &word, 8);
      return out + whole + 1 + places;
    }
    std::memcpy(out, "0.000000", 8);
    out += 2 - whole;
    std::memcpy(out, &word, 8);
    return out + 8 - zeros;
  }
  char text[48];
  int size = 0;
  if constexpr (std::endian::native == std::endian::little) {
    const std::uint64_t high = digits / 100000000;
    const std::uint64_t top = high / 100000000;
    const std::uint64_t words[2] = {eight_digits(high - top * 100000000),
                                    eight_digits(digits - high * 100000000)};
    int zeros = words[0] == 0x3030303030303030
                    ? 8 + std::countr_zero(words[1] ^ 0x3030303030303030) / 8
                    : std::countr_zero(words[0] ^ 0x3030303030303030) / 8;
    if (top != 0) zeros = -1;
    char padded[48];
    padded[0] = static_cast<char>('0' + top);
    std::memcpy(padded + 1, words, 16);
    std::memcpy(text, padded + 1 + zeros, 24);
    size = 16 - zeros;
  } else {
    size = static_cast<int>(std::to_chars(text, text + 24, digits).ptr - text);
  }
  const int whole = size - places;
  if (whole > 0) {
    std::memcpy(out, text, 24);
    if (places <= 0) return out + size;
    out[whole] = '.';
    std::memcpy(out + whole + 1, text + whole, 24);
    return out + size + 1;
  }
  std::memcpy(out, "0.000000", 8);
  out += 2 - whole;
  std::memcpy(out, text, 24);
  return out + size;
}

// The shortest decimal between the floats next to `value` (1e-3 <= value < 1e7); NULL where that
// takes more care. In double precision the borders of the interval are exact, and the products are
// off by far less than the margin.
inline char* print_usual(char* out, float value) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7fffff) == 0) return nullptr;  // powers of two: the interval is lopsided
  const auto exact = static_cast<double>(value);
  const double half_step =
      std::bit_cast<double>(static_cast<std::uint64_t>((bits >> 23) - 127 - 24 + 1023) << 52);
  int places = places_for(exact, 9);
  const double power = exact_powers_of_ten[places];
  constexpr double margin = 1e-6;
  const double from = (exact - half_step) * power;
  const double to = (exact + half_step) * power;
  auto low = static_cast<std::uint32_t>(from + margin) + 1;
  auto high = static_cast<std::uint32_t>(to - margin);
  // A border that is next to a whole number: the margin would decide.
  if (low > high || low != static_cast<std::uint32_t>(from - margin) + 1 ||
      high != static_cast<std::uint32_t>(to + margin))
    return nullptr;
  double shift = 1;
  while (places > 0) {
    const std::uint32_t shorter_low = (low + 9) / 10;
    const std::uint32_t shorter_high = high / 10;
    if (shorter_low > shorter_high) break;
    low = shorter_low;
    high = shorter_high;
    shift *= 10;
    --places;
  }
  const double scaled = exact * power / shift;  // exact, if it is halfway between two integers
  auto nearest = static_cast<std::uint32_t>(scaled + 0.5);
  if (static_cast<double>(nearest) - scaled == 0.5) nearest &= ~1u;  // to even, as others do
  nearest = nearest < low ? low : nearest > high ? high : nearest;
  return print_places(out, nearest, places);
}

// `value` (1e-3 <= value < 1e7) if it has at most 15 digits; otherwise NULL. No two decimals of 15
// digits are the same double, so if one of them is this double, no shorter one but itself without
// its zeros is.
inline char* print_usual(char* out, double value) noexcept {
  int places = places_for(value, 15);
  const double power = exact_powers_of_ten[places];
  auto digits = static_cast<std::uint64_t>(value * power + 0.5);
  // Both are exact, so the quotient is the double that the decimal reads as.
  if (static_cast<double>(digits) / power != value) return nullptr;
  // Most numbers have few digits, and so many zeros.
  if (places >= 8 && digits % 100000000 == 0) digits /= 100000000, places -= 8;
  if (places >= 4 && digits % 10000 == 0) digits /= 10000, places -= 4;
  if (places >= 2 && digits % 100 == 0) digits /= 100, places -= 2;
  for (; places > 0 && digits % 10 == 0; --places) digits /= 10;
  return print_places(out, digits, places);
}

}  // namespace detail

/// Bytes that print_decimal() needs: the longest text is 24, but whole words are written.
inline constexpr std::size_t max_decimal_size = 48;

/// Writes a number as text to `out`, which has max_decimal_size bytes, and returns the end of the
/// text (no NUL). Floating-point numbers are the shortest decimals that read back as the same T, or
/// nan, -nan, inf, -inf. [thread-safe]
template <class T>
requires std::is_arithmetic_v<T>
inline char* print_decimal(char* out, T value) noexcept {
  if constexpr (std::same_as<T, float> || std::same_as<T, double>) {
    const T magnitude = std::fabs(value);
    if (magnitude >= T(1e-3) && magnitude < T(1e7)) [[likely]] {
      char* const digits = out + (value < 0 ? 1 : 0);
      if (char* const end = detail::print_usual(digits, magnitude)) {
        if (value < 0) *out = '-';
        return end;
      }
    }
  } else if constexpr (std::integral<T> && !std::same_as<T, bool>) {
    const bool negative = std::signed_integral<T> && value < T(0);
    const auto bits = static_cast<std::uint64_t>(value);
    const std::uint64_t magnitude = negative ? 0 - bits : bits;
    if (magnitude - 1 < 99999999) [[likely]] {
      *out = '-';
      return detail::print_places(out + (negative ? 1 : 0), magnitude, 0);
    }
  }
  return std::to_chars(out, out + max_decimal_size, value).ptr;
}

}  // namespace polycodec
