// SPDX-License-Identifier: MIT
// What the host does with a value whatever its format: checking it, walking over it, comparing it.
// Checks and walks are measured beside a memcpy of the same bytes, comparisons beside a memcmp.
#include <polycodec/builder.hpp>
#include <polycodec/view.hpp>

#include "core/call/limits.hpp"
#include "core/value/value.hpp"
#include "paired.hpp"

#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace polycodec::bench {
namespace {

/// A million doubles.
Value array() {
  return Value::build([](Builder& out) {
    constexpr std::size_t count = 1'000'000;
    auto* const numbers = out.allocate<double>(count);
    for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<double>(i) / 1024;
    return Builder::array(out.vector(std::span<const double>(numbers, count)));
  });
}

/// 300,000 rows of three doubles, column by column.
Value record() {
  return Value::build([](Builder& out) {
    constexpr std::size_t count = 300'000;
    std::array<const polycodec_array*, 3> columns;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      auto* const numbers = out.allocate<double>(count);
      for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<double>(i * 3 + c);
      columns[c] = out.vector(std::span<const double>(numbers, count));
    }
    const std::string_view names[] = {"x", "y", "z"};
    return Builder::array(out.record(count, names, columns));
  });
}

/// A list of 100,000 arrays of four integers, each with a header of its own.
Value tiny_arrays() {
  return Value::build([](Builder& out) {
    auto list = out.list();
    for (std::int64_t i = 0; i < 100'000; ++i) {
      auto* const numbers = out.allocate<std::int64_t>(4);
      for (std::int64_t k = 0; k < 4; ++k) numbers[k] = i + k;
      list.push(Builder::array(out.vector(std::span<const std::int64_t>(numbers, 4))));
    }
    return polycodec_node(list);
  });
}

/// 50,000 objects of four members, as of a JSON file.
Value document() {
  return Value::build([](Builder& out) {
    auto list = out.list();
    for (std::int64_t i = 0; i < 50'000; ++i) {
      const std::string number = std::to_string(i);
      auto tags = out.list();
      tags.push(out.string_copy("tag " + number));
      tags.push(out.string_copy("b"));
      list.push(out.object({{"id", Builder::integer(i)},
                            {"name", out.string_copy("item number " + number)},
                            {"price", Builder::real(static_cast<double>(i) / 4)},
                            {"tags", tags}}));
    }
    return polycodec_node(list);
  });
}

