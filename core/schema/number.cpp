// SPDX-License-Identifier: MIT
#include "number.hpp"

#include <polycodec/detail/half.hpp>
#include <polycodec/dtype.hpp>

#include "facet.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace polycodec::schema {
namespace {

using text::Uint128;

std::partial_ordering reversed(std::partial_ordering order) noexcept {
  return 0 <=> order;
}

bool is_zero(const Number& number) noexcept {
  return number.whole ? number.magnitude == 0 && number.digits.empty() : number.real == 0;
}

std::partial_ordering compare_digits(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return a.size() <=> b.size();
  return a.compare(b) <=> 0;
}

// Of an integer without its sign and a float that is not negative.
std::partial_ordering compare_magnitude(const Number& whole, double positive) noexcept {
  if (!whole.digits.empty()) {
    if (positive < 0x1p128) return std::partial_ordering::greater;
    if (std::isinf(positive)) return std::partial_ordering::less;
    std::array<char, 320> exact;
    const auto* end = std::to_chars(exact.data(), exact.data() + exact.size(), positive,
                                    std::chars_format::fixed, 0)
                          .ptr;
    return compare_digits(whole.digits, {exact.data(), end});
  }
  if (positive >= 0x1p128) return std::partial_ordering::less;
  const double floor = std::floor(positive);
  const auto other = static_cast<Uint128>(floor);
  if (whole.magnitude != other)
    return whole.magnitude < other ? std::partial_ordering::less : std::partial_ordering::greater;
  return floor < positive ? std::partial_ordering::less : std::partial_ordering::equivalent;
}

std::partial_ordering compare_whole(const Number& whole, double real) noexcept {
  if (std::isnan(real)) return std::partial_ordering::unordered;
  const bool negative = whole.negative && !is_zero(whole);
  if (negative != (real < 0))
    return negative ? std::partial_ordering::less : std::partial_ordering::greater;
  const auto order = compare_magnitude(whole, std::fabs(real));
  return negative ? reversed(order) : order;
}

// All digits of a number without its sign, as digits * 10^exponent.
struct Decimal {
  std::array<char, text::max_number_size> memory;
  std::string_view digits;
  int exponent = 0;

  explicit Decimal(const Number& number) noexcept {
    if (number.digits.empty()) {
      read({memory.data(), write(number)});
    } else {
      digits = number.digits;
    }
    while (!digits.empty() && digits.back() == '0') digits.remove_suffix(1), ++exponent;
  }

 private:
  char* write(const Number& number) noexcept {
    const double positive = std::fabs(number.real);
    return number.whole         ? text::write_unsigned128(memory.data(), number.magnitude)
           : number.width == 64 ? text::write_double(memory.data(), positive)
           : number.width == 32 ? text::write_float(memory.data(), static_cast<float>(positive))
                                : text::write_half(memory.data(), double_to_half(positive));
  }
  // "12.5e-7" is 125 times 10^-8. The digits move together where they are.
  void read(std::string_view text) noexcept {
    const std::size_t end = std::min(text.find('e'), text.size());
    if (end != text.size()) {
      const bool plus = text[end + 1] == '+';
      std::from_chars(text.data() + end + (plus ? 2 : 1), text.data() + text.size(), exponent);
    }
    const std::size_t point = std::min(text.find('.'), end);
    if (point != end) {
      exponent -= static_cast<int>(end - point - 1);
      std::memmove(memory.data() + point, memory.data() + point + 1, end - point - 1);
    }
    digits = {memory.data(), point == end ? end : end - 1};
    digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  }
};

// What is left of the digits with `zeros` zeros after them, divided by `divisor`.
template <class Unsigned>
Unsigned rest_of(std::string_view digits, int zeros, Unsigned divisor) noexcept {
  const auto sum = [divisor](Unsigned a, Unsigned b) {
    return a >= divisor - b ? static_cast<Unsigned>(a - (divisor - b))
                            : static_cast<Unsigned>(a + b);
  };
  const auto next = [&](Unsigned rest, char digit) {
    const auto added = static_cast<Unsigned>(digit - '0');
    if constexpr (sizeof(Unsigned) <= 8) {
      if (divisor <= std::numeric_limits<Unsigned>::max() / 16)
        return static_cast<Unsigned>((rest * 10 + added) % divisor);
    }
    const Unsigned two = sum(rest, rest);
    const Unsigned four = sum(two, two);
    return sum(sum(sum(four, four), two), static_cast<Unsigned>(added % divisor));
  };
  Unsigned rest = 0;
  for (const char digit : digits) rest = next(rest, digit);
  for (; zeros > 0 && rest != 0; --zeros) rest = next(rest, '0');
  return rest;
}

}  // namespace

