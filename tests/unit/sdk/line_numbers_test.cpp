// SPDX-License-Identifier: MIT
// Numbers of lines, against those that are read one by one.
#include <base/line_numbers.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace polycodec {
namespace {

// Reads the words, each with a blank behind it, as numbers of a line and by parse_decimal(). As
// many are read as parse_decimal() takes.
template <class T>
void expect_same(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += word + ' ';
  const std::string padded = text + std::string(512, '7');
  const char* const end = padded.data() + padded.size();
  const char* at = padded.data();
  LineNumbers numbers(at, end);
  for (const std::string& word : words) {
    T expected{};
    const DecimalEnd read = parse_decimal(at, end, expected);
    T value{};
    if (read.status != DecimalStatus::ok) {
      EXPECT_FALSE(numbers.number(at, value)) << word;
      return;
    }
    ASSERT_TRUE(numbers.number(at, value)) << word << " in " << text;
    EXPECT_EQ(at, read.end) << word;
    if constexpr (std::is_same_v<T, double>)
      EXPECT_EQ(std::bit_cast<std::uint64_t>(value), std::bit_cast<std::uint64_t>(expected))
          << word;
    else if constexpr (std::is_same_v<T, float>)
      EXPECT_EQ(std::bit_cast<std::uint32_t>(value), std::bit_cast<std::uint32_t>(expected))
          << word;
    else
      EXPECT_EQ(value, expected) << word;
    if (*at != ' ') return;  // such as "1x", which callers do not take
    ++at;
  }
}

TEST(LineNumbers, AreThoseThatAreReadOneByOne) {
  std::mt19937 random(7);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  const auto digits = [&](unsigned n) {
    std::string made;
    for (unsigned i = 0; i < n; ++i) made += static_cast<char>('0' + below(10));
    return made;
  };
  for (int round = 0; round < 30'000; ++round) {
    std::vector<std::string> reals, integers;
    for (int i = 0; i < 9; ++i) {
      std::string real = below(2) == 0 ? "-" : "";
      real += digits(below(20) == 0 ? below(12) : 1 + below(4));
      if (below(8) != 0) real += "." + digits(below(20) == 0 ? below(20) : below(12));
      if (below(40) == 0) real += "e-" + digits(1 + below(2));
      reals.push_back(real);
      integers.push_back((below(4) == 0 ? "-" : "") + digits(1 + below(below(9) == 0 ? 20 : 8)));
    }
    expect_same<double>(reals);
    expect_same<float>(reals);
    expect_same<std::int32_t>(integers);
    expect_same<std::uint32_t>(integers);
    expect_same<std::int64_t>(integers);
    expect_same<std::uint8_t>(integers);
  }
}

TEST(LineNumbers, OfUnusualForms) {
  for (const char* word :
       {"0",
        "-0",
        "-0.0",
        "1.",
        ".5",
        "+1.5",
        "-",
        "",
        ".",
        "-.",
        "nan",
        "-inf",
        "1e5",
        "1E-3x",
        "9007199254740993",
        "9007199254740993.0",
        "0.9007199254740993",
        "1.00000005960464477539",
        "16777217",
        "1.5#",
        "1-2",
        "--1",
        "12345678.5",
        "1.17549428e-38",
        "340282356779733661637",
        "0000000000000000000000000000000000000000000000000000000000000000000000000000000000.5"}) {
    expect_same<double>({"1", word, "2.5"});
    expect_same<float>({"1", word, "2.5"});
  }
  for (const char* word : {"0", "-0", "+5", "-1", "255", "256", "-128", "99999999", "-99999999",
                           "100000000", "00000000007", "", "x", "1.5"}) {
    expect_same<std::int8_t>({"1", word, "2"});
    expect_same<std::uint8_t>({"1", word, "2"});
    expect_same<std::int32_t>({"1", word, "2"});
    expect_same<std::uint64_t>({"1", word, "2"});
  }
}

// A number at the end of the text is left to others, and nothing behind the text is read.
TEST(LineNumbers, EndWithTheText) {
  for (std::size_t size = 256; size < 600; ++size) {
    const std::vector<char> text(size, '1');
    const char* const end = text.data() + size;
    LineNumbers numbers(text.data(), end);
    for (int i = 0; i < 20; ++i) EXPECT_LT(numbers.next(), end);
    std::vector<char> blanks(size, ' ');
    for (std::size_t i = 0; i < size; i += 2) blanks[i] = '3';
    LineNumbers many(blanks.data(), blanks.data() + size);
    const char* at = blanks.data();
    std::size_t read = 0;
    std::int32_t value = 0;
    while (many.number(at, value) && *at == ' ') {
      ASSERT_EQ(value, 3);
      ASSERT_LT(at, blanks.data() + size);
      ++at;
      ++read;
    }
    EXPECT_GE(read, (size - 256) / 2);
    EXPECT_LT(read, size / 2);
  }
}

}  // namespace
}  // namespace polycodec
