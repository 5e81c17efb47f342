// SPDX-License-Identifier: MIT
#include <model/type/layout.hpp>
#include <model/type/parse.hpp>
#include <model/type/print.hpp>

#include <gtest/gtest.h>

#include <optional>

namespace type = polycodec::type;
using type::parse;

TEST(TypeLayout, Minsize) {
  struct Row {
    const char* text;
    std::uint64_t bytes;
  };
  const Row rows[] = {
      {"void", 0},
      {"bool", 1},
      {"int128", 16},
      {"complex[float32]", 8},
      {"complex[float16]", 0},
      {"string", 1},
      {"bytes[align=8]", 1},
      {"char", 1},
      {"type", 2},
      {"array[Any]", 2},
      {"fixed_bytes[7]", 7},
      {"fixed_string[5, 'utf16']", 10},
      {"fixed_string[9223372036854775807, 'utf32']", UINT64_MAX},
      {"var * int64", 1},
      {"3 * int64", 24},
      {"0 * int64", 0},
      {"1000000 * 1000000 * void", 0},
      {"9223372036854775807 * 9223372036854775807 * float64", UINT64_MAX},
      {"0 * 9223372036854775807 * 9223372036854775807 * float64", 0},
      {"?int32", 4},
      {"?bool", 1},
      {"?float64", 8},
      {"?complex[float64]", 16},
      {"?uint64", 1},
      {"?float16", 1},
      {"?string", 1},
      {"?void", 1},
      {"?pointer[int32]", 1},
      {"pointer[?int32]", 4},
      {"{a: int8, b: (int16, string), c: ?uint8}", 5},
      {"(9223372036854775807 * int8, 9223372036854775807 * int8, int8)", UINT64_MAX},
      {"(9223372036854775807 * int8, 9223372036854775807 * int8, bool, int16)", UINT64_MAX},
      {"T", 0},
      {"any", 0},
      {"map[string, int8]", 0},
  };
  for (const Row& row : rows) EXPECT_EQ(type::minsize(parse(row.text)), row.bytes) << row.text;
}

TEST(TypeLayout, FixedWidth) {
  const auto width = [](const char* text) { return type::fixed_width(parse(text)); };
  EXPECT_EQ(width("complex[float16]"),
            (type::FixedWidth{POLYCODEC_DTYPE_COMPLEX32, 4, POLYCODEC_UNIT_NONE}));
  EXPECT_EQ(width("uint16"), (type::FixedWidth{POLYCODEC_DTYPE_UINT16, 2, POLYCODEC_UNIT_NONE}));
  EXPECT_EQ(width("datetime[unit='ms']"),
            (type::FixedWidth{POLYCODEC_DTYPE_TIMESTAMP64, 8, POLYCODEC_UNIT_MILLISECOND}));
  EXPECT_EQ(width("timedelta"),
            (type::FixedWidth{POLYCODEC_DTYPE_DURATION64, 8, POLYCODEC_UNIT_NONE}));
  EXPECT_EQ(width("fixed_bytes[12]"),
            (type::FixedWidth{POLYCODEC_DTYPE_FIXED_BYTES, 12, POLYCODEC_UNIT_NONE}));
  EXPECT_EQ(width("fixed_string[3]"),
            (type::FixedWidth{POLYCODEC_DTYPE_FIXED_UTF8, 3, POLYCODEC_UNIT_NONE}));
  EXPECT_EQ(width("fixed_string[3, 'ucs2']"),
            (type::FixedWidth{POLYCODEC_DTYPE_FIXED_UTF16, 6, POLYCODEC_UNIT_NONE}));
  EXPECT_EQ(width("fixed_string[3, 'utf32']"),
            (type::FixedWidth{POLYCODEC_DTYPE_FIXED_UTF32, 12, POLYCODEC_UNIT_NONE}));
  EXPECT_TRUE(width("fixed_bytes[4294967295]"));
  for (const char* text : {"fixed_bytes[4294967296]", "fixed_string[1073741824, 'utf32']", "string",
                           "char", "?int8", "3 * int8", "void", "any", "T"})
    EXPECT_FALSE(width(text)) << text;
}

TEST(TypeLayout, SplitDims) {
  const type::SplitType split = type::split_dims(parse("3 * var * 0 * ?2 * int8"));
  EXPECT_EQ(split.dims, (std::vector<type::Dim>{{true, 3}, {false, 0}, {true, 0}}));
  EXPECT_EQ(type::print(split.element), "?2 * int8");
  EXPECT_TRUE(type::split_dims(parse("string")).dims.empty());
  EXPECT_EQ(type::print(type::split_dims(parse("2 * N * int8")).element), "N * int8");
}
