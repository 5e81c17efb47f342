// SPDX-License-Identifier: MIT
// The fast path of comparing: what it calls equal is equal item by item, and what it leaves to the
// other path is found there.
#include "core/value/same_rows.hpp"

#include <polycodec/error.hpp>

#include "core/text/text.hpp"
#include "core/value/kept.hpp"
#include "core/value/value.hpp"
#include "random_value.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <random>
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

/// Changes one thing of a value that nobody else has: a number, a text, a kind, a count.
class Mutation {
 public:
  Mutation(polycodec_node& root, std::uint32_t seed) : random_(seed) {
    node(root);
    if (!changes_.empty()) changes_[random_() % changes_.size()]();
  }

 private:
  void node(polycodec_node& n) {
    const std::uint64_t size = polycodec_node_size(&n);
    switch (n.kind) {
      case POLYCODEC_KIND_BOOLEAN:
        return add([&n] { n.as.u64 ^= 1; });
      case POLYCODEC_KIND_SIGNED:
      case POLYCODEC_KIND_UNSIGNED:
        add([&n] { n.as.u64 ^= 1; });
        return add([&n] {  // another type of the same number
          n.dtype =
              n.kind == POLYCODEC_KIND_SIGNED ? POLYCODEC_DTYPE_INT64 : POLYCODEC_DTYPE_UINT64;
        });
      case POLYCODEC_KIND_FLOAT:
        return add([&n] {
          if (n.dtype == POLYCODEC_DTYPE_FLOAT32)
            n = Builder::real(static_cast<double>(n.as.f32));
          else if (n.dtype == POLYCODEC_DTYPE_FLOAT64)
            n.as.f64 = -n.as.f64;
        });
      case POLYCODEC_KIND_STRING:
      case POLYCODEC_KIND_BINARY:
        if (size != 0)
          add([&n, size] {
            n = polycodec_node_make(n.kind, n.dtype, std::min<std::uint64_t>(size - 1, 3));
            n.as.data = "abc";
          });
        return add([&n] { n.kind ^= POLYCODEC_KIND_STRING ^ POLYCODEC_KIND_BINARY; });
      case POLYCODEC_KIND_LIST:
      case POLYCODEC_KIND_TUPLE:
        add([&n] { n.kind ^= POLYCODEC_KIND_LIST ^ POLYCODEC_KIND_TUPLE; });
        return nodes(n.as.nodes, size);
      case POLYCODEC_KIND_OBJECT:
      case POLYCODEC_KIND_MAP:
        return nodes(n.as.nodes, 2 * size);
      case POLYCODEC_KIND_EXTENSION:
        return nodes(n.as.extension->payload, 1);
      case POLYCODEC_KIND_UNION:
        return nodes(n.as.tagged->node, 1);
      case POLYCODEC_KIND_ANNOTATED:
        nodes(n.as.annotated->metadata, 1);
        return nodes(n.as.annotated->node, 1);
      case POLYCODEC_KIND_ARRAY:
        return array(*n.as.array);
      default:
        return;
    }
  }
  void nodes(const polycodec_node* first, std::uint64_t n) {
    for (std::uint64_t i = 0; i < n; ++i) node(const_cast<polycodec_node&>(first[i]));
  }
  void array(const polycodec_array& a) {
    if (a.metadata != nullptr) nodes(a.metadata, 1);
    if (a.layout == POLYCODEC_LAYOUT_DOCUMENT) nodes(a.nodes, a.length);
    if (a.layout == POLYCODEC_LAYOUT_NDARRAY && a.buffer_size != 0 && !is_fixed(a.dtype))
      add([&a, at = random_() % a.buffer_size] {
        auto* const bytes = static_cast<unsigned char*>(const_cast<void*>(a.buffer));
        bytes[at] = static_cast<unsigned char>(bytes[at] ^ 1u);
      });
    for (std::uint32_t i = 0; i < a.n_children; ++i) array(*a.children[i]);
  }
  void add(std::function<void()> change) { changes_.push_back(std::move(change)); }

  std::mt19937 random_;
  std::vector<std::function<void()>> changes_;
};

/// The value with one change.
Value mutated(Value value, std::uint32_t seed) {
  const Mutation change(const_cast<polycodec_node&>(*value.view().raw()), seed);
  return value;
}

struct Counts {
  std::uint64_t sure = 0, equal = 0, different = 0;
};

