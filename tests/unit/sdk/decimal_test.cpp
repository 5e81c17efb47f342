// SPDX-License-Identifier: MIT
// Numbers to text and back, against the standard library.
#include <base/decimal.hpp>

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

}  // namespace
}  // namespace polycodec
