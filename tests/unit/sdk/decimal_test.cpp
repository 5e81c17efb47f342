// SPDX-License-Identifier: MIT
// Numbers to text and back, against the standard library.
#include <base/decimal.hpp>
#include <base/json_number.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace polycodec {
namespace {

template <class T>
std::string printed(T value) {
  char text[max_decimal_size];
  return {text, print_decimal(text, value)};
}

// The significant digits of a number, without its point, exponent and zeros at either end.
std::string digits_of(std::string_view text) {
  std::string found;
  for (const char c : text.substr(0, text.find('e')))
    if (c >= '0' && c <= '9' && (c != '0' || !found.empty())) found += c;
  while (!found.empty() && found.back() == '0') found.pop_back();
  return found;
}

// What a number is written as: the shortest text that reads back, which has as many digits as the
// standard library's.
template <class T>
void expect_shortest(T value) {
  const std::string ours = printed(value);
  char text[64];
  const std::string shortest(text, std::to_chars(text, text + sizeof text, value).ptr);
  EXPECT_EQ(digits_of(ours), digits_of(shortest));
  T again{};
  const auto read = std::from_chars(ours.data(), ours.data() + ours.size(), again);
  EXPECT_EQ(read.ptr, ours.data() + ours.size()) << ours;
  EXPECT_EQ(again, value) << ours;
  EXPECT_EQ(std::signbit(again), std::signbit(value)) << ours;
  T parsed{};
  const DecimalEnd end = parse_decimal(ours.data(), ours.data() + ours.size(), parsed);
  EXPECT_EQ(end.status, DecimalStatus::ok) << ours;
  EXPECT_EQ(end.end, ours.data() + ours.size()) << ours;
  EXPECT_EQ(parsed, value) << ours;
}

template <class T>
void expect_integer(T value) {
  EXPECT_EQ(printed(value), std::to_string(value));
}

template <class T>
void integers_around_powers() {
  using Limits = std::numeric_limits<T>;
  for (const T value :
       {Limits::min(), T(Limits::min() + 1), T(0), T(1), T(Limits::max() - 1), Limits::max()})
    expect_integer(value);
  for (T power = 1; power <= Limits::max() / 10; power = static_cast<T>(power * 10)) {
    for (const int by : {-1, 0, 1, 7}) {
      const T value = static_cast<T>(power * 10 + static_cast<T>(by));
      expect_integer(value);
      if constexpr (std::is_signed_v<T>) expect_integer(static_cast<T>(-value));
    }
    if (power == Limits::max() / 10) break;
  }
}

TEST(Decimal, IntegersOfEveryWidth) {
  for (int i = -128; i < 256; ++i) {
    expect_integer(static_cast<std::int8_t>(i));
    expect_integer(static_cast<std::uint8_t>(i));
  }
  integers_around_powers<std::int16_t>();
  integers_around_powers<std::uint16_t>();
  integers_around_powers<std::int32_t>();
  integers_around_powers<std::uint32_t>();
  integers_around_powers<std::int64_t>();
  integers_around_powers<std::uint64_t>();
}

TEST(Decimal, RandomIntegers) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100000; ++i) {
    const std::uint64_t bits = random() >> random() % 64;
    expect_integer(bits);
    expect_integer(static_cast<std::int64_t>(bits));
    expect_integer(-static_cast<std::int64_t>(bits >> 1));
  }
}

TEST(Decimal, RandomBitsOfDoubles) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 200000; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (std::isfinite(value)) expect_shortest(value);
  }
}

TEST(Decimal, DoublesOfAnyNumberOfDigits) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 200000; ++i) {
    std::string text = std::to_string(random() >> random() % 64);
    text.insert(random() % (text.size() + 1), ".");
    if (text.front() == '.') text.insert(0, "0");
    if (text.back() == '.') text += '0';
    const double value = std::stod(text);
    expect_shortest(value);
    expect_shortest(-value);
    expect_shortest(std::nextafter(value, 1e300));
    expect_shortest(static_cast<float>(value));
  }
}

