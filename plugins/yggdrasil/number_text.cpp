// SPDX-License-Identifier: MIT
#include "number_text.hpp"

#include <base/decimal.hpp>

#include <dragonbox/dragonbox.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace polycodec::yggdrasil {
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
  if (magnitude >= 1e-3 && magnitude < 1e7) {
    if (char* const end = detail::print_usual(out, magnitude)) return end;
    // It takes 16 or 17 digits, of which the last are not zeros, and so places behind the point.
    const auto shortest = shortest_decimal(magnitude);
    return detail::print_places(out, shortest.significand, -shortest.exponent);
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

}  // namespace polycodec::yggdrasil
