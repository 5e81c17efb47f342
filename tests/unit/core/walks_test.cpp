// SPDX-License-Identifier: MIT
// Walks over values that are huge on paper: each ends after bounded work, which is counted.
#include <model/type/build.hpp>

#include "core/arrow/arrow.hpp"
#include "core/text/infer.hpp"
#include "core/text/text.hpp"
#include "core/value/host_meter.hpp"
#include "core/value/value.hpp"
#include "error_of.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace polycodec {
namespace {

constexpr std::uint64_t most_work = 200'000;
constexpr double one = 1.5;

/// 2^32 rows of nothing.
polycodec_node rows_of_nothing(Builder& out) {
  const std::int64_t shape[] = {std::int64_t{1} << 32, 0, 8};
  return Builder::array(out.ndarray({}, POLYCODEC_DTYPE_FLOAT64, 8, shape));
}

/// 2^38 numbers that share 8 bytes.
polycodec_node one_number_often(Builder& out) {
  const std::int64_t shape[] = {std::int64_t{1} << 38};
  polycodec_array* leaf = out.ndarray({reinterpret_cast<const char*>(&one), sizeof one},
                                      POLYCODEC_DTYPE_FLOAT64, 8, shape);
  leaf->strides = out.store_all(std::span<const std::int64_t>({0}));
  return Builder::array(leaf);
}

/// Ten levels of 64 lists that all have the same 64 items.
polycodec_node shared_rows(Builder& out) {
  constexpr std::size_t rows = 64;
  static const std::vector<std::int64_t> starts(rows, 0), stops(rows, rows);
  static const std::vector<double> numbers(rows, one);
  const polycodec_array* items = out.vector(std::span(numbers));
  for (int level = 0; level < 10; ++level) {
    polycodec_array* lists = out.with_children(POLYCODEC_LAYOUT_LIST_VIEW, rows, {{items}});
    lists->starts = Builder::column(std::span(starts));
    lists->stops = Builder::column(std::span(stops));
    items = lists;
  }
  return Builder::array(items);
}

/// Lists that hold one list twice, 20 levels of them: 2^20 numbers.
polycodec_node shared_nodes(Builder& out) {
  polycodec_node node = Builder::integer(1);
  for (int level = 0; level < 20; ++level) node = out.list({node, node});
  return node;
}

struct Huge {
  const char* name;
  polycodec_node (*make)(Builder& out);
};
constexpr Huge all_huge[] = {{"rows of nothing", rows_of_nothing},
                             {"one number often", one_number_often},
                             {"shared rows", shared_rows},
                             {"shared nodes", shared_nodes}};

struct Walk {
  const char* name;
  std::function<void(const std::shared_ptr<const Value>& value)> run;
};

/// Calls `use` with an array: the value, or its items as columns.
template <class Use>
void with_array(const Value& value, Use use) {
  if (value.view().is_array()) use(value.view().as_array());
}

std::vector<Walk> walks() {
  const auto built = [](auto run) {
    Value::build([&](Builder& out) {
      run(out);
      return Builder::null();
    });
  };
  return {
      {"validate", [](const auto& v) { validate(v->view(), {}, Validation::full); }},
      {"print", [](const auto& v) { (void)to_text(v->view()); }},
      {"print plainly", [](const auto& v) { (void)to_text(v->view(), {.plain = true}); }},
      {"print JSON", [](const auto& v) { (void)to_json(v->view()); }},
      {"compare", [](const auto& v) { (void)equal(View(v->view()), View(v->view())); }},
      {"infer a type", [](const auto& v) { (void)infer_type(v->view()); }},
      {"make a document",
       [&](const auto& v) {
         built([&](Builder& out) { (void)to_document(View(v->view()), out); });
       }},
      {"make columns",
       [&](const auto& v) { built([&](Builder& out) { (void)to_columns(v->view(), out); }); }},
      {"make columns of a type",
       [&](const auto& v) {
         built([&](Builder& out) {
           (void)to_columns(View(v->view()), type::var(type::var(type::any())), out);
         });
       }},
      {"materialize",
       [&](const auto& v) {
         with_array(*v, [&](const polycodec_array& a) {
           built([&](Builder& out) { (void)materialize(a, out); });
         });
       }},
      {"cast",
       [&](const auto& v) {
         with_array(*v, [&](const polycodec_array& a) {
           if (a.layout != POLYCODEC_LAYOUT_NDARRAY) return;
           built([&](Builder& out) { (void)cast(a, POLYCODEC_DTYPE_FLOAT32, out); });
         });
       }},
      {"interleave",
       [&](const auto& v) {
         with_array(*v, [&](const polycodec_array& a) {
           const polycodec_array* const one_column[] = {&a};
           const std::string_view names[] = {"x"};
           built([&](Builder& out) {
             (void)interleave(*out.record(a.length, names, one_column), out);
           });
         });
       }},
      {"export to Arrow",
       [](const auto& v) {
         ArrowSchema schema{};
         ArrowArray array{};
         export_arrow(v, v->view(), schema, array);
         schema.release(&schema);
         array.release(&array);
       }},
  };
}

TEST(Walks, OverWhatIsHugeOnPaperEnd) {
  for (const Huge& huge : all_huge) {
    const auto value = std::make_shared<const Value>(Value::build(huge.make));
    Limits all;
    all.max_work = UINT64_MAX;
    validate(value->view(), all, Validation::full);
    for (const Walk& walk : walks()) {
      SCOPED_TRACE(std::string(walk.name) + ": " + huge.name);
      Limits limits;
      limits.max_work = most_work;
      Budget budget(limits);
      const BudgetScope scope(budget);
      try {
        walk.run(value);
      } catch (const Error& e) {
        EXPECT_TRUE(e.code() == Status::limit || e.code() == Status::type ||
                    e.code() == Status::unsupported)
            << e.describe();
        const bool names_limit =
            e.message().find(std::to_string(most_work) + " units of work") != std::string::npos;
        EXPECT_TRUE(e.detail() != "limit.max_work" || names_limit) << e.describe();
        EXPECT_TRUE(e.code() != Status::limit || e.path().starts_with('$')) << e.describe();
      }
      EXPECT_LE(budget.work(), most_work);
    }
  }
}

TEST(Walks, ShareTheBudgetAroundThem) {
  const auto value = std::make_shared<const Value>(parse_text("[1, 2, 3]"));
  Limits limits;
  limits.max_work = 300;
  Budget budget(limits);
  const BudgetScope scope(budget);
  std::uint64_t before = 0;
  for (const char* name : {"validate", "print JSON", "print", "infer a type", "make a document"}) {
    for (const Walk& walk : walks())
      if (walk.name == std::string_view(name)) walk.run(value);
    EXPECT_GT(budget.work(), before) << name;
    before = budget.work();
  }
  EXPECT_THROW(
      {
        for (int i = 0; i < 100; ++i) (void)to_json(value->view());
      },
      Error);
  EXPECT_LE(budget.work(), limits.max_work);
}

TEST(Walks, ValidationIsCharged) {
  const Value nodes = Value::build(shared_nodes);
  const std::vector<std::int64_t> offsets(2'000'001, 0);
  const Value columns = Value::build([&](Builder& out) {
    const polycodec_array* leaf = out.vector(std::span<const double>(&one, 1));
    return Builder::array(out.list_offsets(std::span<const std::int64_t>(offsets), leaf));
  });
  const std::string text(std::size_t{20} << 20, 'x');
  const Value content = Value::build([&](Builder& out) {
    static constexpr std::int64_t ends[] = {0, 20 << 20};
    polycodec_array* list = out.list_offsets(
        std::span<const std::int64_t>(ends),
        out.vector(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size())));
    list->flags = POLYCODEC_ARRAY_STRING;
    return Builder::array(list);
  });
  for (const Value* value : {&nodes, &columns, &content}) {
    Limits limits;
    limits.max_work = most_work;
    const auto check = [&] {
      const Error error =
          test::error_of([&] { validate(value->view(), limits, Validation::full); });
      EXPECT_EQ(error.detail(), "limit.max_work") << error.describe();
      EXPECT_TRUE(error.path().starts_with("$"));
    };
    check();
    Budget budget(limits);
    const BudgetScope scope(budget);
    check();
    EXPECT_LE(budget.work(), most_work);
  }
}

