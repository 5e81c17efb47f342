// SPDX-License-Identifier: MIT
// The fast path of comparing: what it calls equal is equal item by item, and what it leaves to the
// other path is found there.
#include "core/value/same_rows.hpp"

#include <polycodec/error.hpp>
#include <polycodec/text.hpp>
#include <polycodec/value.hpp>

#include "core/value/kept.hpp"
#include "random_value.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace polycodec {
namespace {

Value array_of(std::uint32_t seed, std::uint64_t length) {
  return Value::build(
      [&](Builder& out) { return Builder::array(RandomValue(out, seed).array(length, 3)); });
}
Value document_of(const Value& value) {
  return Value::build([&](Builder& out) { return to_document(View(value.view()), out); });
}

detail::Rows rows_of(const Value& value) {
  const polycodec_node& root = *value.view().raw();
  if (root.kind == POLYCODEC_KIND_ARRAY) return {.array = root.as.array};
  return {.nodes = root.as.nodes};
}

TEST(SameRows, WhatIsSurelyEqualIsEqualItemByItem) {
  std::uint64_t sure = 0, equal_pairs = 0, unequal = 0;
  for (std::uint32_t seed = 0; seed < 4000; ++seed) {
    const std::uint64_t n = 1 + seed % 15;  // lists that short are always walked by item
    const Value array = array_of(seed, n), other = array_of(seed + 1, n);
    const Value document = document_of(array);
    if (View(array.view()).size() != n || View(other.view()).size() != n) continue;
    for (const bool by_value : {false, true}) {
      const CompareOptions options{
          .numbers_by_value = by_value, .lists_by_content = by_value, .metadata = false};
      for (const auto& [a, b] : {std::pair(&array, &document), std::pair(&document, &array),
                                 std::pair(&array, &array), std::pair(&array, &other)}) {
        HostMeter meter(a->view(), Limits{}, nullptr, b->view());
        const bool is_sure =
            detail::SameRows(options, meter, nullptr)(rows_of(*a), rows_of(*b), n, nullptr);
        bool is_equal = true;
        for (std::uint64_t i = 0; i < n; ++i)
          is_equal = is_equal && equal(View(a->view()).child(i), View(b->view()).child(i), options);
        EXPECT_TRUE(!is_sure || is_equal)
            << seed << " " << to_text(a->view()).substr(0, 300) << "\n"
            << to_text(b->view()).substr(0, 300);
        sure += is_sure;
        equal_pairs += is_equal;
        unequal += !is_equal;
      }
    }
  }
  EXPECT_GT(sure, equal_pairs * 6 / 10) << equal_pairs;
  EXPECT_GT(unequal, 4000u);
}

/// A table of `n` rows with numbers, lists and texts; `change` may edit one of its numbers.
Value table(std::uint64_t n, const std::function<void(std::vector<float>&)>& change = {}) {
  return Value::build([&](Builder& out) {
    std::vector<float> numbers;
    std::vector<std::uint64_t> offsets{0};
    std::vector<std::int32_t> corners;
    for (std::uint64_t i = 0; i < n; ++i) {
      numbers.push_back(static_cast<float>(i) / 4);
      for (std::uint64_t k = 0; k < 3 + i % 2; ++k)
        corners.push_back(static_cast<std::int32_t>(i + k));
      offsets.push_back(corners.size());
    }
    if (change) change(numbers);
    const auto copy = [&]<class T>(const std::vector<T>& from) {
      auto* to = out.allocate<T>(from.size());
      std::copy(from.begin(), from.end(), to);
      return std::span<const T>(to, from.size());
    };
    const polycodec_array* columns[] = {out.vector(copy(numbers)),
                                        out.list_offsets(copy(offsets), out.vector(copy(corners)))};
    const std::string_view names[] = {"x", "corners"};
    return Builder::array(out.record(n, names, columns));
  });
}

TEST(SameRows, OneNumberAmongManyIsFoundWithItsPath) {
  const Value before = table(5000);
  for (const std::size_t at : {0u, 1023u, 1024u, 3000u, 4999u}) {
    const Value changed = table(5000, [&](auto& numbers) { numbers[at] += 1; });
    const Value document = document_of(changed);
    for (const Value* after : {&changed, &document}) {
      const auto found = first_difference(View(before.view()), View(after->view()));
      ASSERT_TRUE(found) << at;
      EXPECT_EQ(found->path, "$[" + std::to_string(at) + "].x");
    }
  }
  EXPECT_FALSE(first_difference(View(before.view()), View(document_of(before).view())));
}

TEST(Kept, SaysWhatIsKept) {
  const auto kept = [](NodeView a, NodeView b) {
    return compare_kept(a, b, {}, nullptr, [](std::string_view, bool) { return false; });
  };
  const auto text = [](const char* json) { return parse_text(json); };
  const Value numbers = table(2000);
  EXPECT_EQ(kept(numbers.view(), document_of(numbers).view()).kept, Kept::same);

  const Value narrow = text(
      R"({"type": "{a: 3 * int32, b: (int8, string)}", "value": {"a": [1, 2, 3], "b": {"$tuple": [4, "x"]}}})");
  const Value wide =
      text(R"({"type": "{a: 3 * int64, b: var * any}", "value": {"a": [1, 2, 3], "b": [4, "x"]}})");
  const KeptValue found = kept(narrow.view(), wide.view());
  EXPECT_EQ(found.kept, Kept::same_numbers);
  ASSERT_GE(found.retyped.size(), 2u);
  EXPECT_EQ(found.retyped[0].path, "$.a");
  EXPECT_EQ(found.retyped[0].from, "int32");
  EXPECT_EQ(found.retyped[0].to, "int64");
  EXPECT_EQ(found.retyped[1].path, "$.b");
  EXPECT_EQ(found.retyped[1].from, "tuple");

  const Value tuple = text(R"({"type": "(int64, string)", "value": {
    "$tuple" : [ 1, "x" ]}
})");
  const Value list = text(R"({"type": "var * any", "value": [1, "x"]})");
EXPECT_EQ(kept(tuple.view(), list.view()).kept, Kept::same_items);

const Value zero = text(R"({"type": "float64", "value": 0.0})");
const Value minus = text(R"({"type": "float64", "value": -0.0})");
EXPECT_EQ(kept(zero.view(), minus.view()).kept, Kept::same_numbers);
}

TEST(Kept, ADifferenceThatIsCoveredDoesNotEndTheWalk) {
  const Value before = parse_text(
      R"({"type": "{a: int64, lost: string, b: 2 * int64}", "value": {"a": 1, "lost": "x", "b": [2, 3]}})");
  const auto after = [](const char* b) {
    return parse_text(
        std::string(R"({"type": "{a: int64, b: 2 * int64}", "value": {"a": 1, "b": )") + b + "}}");
  };
  const auto lost = [](std::string_view path, bool) { return path == "$.lost"; };
  KeptValue found = compare_kept(before.view(), after("[2, 3]").view(), {}, nullptr, lost);
  EXPECT_EQ(found.kept, Kept::different);
  EXPECT_TRUE(found.is_covered);
  EXPECT_EQ(found.difference->path, "$.lost");
  found = compare_kept(before.view(), after("[2, 4]").view(), {}, nullptr, lost);
  EXPECT_FALSE(found.is_covered);
  EXPECT_EQ(found.difference->path, "$.b[1]");
}

}  // namespace
}  // namespace polycodec
