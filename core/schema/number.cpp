// SPDX-License-Identifier: MIT
#include "number.hpp"

#include <polycodec/dtype.hpp>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace polycodec::schema {
namespace {

std::partial_ordering compare_magnitude(std::uint64_t whole, double positive) noexcept {
  if (positive >= 0x1p64) return std::partial_ordering::less;
  const double floor = std::floor(positive);
  const auto other = static_cast<std::uint64_t>(floor);
  if (whole != other)
    return whole < other ? std::partial_ordering::less : std::partial_ordering::greater;
  return floor < positive ? std::partial_ordering::less : std::partial_ordering::equivalent;
}

std::partial_ordering reversed(std::partial_ordering order) noexcept {
  if (order == std::partial_ordering::less) return std::partial_ordering::greater;
  return order == std::partial_ordering::greater ? std::partial_ordering::less : order;
}

std::partial_ordering compare_whole(const Number& whole, double real) noexcept {
  if (std::isnan(real)) return std::partial_ordering::unordered;
  const bool negative = whole.negative && whole.magnitude != 0;
  if (negative != (real < 0))
    return negative ? std::partial_ordering::less : std::partial_ordering::greater;
  const auto order = compare_magnitude(whole.magnitude, std::fabs(real));
  return negative ? reversed(order) : order;
}

double to_double(const Number& number) noexcept {
  if (!number.whole) return number.real;
  const auto magnitude = static_cast<double>(number.magnitude);
  return number.negative ? -magnitude : magnitude;
}

}  // namespace

std::optional<Number> number_of(const View& item) {
  switch (item.kind()) {
    case POLYCODEC_KIND_SIGNED:
      return Number::of(item.as_int64());
    case POLYCODEC_KIND_UNSIGNED:
      return Number::of(item.as_uint64());
    case POLYCODEC_KIND_FLOAT:
      return Number::of(item.as_double());
    case POLYCODEC_KIND_WIDE: {
      if (!is_integer(item.dtype())) return std::nullopt;
      std::byte bits[16] = {};
      item.copy_bits(bits);
      std::uint64_t parts[2];
      std::memcpy(parts, bits, 16);
      constexpr bool little = std::endian::native == std::endian::little;
      const std::uint64_t low = parts[little ? 0 : 1];
      const std::uint64_t high = parts[little ? 1 : 0];
      const bool negative = is_signed_integer(item.dtype()) && (high >> 63) != 0;
      const std::uint64_t low_magnitude = negative ? ~low + 1 : low;
      const std::uint64_t high_magnitude = negative ? ~high + (low == 0 ? 1 : 0) : high;
      if (high_magnitude == 0) return Number{true, negative, low_magnitude, 0};
      const double value =
          static_cast<double>(high_magnitude) * 0x1p64 + static_cast<double>(low_magnitude);
      return Number::of(negative ? -value : value);
    }
    default:
      return std::nullopt;
  }
}

std::partial_ordering compare(const Number& a, const Number& b) noexcept {
  if (!a.whole && !b.whole) return a.real <=> b.real;
  if (!a.whole) return reversed(compare_whole(b, a.real));
  if (!b.whole) return compare_whole(a, b.real);
  const bool a_negative = a.negative && a.magnitude != 0;
  const bool b_negative = b.negative && b.magnitude != 0;
  if (a_negative != b_negative)
    return a_negative ? std::partial_ordering::less : std::partial_ordering::greater;
  return a_negative ? b.magnitude <=> a.magnitude : a.magnitude <=> b.magnitude;
}

bool is_multiple(const Number& number, const Number& step) noexcept {
  if (number.whole && step.whole)
    return step.magnitude != 0 && number.magnitude % step.magnitude == 0;
  const double quotient = to_double(number) / to_double(step);
  return std::isfinite(quotient) &&
         std::fabs(quotient - std::rint(quotient)) <=
             4 * std::numeric_limits<double>::epsilon() * std::fabs(quotient);
}

std::string to_text(const Number& number) {
  char text[40];
  if (number.whole)
    return (number.negative && number.magnitude != 0 ? "-" : "") + std::to_string(number.magnitude);
  return {text, std::to_chars(text, text + sizeof text, number.real).ptr};
}

}  // namespace polycodec::schema
