// SPDX-License-Identifier: MIT
// Walks of the host over values that are huge on paper: no bytes are behind their shapes.
#include "core/value/host_meter.hpp"

#include "core/call/budget.hpp"
#include "core/text/text.hpp"
#include "core/value/value.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace polycodec {
namespace {

/// 2^32 rows of nothing.
Value rows_of_nothing() {
  return Value::build([](Builder& out) {
    const std::int64_t shape[] = {std::int64_t{1} << 32, 0, 8};
    return Builder::array(out.ndarray({}, POLYCODEC_DTYPE_FLOAT64, 8, shape));
  });
}

Value numbers(std::uint64_t count) {
  return Value::build([&](Builder& out) {
    ListBuilder list = out.list();
    for (std::uint64_t i = 0; i < count; ++i) list.push(Builder::integer(7));
    return Node(list);
  });
}

template <class Walk>
Error limit_of(Walk&& walk) {
  try {
    walk();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Status::limit) << e.describe();
    return e;
  }
  ADD_FAILURE() << "the walk ended";
  return Error(Status::ok, "");
}

TEST(HostMeter, PrintingRowsOfNothingEnds) {
  const Value value = rows_of_nothing();
  std::string text;
  const Error e = limit_of([&] { print_text(value.view(), text); });
  EXPECT_TRUE(e.detail() == "limit.max_work" || e.detail() == "limit.max_output_bytes")
      << e.describe();
  EXPECT_TRUE(e.path().starts_with("$[")) << e.path();
  EXPECT_LT(text.size(), std::size_t{128} << 20);
}

TEST(HostMeter, ComparingRowsOfNothingEnds) {
  const Value a = rows_of_nothing();
  const Value b = rows_of_nothing();
  EXPECT_FALSE(first_difference(View(a.view()), View(b.view())));
}

TEST(HostMeter, PathsAreThoseOfTheValue) {
  const Value value =
      parse_text(R"({"a": [1, {"b": "0123456789012345678901234567890123456789"}]})");
  TextOptions options;
  for (const bool plain : {false, true}) {
    options.plain = plain;
    options.limits.max_output_bytes = to_text(value.view(), options).size() - 10;
    const Error e = limit_of([&] { (void)to_text(value.view(), options); });
    EXPECT_EQ(e.detail(), "limit.max_output_bytes");
    EXPECT_EQ(e.path(), "$.a[1].b");
  }
}

TEST(HostMeter, CallsShareABudget) {
  const Value value = numbers(1000);
  Limits limits;
  TextOptions options;
  options.budget = std::make_shared<Budget>(limits);
  (void)to_text(value.view(), options);
  limits.max_work = 2 * options.budget->work() + 100;
  options.budget = std::make_shared<Budget>(limits);
  const std::string once = to_text(value.view(), options);
  EXPECT_EQ(once, to_text(value.view()));
  CompareOptions compare;
  compare.budget = options.budget;
  EXPECT_TRUE(equal(View(value.view()), View(value.view()), compare));
  EXPECT_EQ(limit_of([&] { (void)to_text(value.view(), options); }).detail(), "limit.max_work");
}

TEST(HostMeter, OwnMemoryEarnsWork) {
  // More numbers than the base pays for, but each of them is there.
  const std::vector<std::uint8_t> data(13'000'000, 7);
  const Value value = Value::build([&](Builder& out) {
    const std::int64_t shape[] = {static_cast<std::int64_t>(data.size())};
    return Builder::array(out.ndarray(bytes_of(std::span(data)), POLYCODEC_DTYPE_UINT8, 1, shape));
  });
  EXPECT_GT(to_text(value.view()).size(), 3 * data.size() - 2);
}

TEST(HostMeter, SharedPartsCountOnce) {
  const std::vector<double> data(1000);
  const Value value = Value::build([&](Builder& out) {
    const std::int64_t shape[] = {1000};
    const polycodec_array* const leaf =
        out.ndarray(bytes_of(std::span(data)), POLYCODEC_DTYPE_FLOAT64, 8, shape);
    ListBuilder list = out.list();
    for (int i = 0; i < 100; ++i) list.push(Builder::array(leaf));
    return Node(list);
  });
  const std::uint64_t bytes = physical_bytes(value.view(), 512);
  EXPECT_GE(bytes, 8000u);
  EXPECT_LT(bytes, 8000u + 100 * 64 + 1000);
}

}  // namespace
}  // namespace polycodec
