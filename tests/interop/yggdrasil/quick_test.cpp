// SPDX-License-Identifier: MIT
// Short bodies are read character by character, long ones from one token to the next: both ways
// give the same values and the same errors. So many calls are too slow for isolated plugins, thus
// the name of the suite.
#include "support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::test {
namespace {

// A value, or something that is nearly one, of few characters.
std::string random_piece(std::mt19937_64& random, int depth) {
  constexpr std::string_view words[] = {"0",
                                        "-0",
                                        "-0.0",
                                        "0.0",
                                        "7",
                                        "-12",
                                        "1234567",
                                        "12345678",
                                        "-123456789",
                                        "99999999",
                                        "1.5",
                                        "-2.25",
                                        "0.1",
                                        "1234567.8901234",
                                        "12345678.125",
                                        "0.30000000000000004",
                                        "123.45678901234567",
                                        "9007199254740993",
                                        "9223372036854775807",
                                        "9223372036854775808",
                                        "18446744073709551616",
                                        "1e5",
                                        "1.5E-3",
                                        "-1e+10",
                                        "5e-324",
                                        "1e309",
                                        "0.000001",
                                        "1.7976931348623157",
                                        "0.12345678901234567890123",
                                        "01",
                                        "-01",
                                        "00.5",
                                        "1.",
                                        ".5",
                                        "-",
                                        "1.e5",
                                        "1.2.3",
                                        "--1",
                                        "1-2",
                                        "1 2",
                                        "true",
                                        "false",
                                        "null",
                                        "tru",
                                        "truex",
                                        "nul",
                                        "fals",
                                        "falsey",
                                        "NaN",
                                        "Infinity",
                                        "-Infinity",
                                        "\"\"",
                                        "\"a\"",
                                        "\"plain text\"",
                                        "\"-\"",
                                        "\"-YGG-x\"",
                                        "\"e\\\"s\\\\c\"",
                                        "\"\\u00e9\\n\"",
                                        "\"\\x\"",
                                        "\"é\"",
                                        "\"\x80\"",
                                        "\"tab\there\"",
                                        "\"open",
                                        "{}",
                                        "[]",
                                        "[ ]",
                                        "{ }",
                                        "[,]",
                                        "[1,]",
                                        "[1 ,]",
                                        "[1, ,2]",
                                        "[1,:2]",
                                        "[1 ,,2]",
                                        "[ ,1]",
                                        "[ :]",
                                        "[1 :2]",
                                        "{\"a\": ,1}",
                                        "{\"a\"::1}",
                                        "{\"a\":,1}",
                                        "{ ,\"a\":1}",
                                        "{\"a\":1, ,\"b\":2}",
                                        "{\"a\":1,:\"b\":2}",
                                        "{\"a\":1 ,,\"b\":2}",
                                        "{,}",
                                        "{\"a\"}",
                                        "{\"a\":}",
                                        "{\"a\" :1}",
                                        "{\"a\":1,}",
                                        "{1:2}",
                                        "]",
                                        "}",
                                        ":",
                                        ",",
                                        "\x01",
                                        "\f",
                                        "\\"};
  constexpr std::string_view spaces[] = {"", "", "", "", " ", "\n  ", "\t", "\r\n"};
  const auto space = [&] { return std::string(spaces[random() % std::size(spaces)]); };
  const auto word = [&] {  // mostly one of the good ones
    return std::string(words[random() % 30 == 0 ? random() % std::size(words) : random() % 26]);
  };
  if (depth == 0 || random() % 3 != 0)
    return random() % 3 == 0 ? "\"station " + std::to_string(random() % 1000) + '"' : word();
  std::string text;
  const bool object = random() % 2 != 0;
  text += object ? '{' : '[';
  for (std::size_t i = 0, count = random() % 4; i < count; ++i) {
    if (i != 0) text += space() + ',';
    text += space();
    if (object) text += "\"k" + std::to_string(i) + '"' + space() + ':' + space();
    text += random_piece(random, depth - 1);
  }
  return text + space() + (object ? '}' : ']');
}

/// Item `i` of a list of nodes.
polycodec_item item_of(const Value& list, std::size_t i) {
  return {&node(list).items()[i], nullptr, POLYCODEC_WHOLE};
}

struct Outcome {
  std::string error;
  std::uint64_t offset = 0;
  Value value;
};

Outcome outcome(const Codec& codec, const std::string& body) {
  Outcome result;
  try {
    result.value = decode(codec, body);
  } catch (const Error& e) {
    result.error = e.detail() + ": " + e.message();
    result.offset = e.offset();
  }
  return result;
}

void compare_with_pieces(const Codec& codec, unsigned seed) {
  std::mt19937_64 random(seed);
  std::size_t errors = 0;
  for (int round = 0; round < 3000; ++round) {
    // Pieces that are right, up to one that may be wrong.
    std::string body = "[0,";
    std::vector<std::string> pieces{"0"};
    std::string piece;
    Outcome last;
    while (body.size() < 40 + random() % 6000 && last.error.empty()) {
      piece = random_piece(random, 2);
      // A list of one, so that it is wrong for the same reason.
      last = outcome(codec, '[' + piece + ']');
      if (piece.size() > 60) {
        last.error.clear();
        continue;
      }
      pieces.push_back(piece);
      body += piece + (random() % 4 == 0 ? " , " : ",");
    }
    const std::size_t last_at = body.rfind(piece + (body.ends_with(" , ") ? " , " : ","));
    body += std::string(random() % 2 == 0 ? 0 : 200, ' ') + "1" +
            std::string(random() % 2 == 0 ? 0 : 200, ' ') + "]";
    const Outcome whole = outcome(codec, body);
    if (!last.error.empty()) {
      ++errors;
      // What is wrong at the end of a piece shows in other words when another item follows.
      const Outcome alone = outcome(codec, "[0," + piece + ",1]");
      ASSERT_EQ(whole.error, alone.error) << body;
      if (whole.error.empty() || alone.offset >= piece.size() + 3) continue;
      ASSERT_EQ(whole.offset - last_at, alone.offset - 3) << body;
      continue;
    }
    ASSERT_EQ(whole.error, "") << whole.offset << ' ' << body;
    const NodeView list = node(whole.value);
    ASSERT_EQ(list.size(), pieces.size() + 1);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const Outcome alone = outcome(codec, pieces[i]);
      ASSERT_EQ(alone.error, "");
      ASSERT_TRUE(alone.value.equals(whole.value.part(item_of(whole.value, i))))
          << pieces[i] << " in " << body;
    }
  }
  EXPECT_GT(errors, 500u);
}