/// 200,000 strings of a list.
Value strings() {
  return Value::build([](Builder& out) {
    auto list = out.list();
    for (int i = 0; i < 200'000; ++i)
      list.push(out.string_copy("string number " + std::to_string(i)));
    return polycodec_node(list);
  });
}

/// The items of a list as one columnar array.
Value columns_of(const Value& list) {
  return Value::build([&](Builder& out) { return Builder::array(to_columns(list.view(), out)); });
}

/// The columns of a record as strided views of its rows.
Value rows_of(const Value& columns) {
  return Value::build([&](Builder& out) {
    return Builder::array(interleave(*columns.view().node()->as.array, out));
  });
}

/// Numbers as nodes.
Value nodes_of(const Value& columns) {
  return Value::build([&](Builder& out) { return to_document(columns.view(), out); });
}

using Make = Value (*)();

void check(benchmark::State& state, const Value& value, Validation validation) {
  const Limits limits;
  paired(
      state, value.used_bytes(), [&] { validate(value.view(), limits, validation); }, NoPeer{});
}

void validate_structure(benchmark::State& state, Make make) {
  check(state, make(), Validation::structure);
}
void validate_full(benchmark::State& state, Make make) {
  check(state, make(), Validation::full);
}

template <class Walk>
void walk(benchmark::State& state, const Value& value, Walk sum_of) {
  paired(
      state, value.used_bytes(), [&] { benchmark::DoNotOptimize(sum_of(View(value.view()))); },
      NoPeer{});
}

/// All items of all items, whatever they are.
std::uint64_t items_below(const View& item) {
  std::uint64_t count = 1;
  for (std::uint64_t i = 0; i < item.size(); ++i) count += items_below(item.child(i));
  return count;
}

void view_items(benchmark::State& state) {
  walk(state, document(), items_below);
}

void view_rows(benchmark::State& state) {
  walk(state, record(), [](const View& rows) {
    double sum = 0;
    for (const View row : rows)
      for (std::uint64_t i = 0; i < row.size(); ++i) sum += row.child(i).as_double();
    return sum;
  });
}

void view_members_by_name(benchmark::State& state) {
  walk(state, document(), [](const View& items) {
    double sum = 0;
    for (const View item : items) sum += item["price"].as_double();
    return sum;
  });
}

void view_numbers(benchmark::State& state) {
  walk(state, array(), [](const View& numbers) {
    double sum = 0;
    for (const View number : numbers) sum += number.as_double();
    return sum;
  });
}

void view_numbers_as_column(benchmark::State& state) {
  walk(state, array(), [](const View& numbers) {
    double sum = 0;
    const Column<double> column = numbers.as<double>();
    for (const double number : column) sum += number;
    return sum;
  });
}

std::size_t length_of(const View& texts) {
  std::size_t length = 0;
  for (const View text : texts) length += text.as_string().size();
  return length;
}

void view_strings(benchmark::State& state) {
  walk(state, strings(), length_of);
}
void view_strings_of_column(benchmark::State& state) {
  const Value list = strings();
  walk(state, columns_of(list), length_of);
}

/// Both values are equal, so that all of them is compared.
void compare(benchmark::State& state, const Value& a, const Value& b) {
  const std::size_t size = a.used_bytes();
  const std::string one(size, 'x');
  const std::string other(size, 'x');
  state.SetLabel("memcmp");
  paired(
      state, size,
      [&] {
        if (!equal(a.view(), b.view())) state.SkipWithError("different values");
      },
      [&] { benchmark::DoNotOptimize(std::memcmp(one.data(), other.data(), size)); });
}

void compare_same(benchmark::State& state, Make make) {
  compare(state, make(), make());
}

void compare_other(benchmark::State& state, Make make, Value (*change)(const Value&)) {
  const Value value = make();
  compare(state, value, change(value));
}

#define VALUE(function, name, ...)               \
  BENCHMARK_CAPTURE(function, name, __VA_ARGS__) \
      ->UseManualTime()                          \
      ->Unit(benchmark::kMicrosecond)            \
      ->Iterations(21)
VALUE(validate_structure, array, array);
VALUE(validate_structure, record, record);
VALUE(validate_structure, tiny_arrays, tiny_arrays);
VALUE(validate_structure, document, document);
VALUE(validate_full, array, array);
VALUE(validate_full, record, record);
VALUE(validate_full, tiny_arrays, tiny_arrays);
VALUE(validate_full, document, document);
VALUE(validate_full, strings, strings);
#define VIEW(function) \
  BENCHMARK(function)->UseManualTime()->Unit(benchmark::kMicrosecond)->Iterations(21)
VIEW(view_items);
VIEW(view_rows);
VIEW(view_members_by_name);
VIEW(view_numbers);
VIEW(view_numbers_as_column);
VIEW(view_strings);
VIEW(view_strings_of_column);
VALUE(compare_same, array, array);
VALUE(compare_same, record, record);
VALUE(compare_same, tiny_arrays, tiny_arrays);
VALUE(compare_same, document, document);
VALUE(compare_same, strings, strings);
VALUE(compare_other, array_and_nodes, array, nodes_of);
VALUE(compare_other, record_and_rows, record, rows_of);
VALUE(compare_other, tiny_arrays_and_columns, tiny_arrays, columns_of);
VALUE(compare_other, document_and_columns, document, columns_of);
VALUE(compare_other, strings_and_column, strings, columns_of);

}  // namespace
}  // namespace polycodec::bench
