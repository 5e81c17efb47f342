// SPDX-License-Identifier: MIT
// Numbers to text: the shortest decimals that read back. Included by decimal.hpp.
#pragma once

#include <base/decimal_power.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string_view>
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

inline constexpr std::uint64_t exact_tens[] = {1,         10,         100,         1000,
                                               10000,     100000,     1000000,     10000000,
                                               100000000, 1000000000, 10000000000, 100000000000};

// 2^64 / 10^i, rounded up.
inline constexpr auto inverse_tens = [] {
  std::array<std::uint64_t, 12> all{};
  for (std::size_t i = 1; i < all.size(); ++i) all[i] = UINT64_MAX / exact_tens[i] + 1;
  return all;
}();

// value / 10^places for 0 < places < 12: the error of the inverse is too small to matter.
inline std::uint64_t over_ten_to(std::uint32_t value, unsigned places) noexcept {
#ifdef __wasm__  // it has no product of 128 bits
  const std::uint64_t high = inverse_tens[places] >> 32, low = inverse_tens[places] & UINT32_MAX;
  return (high * value + (low * value >> 32)) >> 32;
#else
  return static_cast<std::uint64_t>(Wide{inverse_tens[places]} * value >> 64);
#endif
}

// Writes digits * 10^-places; 0 < digits < 2^30, places < 12. It writes what is before the point
// and after it without a look at where the digits begin.
inline char* print_short_places(char* out, std::uint32_t digits, unsigned places) noexcept {
  if (places == 0) return print_places(out, digits, 0);
  const std::uint64_t whole = over_ten_to(digits, places);
  const auto fraction = static_cast<std::uint32_t>(digits - whole * exact_tens[places]);
  if (whole < 10) [[likely]]
    *out++ = static_cast<char>('0' + whole);
  else
    out = print_places(out, whole, 0);
  *out++ = '.';
  const auto put = [out](unsigned at, std::uint64_t eight) {
    const std::uint64_t word = eight_digits(eight);
    std::memcpy(out + at, &word, 8);
  };
  if (places <= 8) [[likely]] {
    put(0, fraction * exact_tens[8 - places]);
  } else {
    const std::uint64_t first = over_ten_to(fraction, places - 8);
    put(0, first);
    put(8, (fraction - first * exact_tens[places - 8]) * exact_tens[16 - places]);
  }
  return out + places;
}

// For each binade from 2^-10 on, where a power of ten divides it, and how many places move a number
// below it so that it has nine digits before the point.
struct Binade {
  std::uint32_t border;
  std::uint32_t places;
};
inline constexpr auto binades = [] {
  std::array<Binade, 32> all{};
  constexpr float powers[] = {1e-3f, 1e-2f, 1e-1f, 1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f};
  for (std::uint32_t i = 0, k = 0; i < all.size(); ++i) {
    while (std::bit_cast<std::uint32_t>(powers[k]) <= (117 + i) << 23) ++k;
    all[i] = {std::bit_cast<std::uint32_t>(powers[k]), 12 - k};
  }
  return all;
}();

// The shortest decimal between the floats next to a number from 1e-3 to 2^22, which is given by its
// bits. The work is exact: all numbers are integers of less than 64 bits. No border of the interval
// is one, and powers of two, whose interval is lopsided, have less than nine digits themselves.
inline char* print_usual(char* out, std::uint32_t bits) noexcept {
  const Binade binade = binades[(bits >> 23) - 117];
  const unsigned places = binade.places - (bits >= binade.border ? 1 : 0);
  const unsigned shift = 151 - (bits >> 23);
  const std::uint64_t half_step = exact_tens[places];
  const std::uint64_t exact = std::uint64_t{2 * ((bits & 0x7fffff) | 0x800000)} * half_step;
  const auto low = static_cast<std::uint32_t>((exact - half_step) >> shift) + 1;
  const auto high = static_cast<std::uint32_t>((exact + half_step) >> shift);
  // A branch would be mispredicted: whether up to two digits can be dropped is nearly random.
  unsigned dropped = (high / 10 * 10 >= low ? 1 : 0) + (high / 100 * 100 >= low ? 1 : 0);
  while (dropped >= 2 && dropped < places) {
    const std::uint64_t step = exact_tens[dropped + 1];
    if (over_ten_to(high, dropped + 1) * step < low) break;
    ++dropped;
  }
  const auto whole = static_cast<std::uint32_t>(exact >> shift);
  auto nearest = dropped == 0 ? whole : static_cast<std::uint32_t>(over_ten_to(whole, dropped));
  const std::uint64_t half = (exact_tens[dropped] << shift) >> 1;
  const std::uint64_t rest = exact - ((nearest * exact_tens[dropped]) << shift);
  // To even, as others do.
  nearest += (rest > half ? 1u : 0u) | ((rest == half ? 1u : 0u) & nearest & 1u);
  return print_short_places(out, nearest, places - dropped);
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
  if constexpr (std::same_as<T, float>) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    // From 1e-3 to 2^22: above it, borders between floats are integers.
    if (const std::uint32_t magnitude = bits & 0x7fffffff;
        magnitude - 0x3a83126f < 0x4a800000 - 0x3a83126f) [[likely]] {
      *out = '-';
      return detail::print_usual(out + (bits >> 31), magnitude);
    }
  } else if constexpr (std::same_as<T, double>) {
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
  if constexpr (std::floating_point<T>)
    if (std::isnan(value)) {  // libraries of C++ differ in this word
      constexpr std::string_view text = "-nan";
      return std::ranges::copy(text.substr(std::signbit(value) ? 0 : 1), out).out;
    }
  return std::to_chars(out, out + max_decimal_size, value).ptr;
}

}  // namespace polycodec
