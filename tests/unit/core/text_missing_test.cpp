// SPDX-License-Identifier: MIT
// Items that are missing in columns of text: what stands in for them is bounded.

#include "core/text/text.hpp"
#include "core/value/value.hpp"
#include "error_of.hpp"

#include <gtest/gtest.h>

#include <string>

namespace polycodec {
namespace {

/// `[null, null]` of lists of two lists that may be missing, and so on.
std::string nested_options(int levels, const std::string& value) {
  std::string type = "int32";
  for (int i = 0; i < levels; ++i) type = "?2 * " + type;
  return R"({"type": "2 * )" + type + R"(", "value": )" + value + "}";
}

TEST(TextMissing, ListsOfFixedSizeTakeNoMoreThanOthers) {
  for (const int levels : {3, 6, 7, 20, 60}) {
    SCOPED_TRACE(levels);
    const std::string text = nested_options(levels, "[null, null]");
    const Value value = parse_text(text);
    EXPECT_LT(value.used_bytes(), 100'000u);
    EXPECT_EQ(View(value.view()).size(), 2u);
    EXPECT_TRUE(View(value.view())[1].is_null());
    // What it prints reads back as the same columns.
    const std::string printed = to_text(value.view());
    const Value again = parse_text(printed);
    EXPECT_EQ(to_text(again.view()), printed);
    EXPECT_TRUE(equal(View(value.view()), View(again.view())));
  }
  const std::string deep = nested_options(3, "[[null, [null, [1, 2]]], null]");
  EXPECT_EQ(to_text(parse_text(deep).view()), deep);
}

TEST(TextMissing, FixedStringsAreCounted) {
  std::string text = R"({"type": "* ?fixed_string[1000000000]", "value": [)";
  for (int i = 0; i < 40; ++i) text += i == 0 ? "null" : ", null";
  text.insert(10, "40 ");
  text += "]}";
  try {
    (void)parse_text(text);
    ADD_FAILURE() << "40 GB of zeros";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Status::limit) << e.describe();
  }
}

TEST(TextMissing, MembersThatMayBeMissingMayBeAbsent) {
  const Value rows = parse_text(
      R"({"type": "3 * {t: int64, x: ?float64, s: ?string, in: ?{a: ?int8}}",
          "value": [{"t": 1, "s": "a"}, {"x": 0.5, "t": 2, "in": {}}, {"t": 3}]})");
  EXPECT_EQ(to_text(rows.view()),
            R"({"type": "3 * {t: int64, x: ?float64, s: ?string, in: ?{a: ?int8}}", "value": )"
            R"([{"t": 1, "x": null, "s": "a", "in": null}, {"t": 2, "x": 0.5, "s": null, "in": )"
            R"({"a": null}}, {"t": 3, "x": null, "s": null, "in": null}]})");
  const Value one = parse_text(R"({"type": "{a: ?int8, b: any}", "value": {"b": 1}})");
  EXPECT_TRUE(View(one.view())["a"].is_null());
  for (const char* text :
       {R"({"type": "2 * {t: int64, x: ?float64}", "value": [{"t": 1}, {"x": 1}]})",
        R"({"type": "{t: int64, x: ?float64}", "value": {"x": 1}})"}) {
    const Error e = test::error_of([&] { (void)parse_text(text); });
    EXPECT_NE(e.message().find("the member \"t\" is missing, and its type is int64, not ?T"),
              std::string::npos)
        << text << e.message();
  }
}

TEST(TextMissing, AbsentMembersAreCounted) {
  std::string type = "100000 * {";
  for (int i = 0; i < 1000; ++i)
    type += (i == 0 ? "m" : ", m") + std::to_string(i) + ": ?16 * int64";
  std::string text = R"({"type": ")" + type + R"(}", "value": [)";
  for (int i = 0; i < 100000; ++i) text += i == 0 ? "{}" : ",{}";
  text += "]}";
  Limits limits;
  limits.max_memory_bytes = 16'000'000;
  const Error e = test::error_of([&] { (void)parse_text(text, limits); });
  EXPECT_EQ(e.code(), Status::limit) << "12.8 GB of nothing: " << e.describe();
}

}  // namespace
}  // namespace polycodec