/// A node is charged what a small container takes, not what a number takes.
TEST(Walks, ValidationOfContainersIsChargedInFull) {
  const Value value = Value::build([](Builder& out) {
    polycodec_node node = Builder::integer(1);
    for (int level = 0; level < 16; ++level) node = out.list({node, node});
    return node;
  });
  Budget budget{Limits()};
  const BudgetScope scope(budget);
  validate(value.view(), Limits(), Validation::full);
  EXPECT_GE(budget.work(), 4 * ((std::uint64_t{1} << 17) - 1));
}

/// A column whose items are all one may have any length.
TEST(Walks, ValidationReadsSharedColumnsOnce) {
  static constexpr std::int64_t zero = 0;
  const Value value = Value::build([](Builder& out) {
    const polycodec_array* leaf = out.vector(std::span<const double>(&one, 1));
    constexpr std::uint64_t length = std::uint64_t{1} << 39;
    const polycodec_column column{&zero, 0, POLYCODEC_DTYPE_INT64, 0};
    polycodec_array* offsets = out.with_children(POLYCODEC_LAYOUT_LIST_OFFSETS, length, {{leaf}});
    offsets->offsets = column;
    polycodec_array* view = out.with_children(POLYCODEC_LAYOUT_LIST_VIEW, length, {{leaf}});
    view->starts = view->stops = column;
    polycodec_array* either = out.with_children(POLYCODEC_LAYOUT_UNION, length, {{leaf}});
    either->index = either->tags = column;
    return out.list({Builder::array(offsets), Builder::array(view), Builder::array(either)});
  });
  validate(value.view(), {}, Validation::full);
}

}  // namespace
}  // namespace polycodec