std::optional<Number> number_of(const View& item) {
  switch (item.kind()) {
    case POLYCODEC_KIND_SIGNED:
      return Number::of(item.as_int64());
    case POLYCODEC_KIND_UNSIGNED:
      return Number::of(item.as_uint64());
    case POLYCODEC_KIND_FLOAT:
      return Number::of(item.as_double(), static_cast<std::uint8_t>(8 * dtype_size(item.dtype())));
    case POLYCODEC_KIND_WIDE: {
      if (!is_integer(item.dtype())) return std::nullopt;
      std::byte bits[16] = {};
      item.copy_bits(bits);
      Uint128 value;
      std::memcpy(&value, bits, 16);
      const bool negative = is_signed_integer(item.dtype()) && (value >> 127) != 0;
      return Number{true, negative, negative ? Uint128{0} - value : value};
    }
    case POLYCODEC_KIND_EXTENSION: {
      auto digits = long_integer(item);
      if (!digits) return std::nullopt;
      const bool negative = digits->starts_with('-');
      digits->remove_prefix(negative ? 1 : 0);
      digits->remove_prefix(std::min(digits->find_first_not_of('0'), digits->size() - 1));
      if (const auto small = text::read_integer(*digits))
        return Number{true, negative, small->magnitude};
      return Number{true, negative, 0, 0, 64, *digits};
    }
    default:
      return std::nullopt;
  }
}

std::partial_ordering compare(const Number& a, const Number& b) noexcept {
  if (!a.whole && !b.whole) return a.real <=> b.real;
  if (!a.whole) return reversed(compare_whole(b, a.real));
  if (!b.whole) return compare_whole(a, b.real);
  const bool a_negative = a.negative && !is_zero(a);
  const bool b_negative = b.negative && !is_zero(b);
  if (a_negative != b_negative)
    return a_negative ? std::partial_ordering::less : std::partial_ordering::greater;
  const auto order = a.digits.empty() && b.digits.empty()
                         ? std::partial_ordering(a.magnitude <=> b.magnitude)
                         : compare_digits(a.digits, b.digits);
  return a_negative ? reversed(order) : order;
}

bool is_multiple(const Number& number, const Number& step) noexcept {
  if (is_zero(step) || !std::isfinite(number.real) || !std::isfinite(step.real)) return false;
  if (is_zero(number)) return true;
  if (number.whole && step.whole && number.digits.empty() && step.digits.empty())
    return number.magnitude % step.magnitude == 0;
  const Decimal value(number);
  const Decimal divisor(step);
  // The last digit of a decimal is not 0: it is not a multiple of a step with more zeros.
  const int zeros = value.exponent - divisor.exponent;
  if (zeros < 0) return false;
  const auto whole = text::read_integer(divisor.digits);
  if (!whole) return false;  // no number of a schema is that long
  if (whole->magnitude <= std::numeric_limits<std::uint64_t>::max())
    return rest_of(value.digits, zeros, static_cast<std::uint64_t>(whole->magnitude)) == 0;
  return rest_of(value.digits, zeros, whole->magnitude) == 0;
}

double to_double(const Number& number) noexcept {
  if (!number.whole) return number.real;
  auto magnitude = static_cast<double>(number.magnitude);
  if (!number.digits.empty())
    magnitude = text::read_double(number.digits).value_or(std::numeric_limits<double>::infinity());
  return number.negative ? -magnitude : magnitude;
}

std::string to_text(const Number& number) {
  char text[text::max_number_size];
  if (number.whole) {
    const std::string sign = number.negative && !is_zero(number) ? "-" : "";
    if (!number.digits.empty()) return sign + std::string(number.digits);
    return sign + std::string(text, text::write_unsigned128(text, number.magnitude));
  }
  if (number.width == 32)
    return {text, std::to_chars(text, text + sizeof text, static_cast<float>(number.real)).ptr};
  return {text, std::to_chars(text, text + sizeof text, number.real).ptr};
}

}  // namespace polycodec::schema