// Digits and exponents of any kind, among them numbers halfway between two doubles.
TEST(Decimal, DigitsAndExponentsAreRoundedOnce) {
  std::mt19937_64 random(5);
  const auto check = [](std::uint64_t digits, int exponent) {
    const std::string text = std::to_string(digits) + 'e' + std::to_string(exponent);
    double expected = 0;
    std::from_chars(text.data(), text.data() + text.size(), expected);
    ASSERT_EQ(detail::decimal_value(digits, exponent), expected) << text;
    double parsed = 0;
    parse_decimal(text.data(), text.data() + text.size(), parsed);
    ASSERT_EQ(parsed, expected) << text;
    float single = 0;
    float expected_single = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), expected_single).ec;
    parse_decimal(text.data(), text.data() + text.size(), single);
    if (read == std::errc()) {
      ASSERT_EQ(single, expected_single) << text;
    }
  };
  for (int exponent = -detail::greatest_power; exponent <= detail::greatest_power; ++exponent) {
    for (int i = 0; i < 4000; ++i) check(random() >> random() % 64, exponent);
    for (const std::uint64_t digits : {std::uint64_t{0}, std::uint64_t{1}, UINT64_MAX,
                                       std::uint64_t{1} << 53, std::uint64_t{1} << 63})
      for (std::uint64_t by = 0; by < 3; ++by) check(digits + by - 1, exponent);
  }
  // Odd multiples of half a step: 54 bits, times or divided by what keeps them integers.
  for (int i = 0; i < 100000; ++i) {
    const std::uint64_t half = (std::uint64_t{1} << 53 | (random() >> 11)) | 1;
    for (std::uint64_t by = 0; by < 3; ++by) check(half + by - 1, 0);
    std::uint64_t power = 1;
    for (int exponent = 1; half / 4 * 5 <= UINT64_MAX / (5 * power) && exponent < 5; ++exponent) {
      power *= 5;  // half * 5^n * 10^-n = half / 2^n
      check(half * power, -exponent);
    }
    for (int exponent = 1; exponent <= 23; ++exponent) {
      std::uint64_t five = 1;
      for (int n = 0; n < exponent; ++n) five *= 5;
      check(half / five * 1, exponent);  // near the multiples of 10^n
    }
  }
}

TEST(Decimal, BordersOfTheUsualRange) {
  for (const double border :
       {1e-3, 1e-2, 1e-1, 1.0, 10.0, 1e6, 1e7, 1e15, 1e16, 1e22, 1e23, 9007199254740992.0}) {
    double below = border, above = border;
    for (int i = 0; i < 1000; ++i) {
      expect_shortest(below);
      expect_shortest(above);
      expect_shortest(static_cast<float>(below));
      expect_shortest(static_cast<float>(above));
      below = std::nextafter(below, 0.0);
      above = std::nextafter(above, 1e300);
    }
  }
}

TEST(Decimal, EveryHundredthFloat) {
  std::mt19937 random(4);
  for (std::uint64_t bits = 0; bits < 0x7f800000; bits += 1 + random() % 20000)
    expect_shortest(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
}

TEST(Decimal, PlacesOfUpToSeventeenDigits) {
  const auto places = [](std::uint64_t digits, int count) {
    char text[max_decimal_size];
    return std::string(text, detail::print_places(text, digits, count));
  };
  EXPECT_EQ(places(12345678901234567, 16), "1.2345678901234567");
  EXPECT_EQ(places(12345678901234567, 17), "0.12345678901234567");
  EXPECT_EQ(places(12345678901234567, 19), "0.0012345678901234567");
  EXPECT_EQ(places(99999999999999999, 10), "9999999.9999999999");
  EXPECT_EQ(places(10000000000000001, 1), "1000000000000000.1");
  EXPECT_EQ(places(1234567890123456, 9), "1234567.890123456");
  EXPECT_EQ(places(123456789, 0), "123456789");
  EXPECT_EQ(places(5, 3), "0.005");
}

// The digits of to_chars, with an exponent below 1e-4 and from 1e16 on.
std::string laid_out(double value) {
  char text[64];
  const std::string shortest(
      text,
      std::to_chars(text, text + sizeof text, std::fabs(value), std::chars_format::scientific).ptr);
  const std::size_t e = shortest.find('e');
  const int exponent = std::stoi(shortest.substr(e + 1));
  std::string digits = shortest.substr(0, 1);
  if (e > 2) digits += shortest.substr(2, e - 2);
  std::string made = std::signbit(value) ? "-" : "";
  if (exponent < -4 || exponent >= 16) return made + shortest;
  if (exponent < 0)
    return made + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() < whole + 1) digits.resize(whole, '0');
  if (digits.size() == whole) digits += '0';
  return made + digits.substr(0, whole) + "." + digits.substr(whole);
}

TEST(WriteDouble, IsTheShortestTextThatReadsBack) {
  const auto expect_laid_out = [](double value) {
    char text[text::max_number_size];
    for (const double number : {value, -value})
      EXPECT_EQ(std::string(text, text::write_double(text, number)), laid_out(number));
  };
  for (const double value : {0.0, 1.0, 0.1, 0.5, 1e-4, 9.9e-5, 1e15, 9e15, 9007199254740993.0, 1e16,
                             123456789012345680.0, 1e21, 5e-324, 2.2250738585072014e-308,
                             1.7976931348623157e308, 0.001, 0.00123, 9999999.999999998})
    expect_laid_out(value);
  std::mt19937_64 random(11);
  for (int i = 0; i < 200'000; ++i) {
    const double bits = std::bit_cast<double>(random());
    if (std::isfinite(bits)) expect_laid_out(bits);
    const double part = static_cast<double>(random() >> 11) * 0x1p-53;
    expect_laid_out(part);
    expect_laid_out(part * 2e7);
    expect_laid_out(std::round(part * 1e9) / 1e4);
    expect_laid_out(std::round(part * 1e17));
  }
}

}  // namespace
}  // namespace polycodec
