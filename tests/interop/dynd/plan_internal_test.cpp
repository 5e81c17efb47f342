// SPDX-License-Identifier: MIT
// The plan that the codec makes of a type.
#include <model/type/parse.hpp>

#include "dynd/plan.hpp"

#include <gtest/gtest.h>

namespace polycodec {
namespace {

// The fewest bytes of a value, which bounds how many items a count can stand for.
TEST(DyndPlanInternal, FewestBytes) {
  struct Row {
    const char* text;
    std::uint64_t bytes;
  };
  const Row rows[] = {
      {"void", 0},
      {"bool", 1},
      {"int128", 16},
      {"complex[float32]", 8},
      {"string", 1},
      {"bytes[align=8]", 1},
      {"char", 1},
      {"type", 2},
      {"array[Any]", 2},
      {"fixed_bytes[7]", 7},
      {"fixed_string[5, 'utf16']", 10},
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
  };
  for (const Row& row : rows)
    EXPECT_EQ(dynd::compile(type::parse(row.text, {.strict_dynd = true})).least, row.bytes)
        << row.text;
  for (const char* text :
       {"T", "any", "map[string, int8]", "fixed_string[9223372036854775807, 'utf32']"})
    EXPECT_THROW(static_cast<void>(dynd::compile(type::parse(text))), Error) << text;
}

}  // namespace
}  // namespace polycodec