/// Compares both ways: what is surely equal is equal.
void compare_both_ways(const Value& a, const Value& b, const CompareOptions& options, Counts& all) {
  const std::uint64_t n = View(a.view()).size();
  if (!View(a.view()).is_list() || !View(b.view()).is_list() || View(b.view()).size() != n) return;
  const polycodec_node &x = *a.view().raw(), &y = *b.view().raw();
  if (x.kind == POLYCODEC_KIND_ANNOTATED || y.kind == POLYCODEC_KIND_ANNOTATED) return;
  HostMeter meter(a.view(), Limits{}, nullptr, b.view());
  const Tolerance none;
  const bool is_sure =
      detail::SameRows(options, none, meter, nullptr)(rows_of(a), rows_of(b), n, nullptr);
  bool is_equal = true;
  for (std::uint64_t i = 0; i < n && is_equal; ++i)
    is_equal = equal(View(a.view()).child(i), View(b.view()).child(i), options);
  EXPECT_TRUE(!is_sure || is_equal) << to_text(a.view()).substr(0, 300) << "\n"
                                    << to_text(b.view()).substr(0, 300);
  all.sure += is_sure;
  all.equal += is_equal;
  all.different += !is_equal;
}

const CompareOptions each_way[] = {
    {.metadata = false},
    {.numbers_by_value = true, .lists_by_content = true, .metadata = false},
    {.metadata = true},
};

TEST(SameRows, WhatIsSurelyEqualIsEqualItemByItem) {
  Counts all;
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(seed);
    const std::uint64_t n = 1 + seed % 15;  // lists that short are always walked by item
    const Value array = array_of(seed, n), other = array_of(seed + 1, n);
    const Value document = document_of(array);
    for (const CompareOptions& options : each_way) {
      compare_both_ways(array, document, options, all);
      compare_both_ways(document, array, options, all);
      compare_both_ways(array, array, options, all);
      compare_both_ways(array, other, options, all);
    }
  }
  EXPECT_GT(all.sure, all.equal / 3) << all.equal;
  EXPECT_GT(all.different, 3000u);
}

TEST(SameRows, OneChangeIsNeverOverlooked) {
  Counts all;
  for (std::uint32_t seed = 0; seed < 6000; ++seed) {
    SCOPED_TRACE(seed);
    const std::uint64_t n = 1 + seed % 15;
    const Value array = array_of(seed, n);
    const Value changed = mutated(array_of(seed, n), seed);
    const Value document = document_of(array), changed_document = mutated(document_of(array), seed);
    for (const CompareOptions& options : each_way) {
      compare_both_ways(array, changed, options, all);
      compare_both_ways(document, changed, options, all);
      compare_both_ways(changed, document, options, all);
      compare_both_ways(array, changed_document, options, all);
      compare_both_ways(changed_document, document, options, all);
    }
  }
  EXPECT_GT(all.sure, 3000u);  // changes that do not count
  EXPECT_GT(all.different, all.sure);
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

  const Value tuple = text(R"t({"type": "(int64, string)", "value": {"$tuple": [1, "x"]}})t");
  const Value list = text(R"({"type": "var * any", "value": [1, "x"]})");
  EXPECT_EQ(kept(tuple.view(), list.view()).kept, Kept::same_items);

  const Value zero = text(R"({"type": "float64", "value": 0.0})");
  const Value minus = text(R"({"type": "float64", "value": -0.0})");
  EXPECT_EQ(kept(zero.view(), minus.view()).kept, Kept::same_numbers);
}

TEST(Kept, OrderOfMembersAndAbsentMembersAreNoted) {
  const auto kept = [](const char* a, const char* b) {
    return compare_kept(parse_json(a).view(), parse_json(b).view(), {}, nullptr,
                        [](std::string_view, bool) { return false; });
  };
  const KeptValue turned = kept(R"([{"b": 1, "a": 2}])", R"([{"a": 2, "b": 1}])");
  EXPECT_EQ(turned.kept, Kept::same_items);
  ASSERT_EQ(turned.retyped.size(), 1u);
  EXPECT_EQ(turned.retyped[0].to, "object with its members in another order");
  const KeptValue absent =
      kept(R"([{"a": 2}, {"a": 3}])", R"([{"a": 2, "b": null}, {"a": 3, "b": null}])");
  EXPECT_EQ(absent.kept, Kept::same_items);
  ASSERT_EQ(absent.retyped.size(), 1u);
  EXPECT_EQ(absent.retyped[0].path, "$.b");
  EXPECT_EQ(absent.retyped[0].from, "absent");
  EXPECT_FALSE(kept(R"({"b": 1, "a": 2})", R"({"a": 1, "b": 2})").is_covered);
  EXPECT_FALSE(kept(R"({"a": 2})", R"({"a": 2, "b": 0})").is_covered);
  EXPECT_FALSE(kept(R"({"a": 2, "b": null})", R"({"a": 2})").is_covered);
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
