// SPDX-License-Identifier: MIT
// Batches of numbers as text, against the text of each number alone.
#include <base/decimal.hpp>
#include <base/decimal_batch.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace polycodec {
namespace {

template <class T>
std::string alone(T number) {
  char text[max_decimal_size];
  return {text, print_decimal(text, number)};
}

template <class Texts>
std::string text_of(const Texts& texts, std::size_t i) {
  char text[16];
  return {text, texts.put(text, i)};
}

void expect_same(const std::vector<float>& numbers) {
  FloatTexts texts;
  for (std::size_t at = 0; at < numbers.size(); at += decimal_batch) {
    const std::size_t count = std::min(decimal_batch, numbers.size() - at);
    texts.print(reinterpret_cast<const std::byte*>(&numbers[at]), sizeof(float), count);
    for (std::size_t i = 0; i < count; ++i)
      ASSERT_EQ(text_of(texts, i), alone(numbers[at + i]))
          << std::bit_cast<std::uint32_t>(numbers[at + i]);
  }
}

void expect_same(const std::vector<std::uint32_t>& numbers) {
  IntegerTexts texts;
  for (std::size_t at = 0; at < numbers.size(); at += decimal_batch) {
    const std::size_t count = std::min(decimal_batch, numbers.size() - at);
    std::array<std::uint32_t, decimal_batch> batch{};
    std::copy_n(&numbers[at], count, batch.begin());
    texts.print(batch, count);
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(text_of(texts, i), alone(numbers[at + i]));
  }
}

TEST(DecimalBatch, FloatsOfAllBits) {
  std::mt19937 random(1);
  std::vector<float> numbers(400'000);
  for (float& number : numbers) number = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
  expect_same(numbers);
  // Those that are worked on together.
  for (float& number : numbers) {
    const auto magnitude = 0x3a000000 + static_cast<std::uint32_t>(random()) % 0xe000000;
    number = std::bit_cast<float>(magnitude);
    if (random() % 2 == 0) number = -number;
  }
  expect_same(numbers);
}

TEST(DecimalBatch, FloatsOfFewDigits) {
  std::mt19937 random(2);
  std::vector<float> numbers;
  for (int places = 0; places < 9; ++places)
    for (int i = 0; i < 30'000; ++i)
      numbers.push_back(static_cast<float>(static_cast<double>(random() % 2'000'000) *
                                           std::pow(10.0, -places) * (i % 2 == 0 ? 1 : -1)));
  expect_same(numbers);
}

TEST(DecimalBatch, FloatsAtBorders) {
  std::vector<float> numbers{0.0f,
                             -0.0f,
                             std::numeric_limits<float>::infinity(),
                             -std::numeric_limits<float>::infinity(),
                             std::numeric_limits<float>::quiet_NaN(),
                             std::numeric_limits<float>::denorm_min(),
                             -std::numeric_limits<float>::max(),
                             -std::numeric_limits<float>::min()};
  for (int power = -12; power < 12; ++power) {
    float below = std::pow(10.0f, static_cast<float>(power)), above = below;
    for (int i = 0; i < 200; ++i) {
      numbers.insert(numbers.end(), {below, -below, above, -above});
      below = std::nextafter(below, 0.0f);
      above = std::nextafter(above, 1e30f);
    }
  }
  for (int power = -20; power < 30; ++power)
    for (const float number : {std::ldexp(1.0f, power), std::ldexp(1.5f, power)})
      numbers.insert(numbers.end(), {std::nextafter(number, 0.0f), number, -number});
  expect_same(numbers);
}

TEST(DecimalBatch, IntegersOfAllSizes) {
  std::mt19937 random(3);
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t power = 1; power <= 100'000'000; power *= 10) {
    for (const std::uint32_t number : {power - 1, power, power + 1})
      if (number <= IntegerTexts::greatest) numbers.push_back(number);
    for (int i = 0; i < 30'000; ++i)
      numbers.push_back(static_cast<std::uint32_t>(random()) % power);
  }
  expect_same(numbers);
}

TEST(DecimalBatch, AnyCountAndDistance) {
  std::vector<float> numbers(300);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = 0.125f * static_cast<float>(i);
  FloatTexts texts;
  for (const std::int64_t step : {-3, 0, 1, 4})
    for (std::size_t count = 0; count <= decimal_batch; ++count) {
      const std::size_t first = step < 0 ? 299 : 0;
      texts.print(reinterpret_cast<const std::byte*>(&numbers[first]), step * 4, count);
      for (std::size_t i = 0; i < count; ++i) {
        const auto at = static_cast<std::int64_t>(first) + static_cast<std::int64_t>(i) * step;
        ASSERT_EQ(text_of(texts, i), alone(numbers[static_cast<std::size_t>(at)]));
      }
    }
}

}  // namespace
}  // namespace polycodec