TEST(YggdrasilQuickInternal, LongBodiesAreReadAsTheirPieces) {
  compare_with_pieces(codec_with(), 1);
}

TEST(YggdrasilQuickInternal, InTheOtherDialectsAndModesToo) {
  compare_with_pieces(codec_with({{"dialect", "legacy-1.8"}}), 2);
  compare_with_pieces(codec_with({{"utf8", "lenient"}}), 3);
  compare_with_pieces(codec_with({{"duplicate_keys", "last"}}), 4);
}

// Leaves that follow one another are read as each of them alone, and the first that is wrong gives
// the error that it gives alone.
TEST(YggdrasilQuickInternal, RowsOfLeavesAreReadAsEachAlone) {
  std::mt19937_64 random(7);
  std::vector<std::string> good{"\"-\"", "\"-YGG-\"", "\"-YGG-e30=-YGG\"", "1"}, bad;
  for (const auto& [subtype, precision] :
       {std::pair("float", 4), {"float", 8}, {"int", 1}, {"uint", 2}, {"complex", 16}}) {
    for (const char* units : {"", ",\"units\":\"cm\"", ",\"units\":\"m\""}) {
      const std::string schema = std::string(R"({"type":"scalar","subtype":")") + subtype +
                                 R"(","precision":)" + std::to_string(precision) + units + '}';
      const std::string data(static_cast<std::size_t>(precision), '\x07');
      good.push_back(leaf_text(schema, data));
      bad.push_back(leaf_text(schema, data + "1"));
      std::string changed = good.back();
      changed[changed.size() - 12] = '*';
      bad.push_back(changed);
    }
  }
  const Codec codec = codec_with();
  for (int round = 0; round < 300; ++round) {
    std::string body = "[";
    std::vector<std::string> items;
    for (std::size_t i = 0, count = 1 + random() % 40; i < count; ++i) {
      items.push_back(random() % 3 == 0 || items.empty() ? good[random() % good.size()]
                                                         : items.back());
      body += items.back() + (random() % 4 == 0 ? " ,\n " : ",");
    }
    const std::string whole = body + "0]";
    const Value value = std::move(outcome(codec, whole).value);
    ASSERT_EQ(value.view().size(), items.size() + 1);
    for (std::size_t i = 0; i < items.size(); ++i)
      ASSERT_TRUE(outcome(codec, items[i]).value.equals(value.part(item_of(value, i))))
          << items[i] << " in " << body;
    const std::string& wrong = bad[random() % bad.size()];
    const Outcome alone = outcome(codec, wrong), in_row = outcome(codec, body + wrong + ",0]");
    ASSERT_NE(alone.error, "");
    ASSERT_EQ(in_row.error, alone.error);
    ASSERT_EQ(in_row.offset, alone.offset + body.size());
  }
}

