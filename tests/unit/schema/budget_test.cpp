// SPDX-License-Identifier: MIT
// Schemas and values that are huge on paper: the work is bounded, and counted.
#include "core/call/budget.hpp"

#include <polycodec/builder.hpp>
#include <polycodec/error.hpp>

#include "core/schema/schema.hpp"
#include "core/text/text.hpp"
#include "core/value/value.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace polycodec::schema {
namespace {

constexpr std::uint64_t most_work = 1'000'000;
constexpr double one = 1.5;

/// 2^38 numbers that share 8 bytes.
Value one_number_often() {
  return Value::build([](Builder& out) {
    const std::int64_t shape[] = {std::int64_t{1} << 38};
    polycodec_array* leaf = out.ndarray({reinterpret_cast<const char*>(&one), sizeof one},
                                        POLYCODEC_DTYPE_FLOAT64, 8, shape);
    leaf->strides = out.store_all(std::span<const std::int64_t>({0}));
    return Builder::array(leaf);
  });
}

/// Ten levels of 64 lists that all have the same 64 items.
Value shared_rows() {
  constexpr std::size_t rows = 64;
  static const std::vector<std::int64_t> starts(rows, 0), stops(rows, rows);
  static const std::vector<double> numbers(rows, one);
  return Value::build([&](Builder& out) {
    const polycodec_array* items = out.vector(std::span(numbers));
    for (int level = 0; level < 10; ++level) {
      polycodec_array* lists = out.with_children(POLYCODEC_LAYOUT_LIST_VIEW, rows, {{items}});
      lists->starts = Builder::column(std::span(starts));
      lists->stops = Builder::column(std::span(stops));
      items = lists;
    }
    return Builder::array(items);
  });
}

/// Thirty levels of lists that hold one list twice.
Value shared_nodes() {
  return Value::build([](Builder& out) {
    polycodec_node node = Builder::integer(1);
    for (int level = 0; level < 30; ++level) node = out.list({node, node});
    return node;
  });
}

/// `{"items": {"items": .. inner}}`, thirty levels.
Schema nested_items(const std::string& inner) {
  std::string text = inner;
  for (int i = 0; i < 30; ++i) text = R"({"items": )" + text + "}";
  return Schema::parse(text);
}

/// Runs it with a budget of most_work units. Returns the detail of its error, or "".
std::string bounded(const std::function<void()>& run) {
  Limits limits;
  limits.max_work = most_work;
  Budget budget(limits);
  const BudgetScope scope(budget);
  std::string detail;
  try {
    run();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Status::limit) << e.describe();
    EXPECT_FALSE(e.path().empty()) << e.describe();
    detail = e.detail();
  }
  EXPECT_LE(budget.work(), most_work);
  return detail;
}

TEST(SchemaBudget, ChecksOfWhatIsHugeOnPaperEnd) {
  const Value often = one_number_often(), rows = shared_rows(), nodes = shared_nodes();
  const auto check = [](const Schema& schema, const Value& value) {
    return bounded([&] { (void)validate(schema, value.view()); });
  };
  EXPECT_EQ(check(Schema::parse(R"({"minimum": 1})"), often), "limit.max_work");
  EXPECT_EQ(check(Schema::parse(R"({"multipleOf": 0.5})"), often), "limit.max_work");
  EXPECT_EQ(check(Schema::parse(R"({"uniqueItems": true})"), rows), "limit.max_work");
  EXPECT_EQ(check(Schema::parse(R"({"enum": [[[[1]]], [[[1, 2]]]]})"), rows), "");
  EXPECT_EQ(check(nested_items(R"({"minimum": 1})"), rows), "limit.max_work");
  EXPECT_EQ(check(nested_items(R"({"type": "integer"})"), nodes), "limit.max_work");
}

TEST(SchemaBudget, MakingFitWhatIsHugeOnPaperEnds) {
  const Value often = one_number_often(), rows = shared_rows(), nodes = shared_nodes();
  const auto fit = [](const Schema& schema, const Value& value) {
    return bounded(
        [&] { Value::build([&](Builder& out) { return normalize(schema, value.view(), out); }); });
  };
  EXPECT_EQ(fit(Schema::parse(R"({"type": "ndarray", "subtype": "float", "precision": 4})"), often),
            "limit.max_work");
  EXPECT_EQ(fit(nested_items(R"({"minimum": 1})"), rows), "limit.max_work");
  EXPECT_EQ(fit(nested_items(R"({"type": "number"})"), nodes), "limit.max_work");
}

TEST(SchemaBudget, InferenceOfWhatIsHugeOnPaperEnds) {
  const Value often = one_number_often(), rows = shared_rows(), nodes = shared_nodes();
  EXPECT_EQ(bounded([&] { (void)infer(often.view()); }), "");
  EXPECT_EQ(bounded([&] { (void)infer(rows.view()); }), "");
  Limits limits;
  limits.max_work = most_work;
  Budget budget(limits);
  const BudgetScope scope(budget);
  try {
    (void)infer(nodes.view());
    ADD_FAILURE() << "2^30 items";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Status::limit) << e.describe();
  }
}

}  // namespace
}  // namespace polycodec::schema
