// SPDX-License-Identifier: MIT
#include <model/type/layout.hpp>
#include <model/type/parse.hpp>

#include <gtest/gtest.h>

#include <optional>

namespace type = polycodec::type;
using type::parse;

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
