// SPDX-License-Identifier: MIT
#include "real_text.hpp"

#include <base/decimal.hpp>

#include <dragonbox/dragonbox.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace polycodec {
namespace {

// significand * 10^exponent, without zeros at the end of the significand.
auto shortest_decimal(double value) noexcept {
  return jkj::dragonbox::to_decimal(value, jkj::dragonbox::policy::sign::ignore);
}

struct Digits {
  char text[24];
  int count = 0;
  int point = 0;  // digits before the point
};

Digits digits_of(double value) noexcept {
  const auto shortest = shortest_decimal(value);
  Digits d;
  d.count = static_cast<int>(
      std::to_chars(d.text, d.text + sizeof d.text, shortest.significand).ptr - d.text);
  d.point = d.count + shortest.exponent;
  return d;
}

char* put_exponent(char* out, int exponent, bool python) noexcept {
  *out++ = 'e';
  if (exponent < 0) *out++ = '-';
  if (exponent >= 0 && python) *out++ = '+';
  const int magnitude = exponent < 0 ? -exponent : exponent;
  if (python && magnitude < 10) *out++ = '0';
  return std::to_chars(out, out + 4, magnitude).ptr;
}

// Writes digits * 10^-places, of which all digits count: 0 < places <= 20, 0 < digits < 10^17, and
// the number is usual.
char* print_many(char* out, std::uint64_t digits, int places) noexcept {
  constexpr std::uint64_t least = 1000000000000000;  // 16 digits
  if (std::endian::native != std::endian::little || digits < least) [[unlikely]]
    return detail::print_places(out, digits, places);
  // As 17 digits, so that each has its place in a register.
  const bool has_16 = digits < 10 * least;
  const int count = has_16 ? 16 : 17;
  digits = has_16 ? 10 * digits : digits;
  const std::uint64_t high = digits / 100000000;
  const std::uint64_t top = high / 100000000;
  std::uint64_t first = detail::eight_digits(high - top * 100000000);
  const std::uint64_t second = detail::eight_digits(digits - high * 100000000);
  const int whole = count - places;
  if (whole <= 0) {
    std::memcpy(out, "0.000000", 8);
    out += 2 - whole;
    *out = static_cast<char>('0' + top);
    std::memcpy(out + 1, &first, 8);
    std::memcpy(out + 9, &second, 8);
    return out + count;
  }
  *out = static_cast<char>('0' + top);
  std::memcpy(out + 1, &first, 8);
  out[whole] = '.';
  first >>= 8 * (whole - 1);
  std::memcpy(out + whole + 1, &first, 8);
  std::memcpy(out + 10, &second, 8);
  return out + count + 1;
}

}  // namespace

char* print_real(char* out, double value, bool python) noexcept {
  const double magnitude = std::fabs(value);
  if (std::signbit(value)) *out++ = '-';
  if (magnitude < 9e15 && static_cast<double>(static_cast<std::int64_t>(magnitude)) == magnitude) {
    char* const end = print_decimal(out, static_cast<std::int64_t>(magnitude));
    end[0] = '.';
    end[1] = '0';
    return end + 2;
  }
  if (detail::is_usual(magnitude)) {
    if (char* const end = detail::print_usual(out, magnitude)) return end;
    // It takes 16 or 17 digits, of which the last are not zeros, and so places after the point.
    const auto shortest = shortest_decimal(magnitude);
    return print_many(out, shortest.significand, -shortest.exponent);
  }
  const Digits d = digits_of(magnitude);
  const int least = python ? -3 : -5;
  const int most = python ? 16 : 21;
  if (d.point < least || d.point > most) {
    *out++ = d.text[0];
    if (d.count > 1) {
      *out++ = '.';
      std::memcpy(out, d.text + 1, static_cast<std::size_t>(d.count - 1));
      out += d.count - 1;
    }
    return put_exponent(out, d.point - 1, python);
  }
  if (d.point <= 0) {
    *out++ = '0';
    *out++ = '.';
    for (int i = d.point; i < 0; ++i) *out++ = '0';
    std::memcpy(out, d.text, static_cast<std::size_t>(d.count));
    return out + d.count;
  }
  for (int i = 0; i < d.point; ++i) *out++ = i < d.count ? d.text[i] : '0';
  *out++ = '.';
  if (d.count <= d.point) {
    *out++ = '0';
    return out;
  }
  std::memcpy(out, d.text + d.point, static_cast<std::size_t>(d.count - d.point));
  return out + (d.count - d.point);
}

char* detail::print_unlike(char* const out, double value, bool python, int& places) noexcept {
  constexpr int few = 8;
  const double magnitude = std::fabs(value);
  if (!is_usual(magnitude)) return print_real(out, value, python);
  if (places < 0 && static_cast<double>(static_cast<std::int64_t>(magnitude)) != magnitude) {
    *out = '-';
    const auto shortest = shortest_decimal(magnitude);
    if (-shortest.exponent <= few) places = -shortest.exponent;
    return print_many(out + (std::signbit(value) ? 1 : 0), shortest.significand,
                      -shortest.exponent);
  }
  char* const end = print_real(out, value, python);
  const auto* const point =
      static_cast<const char*>(std::memchr(out, '.', static_cast<std::size_t>(end - out)));
  const std::ptrdiff_t found = end - point - 1;
  if (found != 1 || point[1] != '0') places = found <= few ? static_cast<int>(found) : -1;
  return end;
}

}  // namespace polycodec
