// SPDX-License-Identifier: MIT
// All differences of two values, and tolerance.
#include "core/value/differences.hpp"

#include <polycodec/error.hpp>
#include <polycodec/node_view.hpp>

#include "value_fixture.hpp"

#include <limits>
#include <string>
#include <vector>

namespace polycodec {
namespace {

class DifferencesTest : public ValueTest {
 protected:
  /// One line for each group: pattern, kind, count, and the first difference.
  static std::vector<std::string> all(const polycodec_node& x, const polycodec_node& y,
                                      const CompareOptions& options = {},
                                      const Tolerance& tolerance = {}) {
    const Differences found = all_differences(NodeView(&x), NodeView(&y), options, tolerance);
    const bool exact = tolerance.absolute == 0 && tolerance.relative == 0;
    if (exact) {
      EXPECT_EQ(found.empty(), equal(NodeView(&x), NodeView(&y), options));
    }
    std::vector<std::string> lines;
    for (const DifferenceGroup& group : found.groups)
      lines.push_back(group.pattern + " " + std::to_string(static_cast<int>(group.kind)) + " x" +
                      std::to_string(group.count) + " " + group.first.at(0).path + ": " +
                      group.first.at(0).reason);
    return lines;
  }
  static polycodec_node array(const polycodec_array* a) { return Builder::array(a); }
  using Lines = std::vector<std::string>;
};

TEST_F(DifferencesTest, EqualValuesHaveNone) {
  const auto x = b.object({{"a", array(leaf<double>({1, 2}))}, {"b", b.string_copy("s")}});
  EXPECT_EQ(all(x, x), Lines{});
}

TEST_F(DifferencesTest, TheWalkGoesOnAfterADifference) {
  const auto x = b.object({{"a", Builder::integer(1)}, {"n", array(leaf<double>({1, 2, 3}))}});
  const auto y = b.object({{"a", Builder::integer(2)}, {"n", array(leaf<double>({1, 5, 4, 9}))}});
  EXPECT_EQ(all(x, y), (Lines{"$.a 0 x1 $.a: 1 and 2", "$.n 2 x1 $.n: 3 and 4 items",
                              "$.n[*] 0 x2 $.n[1]: 2 and 5"}));
  const Differences found = all_differences(NodeView(&x), NodeView(&y));
  EXPECT_EQ(found.count, 4u);
  EXPECT_EQ(found.groups.at(2).deviation, 3);
  EXPECT_EQ(found.groups.at(2).first.size(), 2u);
}

TEST_F(DifferencesTest, MembersAreMatchedByName) {
  const auto one = Builder::integer(1);
  const auto two = Builder::integer(2);
  const auto x = b.object({{"a", one}, {"b", one}, {"c", one}});
  EXPECT_EQ(
      all(x, b.object({{"a", one}, {"c", two}, {"d", one}})),
      (Lines{"$ 3 x2 $: member 'b' is missing in the second value", "$.c 0 x1 $.c: 1 and 2"}));
  EXPECT_EQ(all(x, b.object({{"b", one}, {"a", one}, {"c", one}})),
            (Lines{"$ 3 x1 $: member 0 is 'a' and 'b'"}));
  CompareOptions unordered;
  unordered.unordered_objects = true;
  EXPECT_EQ(all(x, b.object({{"b", one}, {"a", one}, {"c", one}}), unordered), Lines{});
  EXPECT_EQ(all(b.object({}), x).size(), 1u);
  EXPECT_EQ(all_differences(NodeView(&x), NodeView(&one)).count, 1u);
}

TEST_F(DifferencesTest, NumbersOfOtherTypesAreComparedByValueAsWell) {
  EXPECT_EQ(all(array(leaf<std::int32_t>({1, 2})), array(leaf<double>({1, 3}))),
            (Lines{"$[*] 1 x2 $[0]: int32 and float64", "$[*] 0 x1 $[1]: 2 and 3"}));
  EXPECT_EQ(all(array(leaf<std::int32_t>({})), array(leaf<double>({}))),
            (Lines{"$ 1 x1 $: elements of int32 and float64"}));
  EXPECT_EQ(all(b.tuple({Builder::integer(1)}), b.list({Builder::integer(2)})),
            (Lines{"$ 1 x1 $: tuple and list", "$[*] 0 x1 $[0]: 1 and 2"}));
}

TEST_F(DifferencesTest, WhatIsKeptIsBounded) {
  const auto* zeros = leaf<double>({0, 0, 0, 0, 0});
  const auto x = b.object({{"a", array(zeros)}, {"b", array(zeros)}});
  const auto* ones = leaf<double>({1, 1, 1, 1, 1});
  const auto y = b.object({{"a", array(ones)}, {"b", array(ones)}});
  const Differences found = all_differences(NodeView(&x), NodeView(&y), {}, {}, {1, 2});
  EXPECT_EQ(found.count, 10u);
  ASSERT_EQ(found.groups.size(), 1u);
  EXPECT_EQ(found.groups[0].count, 5u);
  EXPECT_EQ(found.groups[0].first.size(), 2u);
}

TEST_F(DifferencesTest, NumbersMayBeNear) {
  Tolerance near{0.5, 0};
  const auto x = array(leaf<double>({1, 100, -3}));
  EXPECT_EQ(all(x, array(leaf<double>({1.5, 100.25, -3})), {}, near), Lines{});
  EXPECT_EQ(all(x, array(leaf<double>({1.75, 100, -3})), {}, near),
            (Lines{"$[*] 0 x1 $[0]: 1 and 1.75"}));
  const Tolerance share{0, 0.01};
  EXPECT_EQ(all(x, array(leaf<double>({1, 101, -3})), {}, share), Lines{});
  EXPECT_EQ(all(x, array(leaf<double>({1.02, 100, 3})), {}, share).at(0),
            "$[*] 0 x2 $[0]: 1 and 1.02");
  EXPECT_EQ(all(Builder::integer(10), Builder::integer(11), {}, near).size(), 1u);
  near.absolute = 1;
  EXPECT_EQ(all(Builder::integer(10), Builder::integer(11), {}, near), Lines{});
  EXPECT_EQ(all(Builder::boolean(false), Builder::boolean(true), {}, near).size(), 1u);
  EXPECT_EQ(all(Builder::integer(10), Builder::real(10.5), {}, near).size(), 1u) << "types count";
  CompareOptions by_value;
  by_value.numbers_by_value = true;
  EXPECT_EQ(all(Builder::integer(10), Builder::real(10.5), by_value, near), Lines{});

  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(all(Builder::real(nan), Builder::real(nan), {}, near), Lines{});
  EXPECT_EQ(all(Builder::real(nan), Builder::real(1), {}, near).size(), 1u);
  EXPECT_EQ(all(Builder::real(infinity), Builder::real(infinity), {}, near), Lines{});
  EXPECT_EQ(all(Builder::real(infinity), Builder::real(-infinity), {}, share).size(), 1u);
  EXPECT_EQ(all(Builder::real(infinity), Builder::real(1), {}, share).size(), 1u);
  const double complex_x[] = {1, 2};
  const double complex_y[] = {1.5, 2};
  EXPECT_EQ(all(b.wide(POLYCODEC_DTYPE_COMPLEX128, complex_x),
                b.wide(POLYCODEC_DTYPE_COMPLEX128, complex_y), {}, near),
            Lines{});
}

TEST_F(DifferencesTest, DepthIsBounded) {
  polycodec_node n = Builder::null();
  for (int i = 0; i < 3000; ++i) n = b.list({n});
  EXPECT_THROW((void)all_differences(NodeView(&n), NodeView(&n)), Error);
}

}  // namespace
}  // namespace polycodec
