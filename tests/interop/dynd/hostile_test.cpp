// SPDX-License-Identifier: MIT
// Bytes that promise more than they hold.
#include <base/varint.hpp>

#include "support.hpp"

#include <gtest/gtest.h>

namespace polycodec {
namespace {

using namespace std::string_view_literals;

std::string any(std::string_view type, std::string_view data = {}) {
  std::uint8_t head[max_varint_size];
  const std::uint32_t size = encode_varint(type.size(), head);
  return std::string(reinterpret_cast<const char*>(head), size) + std::string(type) +
         std::string(data);
}

std::string refusal(std::string_view type, std::string_view data, Error* error = nullptr) {
  return test::refusal(test::dynd_codec(), any(type, data), error);
}

std::string huge() {
  return "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";
}

TEST(DyndHostile, ItemsWithoutBytes) {
  EXPECT_EQ(refusal("var * void", huge()), "dynd.limit");
  EXPECT_EQ(refusal("var * ()", huge()), "dynd.limit");
  EXPECT_EQ(refusal("var * {}", huge()), "dynd.limit");
  EXPECT_EQ(refusal("var * 0 * string", huge()), "dynd.limit");
  EXPECT_EQ(refusal("var * (void, {a: 3 * void})", huge()), "dynd.limit");
  EXPECT_EQ(refusal("9223372036854775807 * 0 * int32", ""), "dynd.limit");
  EXPECT_EQ(refusal("1000000 * 1000000 * void", ""), "dynd.limit");
  EXPECT_EQ(refusal("0 * 9223372036854775807 * int32", ""), "");
  EXPECT_EQ(refusal("0 * 9223372036854775807 * string", ""), "");
  EXPECT_EQ(refusal("1048576 * void", ""), "");
  EXPECT_EQ(refusal("1048577 * void", ""), "dynd.limit");
  EXPECT_EQ(refusal("(1000000 * void, 1000000 * void)", ""), "dynd.limit");
  EXPECT_EQ(refusal("var * (int8, 1000 * void)", "\xb0\x09" + std::string(1200, '\1')),
            "dynd.limit");
  EXPECT_EQ(refusal("var * var * void", "\2\x80\x80\x30\x80\x80\x30"), "dynd.limit");
}

TEST(DyndHostile, MoreZeroSizeItemsOnDemand) {
  const auto codec = test::shipped("dynd", {{"max_zero_size_items", 3}});
  EXPECT_EQ(test::refusal(codec, any("3 * void")), "");
  EXPECT_EQ(test::refusal(codec, any("4 * void")), "dynd.limit");
}

TEST(DyndHostile, CountsThatCannotBe) {
  EXPECT_EQ(refusal("var * int8", huge()), "dynd.truncated");
  EXPECT_EQ(refusal("var * float64", huge()), "dynd.truncated");
  EXPECT_EQ(refusal("var * string", huge()), "dynd.truncated");
  EXPECT_EQ(refusal("var * var * int32", "\x80\x01" + huge()), "dynd.truncated");
  EXPECT_EQ(refusal("9223372036854775807 * float64", "x"), "dynd.truncated");
  EXPECT_EQ(refusal("9223372036854775807 * 9223372036854775807 * float64", "x"), "dynd.truncated");
  EXPECT_EQ(refusal("9223372036854775807 * 9223372036854775807 * string", "x"), "dynd.truncated");
  EXPECT_EQ(refusal("var * 9223372036854775807 * string", "\1x"), "dynd.truncated");
  EXPECT_EQ(refusal("string", huge()), "dynd.truncated");
  EXPECT_EQ(refusal("fixed_bytes[9223372036854775807]", "x"), "dynd.limit");
  EXPECT_EQ(refusal("9223372036854775807 * ?string", "\1\1a"), "dynd.truncated");
}

TEST(DyndHostile, MissingItemsTakeNoRoom) {
  // One byte for each missing item, whatever it would have taken.
  CallOptions call;
  call.limits.max_memory_bytes = 1 << 20;
  const std::string bytes = any("1000 * ?1000000 * float64", std::string(1000, '\0'));
  const Value value = test::decode(test::dynd_codec(), bytes, call);
  EXPECT_EQ(test::encode(test::dynd_codec(), value), bytes);
}

TEST(DyndHostile, NestedTypes) {
  EXPECT_EQ(refusal(std::string(300, '(') + std::string(300, ')'), ""), "type.limit");
  EXPECT_EQ(refusal(std::string(60000, '('), ""), "type.limit");
  EXPECT_EQ(refusal("1**1000000 * int8", "x"), "type.limit");
  // Types in types: each level takes eleven bytes.
  std::string nested;
  for (int i = 0; i < 100000; ++i)
    nested +=
        "\x0a"
        "array[Any]";
  EXPECT_EQ(test::refusal(test::dynd_codec(), nested), "dynd.limit");
  std::string deep;
  const std::string text = "(" + std::string(100, '(') + "array[Any]" + std::string(100, ')') + ")";
  for (int i = 0; i < 1000; ++i) deep += any(text);
  EXPECT_EQ(test::refusal(test::dynd_codec(), deep), "dynd.limit");
}

TEST(DyndHostile, MemoryIsBounded) {
  CallOptions call;
  call.limits.max_memory_bytes = 1 << 16;
  const std::string bytes = any("var * var * int8", "\x80\x80\x10" + std::string(1 << 18, '\0'));
  EXPECT_THROW(test::decode(test::dynd_codec(), bytes, call), Error);
}

TEST(DyndHostile, ErrorsSayWhere) {
  Error error(Status::ok, "");
  EXPECT_EQ(refusal("{a: 2 * {b: int8, c: var * string}}", "\1\1\1x\2\2\1y\2\xff\xff", &error),
            "dynd.utf8");
  EXPECT_EQ(error.path(), "$.a[1].c[1]");
  EXPECT_EQ(error.offset(), 1 + 35 + 9u);
  EXPECT_EQ(refusal("3 * {x: int8, 'o k': (int8, bool)}", "\1\1\1\1\1\1\1\1\2", &error),
            "dynd.bool");
  EXPECT_EQ(error.path(), "$[2][\"o k\"][1]");
  EXPECT_EQ(refusal("(int8, bool)", "\1\2", &error), "dynd.bool");
  EXPECT_EQ(error.path(), "$[1]");
  EXPECT_EQ(refusal("var * ?string", "\2\1\1x\1\1\xff"sv, &error), "dynd.utf8");
  EXPECT_EQ(error.path(), "$[1]");
  EXPECT_EQ(refusal("var * array[Any]", "\2\4int8\1\4bool\2"sv, &error), "dynd.bool");
  EXPECT_EQ(error.path(), "$[1]");
  EXPECT_EQ(refusal("array[Int]", "\4bool\1", &error), "dynd.type_mismatch");
  EXPECT_EQ(refusal("array[Int]", "\4int8\1", &error), "");
}

}  // namespace
}  // namespace polycodec
