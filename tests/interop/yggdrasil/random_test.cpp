// SPDX-License-Identifier: MIT
// Documents and numbers that nobody thought of, written and read again.

#include "support.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::test {
namespace {

polycodec_node random_text(Builder& out, std::mt19937_64& random) {
  constexpr std::string_view pieces[] = {"a", "Y", "YGG_MSG_HEAD", "\"",   "\\", "\n", "\t", "\x01",
                                         "é", "😀", "station",      "-YGG-"};
  std::string text;
  const std::size_t count = random() % 200 == 0 ? 40000 : random() % 30;
  for (std::size_t i = 0; i < count; ++i)
    text += pieces[random() % 3 == 0 ? random() % std::size(pieces) : 0];
  return out.string_copy(text);
}

polycodec_node random_document(Builder& out, std::mt19937_64& random, int depth) {
  const std::size_t count = random() % (depth == 0 ? 400 : 12);
  switch (random() % (depth < 12 ? 9 : 7)) {
    case 0:
      return Builder::null();
    case 1:
      return Builder::boolean(random() % 2 != 0);
    case 2:
      return Builder::integer(static_cast<std::int64_t>(random()) >> random() % 64);
    case 3:
      return Builder::real(static_cast<double>(random() % 100000) / 1000);
    case 4:
      return Builder::real(static_cast<double>(random()) * 1e-19);
    case 5:
    case 6:
      return random_text(out, random);
    case 7: {
      std::vector<polycodec_node> items(count);
      for (auto& item : items) item = random_document(out, random, depth + 1);
      return out.list(items);
    }
    default: {
      std::vector<polycodec_node> values(count);
      std::vector<std::string> names(count);
      std::vector<Member> members;
      for (std::size_t i = 0; i < count; ++i) {
        values[i] = random_document(out, random, depth + 1);
        names[i] = (random() % 20 == 0 ? "Yggdrasil " : "n") + std::to_string(i);
        members.push_back({names[i], values[i]});
      }
      return out.object(members);
    }
  }
}

// Documents are written in steps of many sizes, across the borders of the output's pieces.
TEST(YggdrasilRandom, RandomDocumentsOfManyShapesComeBack) {
  std::mt19937_64 random(5);
  for (int round = 0; round < rounds(300); ++round) {
    const Value value = Value::build([&](Builder& out) { return random_document(out, random, 0); });
    for (const char* style : {"cpp", "python"}) {
      const auto codec = codec_with({{"style", style}});
      const std::string text = encode(codec, value);
      const Value again = decode(codec, text);
      ASSERT_EQ(difference(value, again), "") << "round " << round << "\n" << text.substr(0, 2000);
    }
  }
}

TEST(YggdrasilRandom, RandomNumbersReadBackAndAreShortest) {
  std::mt19937_64 random(6);
  for (int i = 0; i < rounds(50000); ++i) {
    double number = std::bit_cast<double>(random());
    if (i % 3 == 1)
      number =
          std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 80) - 70);
    if (i % 3 == 2) number = static_cast<double>(random() % 1000000) / 1000;
    if (!std::isfinite(number)) continue;
    char scientific[64];
    const std::string_view shortest(
        scientific,
        static_cast<std::size_t>(std::to_chars(scientific, scientific + sizeof scientific, number,
                                               std::chars_format::scientific)
                                     .ptr -
                                 scientific));
    const auto digits = [](std::string_view text) {
      std::string found;
      for (const char c : text.substr(0, text.find('e')))
        if (c >= '0' && c <= '9' && (c != '0' || !found.empty())) found += c;
      while (!found.empty() && found.back() == '0') found.pop_back();
      return found;
    };
    for (const char* style : {"cpp", "python"}) {
      const std::string text =
          encode(codec_with({{"style", style}}),
                 Value::build([&](Builder&) { return Builder::real(number); }));
      EXPECT_EQ(digits(text), digits(shortest)) << text;
      EXPECT_EQ(std::strtod(text.c_str(), nullptr), number) << text;
    }
  }
}

// The writer of a list begins with what the numbers before were like.
TEST(YggdrasilRandom, NumbersOfAListAreWrittenAsAlone) {
  std::mt19937_64 random(7);
  for (int round = 0; round < rounds(200); ++round) {
    std::vector<double> numbers;
    for (int i = 0; i < 100; ++i) {
      const double tens = std::pow(10, static_cast<double>(random() % (round % 4 == 0 ? 19 : 9)));
      const double number = std::round(static_cast<double>(random() % 100000000)) / tens;
      numbers.push_back(random() % 2 == 0 ? number : -number);
      if (round % 4 == 1 && i % 10 == 0) numbers.push_back(std::sqrt(number));
    }
    for (const char* style : {"cpp", "python"}) {
      const auto codec = codec_with({{"style", style}});
      std::string expected = "[";
      for (const double number : numbers) {
        if (expected.size() > 1) expected += ',';
        expected += encode(codec, Value::build([&](Builder&) { return Builder::real(number); }));
      }
      const Value list = Value::build([&](Builder& out) {
        std::vector<polycodec_node> items;
        for (const double number : numbers) items.push_back(Builder::real(number));
        return out.list(items);
      });
      ASSERT_EQ(encode(codec, list), expected + ']');
    }
  }
}

}  // namespace
}  // namespace polycodec::test