TEST(YggdrasilQuickInternal, LongStringsAndLeavesBetweenNumbers) {
  std::string body = "[1";
  std::vector<std::size_t> sizes;
  std::mt19937_64 random(6);
  for (int i = 0; i < 300; ++i) {
    sizes.push_back(random() % (i % 7 == 0 ? 20000 : 100));
    body += ",\"" + std::string(sizes.back(), i % 3 == 0 ? 'a' : '-') +
            "\",{\"n\":" + std::to_string(i) + "}";
    if (i % 5 == 0)
      body += ',' + leaf_text(
                        "{\"type\":\"ndarray\",\"subtype\":\"uint\",\"precision\":1,"
                        "\"shape\":[" +
                            std::to_string(sizes.back()) + "]}",
                        std::string(sizes.back(), '\x05'));
  }
  const Value value = std::move(outcome(codec_with(), body + "]").value);
  const NodeView list = node(value);
  std::size_t at = 1;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    ASSERT_EQ(NodeView(&list.items()[at++]).as_string().size(), sizes[i]);
    ASSERT_EQ(NodeView(&list.items()[at++]).value(0).raw()->as.i64, static_cast<std::int64_t>(i));
    if (i % 5 == 0) {
      ASSERT_TRUE(NodeView(&list.items()[at++]).raw()->kind == POLYCODEC_KIND_ARRAY);
    }
  }
  ASSERT_EQ(list.size(), at);
}

// How a number is written does not depend on those before it.
TEST(YggdrasilQuickInternal, NumbersAreWrittenAsAlone) {
  std::mt19937_64 random(7);
  std::vector<double> numbers;
  std::string expected = "[";
  double power = 1;
  for (int i = 0; i < 20000; ++i) {
    if (i % 5 == 0) power = std::pow(10.0, static_cast<double>(random() % 20));
    double number = static_cast<double>(random() >> random() % 64) / power;
    if (random() % 16 == 0) number = std::nextafter(number, 1e300);
    numbers.push_back(random() % 2 == 0 ? number : -number);
    const Value alone = Value::build([&](Builder&) { return Builder::real(numbers.back()); });
    expected += (i == 0 ? "" : ",") + encode(codec_with(), alone);
  }
  const Value all = Value::build([&](Builder& out) {
    polycodec_node* nodes;
    const auto list = out.list(numbers.size(), &nodes);
    for (std::size_t i = 0; i < numbers.size(); ++i) nodes[i] = Builder::real(numbers[i]);
    return list;
  });
  EXPECT_EQ(encode(codec_with(), all), expected + "]");
}

}  // namespace
}  // namespace polycodec::test
