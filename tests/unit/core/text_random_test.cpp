// SPDX-License-Identifier: MIT
// Random values of all kinds print, read back as equal values, and print the same; so do the items
// alone.

#include "core/text/text.hpp"
#include "core/value/logical_address.hpp"
#include "core/value/value.hpp"
#include "random_value.hpp"

#include <gtest/gtest.h>

namespace polycodec {
namespace {

class RandomText : public ::testing::TestWithParam<std::uint32_t> {};

TEST_P(RandomText, ReadsBackAsTheSame) {
  for (std::uint32_t i = 0; i < 400; ++i) {
    const std::uint32_t seed = GetParam() * 1000 + i;
    const Value value = Value::build([&](Builder& builder) {
      return RandomValue(builder, seed).node(static_cast<int>(1 + i % 5));
    });
    validate(value.view(), {}, Validation::full);
    const std::string text = to_text(value.view());
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + text.substr(0, 2000));
    Value back;
    try {
      back = parse_text(text);
    } catch (const Error& e) {
      FAIL() << e.describe();
    }
    validate(back.view(), {}, Validation::full);
    EXPECT_EQ(to_text(back.view()), text);
    // Attributes of all items of a list come back as those of a column: the text above shows that
    // none is lost.
    const auto difference = first_difference(value.view(), back.view(), {.metadata = false});
    EXPECT_FALSE(difference) << difference->path << ": " << difference->reason;
    // Laid out for people, it is still the same notation.
    const std::string pretty = to_text(value.view(), {.indent = 2, .width = 40});
    EXPECT_EQ(to_text(parse_text(pretty).view()), text);
    // The items alone are those of an equal value, without marks, whoever printed them.
    const std::string items = to_text(value.view(), {.exact = false});
    EXPECT_EQ(to_text(back.view(), {.exact = false}), items);
    for (const char* mark : {"$list", "$array", "$layout", "$same", "$id", "$ref"})
      EXPECT_EQ(items.find(R"({")" + std::string(mark) + R"(": )"), items.npos) << items;
    const Value equal_items = parse_text(items);
    validate(equal_items.view(), {}, Validation::full);
    EXPECT_EQ(logical_address(equal_items.view(), {}), logical_address(value.view(), {})) << items;
    if (HasFailure()) break;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomText, ::testing::Range(1u, 11u));

}  // namespace
}  // namespace polycodec
