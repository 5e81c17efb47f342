// SPDX-License-Identifier: MIT
#include <base/swap_copy.hpp>
#include <polycodec/error.hpp>
#include <polycodec/node_view.hpp>

#include "core/value/value.hpp"
#include "value_fixture.hpp"

#include <cmath>
#include <functional>
#include <limits>

namespace polycodec {
namespace {

class Compare : public ValueTest {
 protected:
  // "" if equal, otherwise "path: reason"; the same both ways round.
  std::string diff(const polycodec_node& x, const polycodec_node& y,
                   const CompareOptions& options = {}) {
    const auto found = first_difference(NodeView(&x), NodeView(&y), options);
    EXPECT_EQ(found.has_value(), first_difference(NodeView(&y), NodeView(&x), options).has_value());
    EXPECT_EQ(equal(NodeView(&x), NodeView(&y), options), !found.has_value());
    return found ? found->path + ": " + found->reason : "";
  }
  polycodec_node list_of(std::uint64_t size,
                         const std::function<polycodec_node(std::uint64_t)>& item) {
    polycodec_node* nodes;
    const auto n = b.list(size, &nodes);
    for (std::uint64_t i = 0; i < size; ++i) nodes[i] = item(i);
    return n;
  }
  polycodec_node ints(std::initializer_list<int> items) {
    return list_of(items.size(), [&](auto i) {
      return Builder::integer(items.begin()[i], POLYCODEC_DTYPE_INT32);
    });
  }
  static polycodec_node array(const polycodec_array* a) { return Builder::array(a); }
};

TEST_F(Compare, StorageDoesNotCount) {
  const auto document = ints({1, 2, 3});
  const auto* plain = leaf<int>({1, 2, 3});
  EXPECT_EQ(diff(document, array(plain)), "");
  const std::int32_t spread[] = {3, 9, 2, 9, 1};
  auto* strided =
      b.strided(bytes_of(std::span(spread)), spread + 4, 3, -8, POLYCODEC_DTYPE_INT32, 4);
  EXPECT_EQ(diff(array(plain), array(strided)), "");
  std::byte swapped[12];
  swap_copy(swapped, plain->data, 3, 4);
  const std::int64_t shape[] = {3};
  auto* foreign =
      b.ndarray(bytes_of(std::span(swapped)), POLYCODEC_DTYPE_INT32, 4, shape, 1 - host_byte_order);
  EXPECT_EQ(diff(array(plain), array(foreign)), "");
  EXPECT_EQ(diff(array(indexed<int>({2, 1, 0}, leaf<int>({3, 2, 1}))), array(foreign)), "");
  EXPECT_EQ(diff(array(chunked({leaf<int>({1}), leaf<int>({2, 3})})), array(strided)), "");
  const auto with_null = b.list({Builder::integer(1, POLYCODEC_DTYPE_INT32), Builder::null()});
  EXPECT_EQ(diff(with_null, array(masked({0, 1}, leaf<int>({1, 77}), false))), "");
  EXPECT_EQ(diff(with_null, array(masked({1, 0}, leaf<int>({1, 78}), true))), "");
  EXPECT_EQ(diff(with_null, array(indexed<std::int8_t>({0, -1}, leaf<int>({1})))), "");
}

TEST_F(Compare, ListsByContent) {
  const auto list = ints({1, 2});
  const auto tuple = b.tuple(
      {Builder::integer(1, POLYCODEC_DTYPE_INT32), Builder::integer(2, POLYCODEC_DTYPE_INT32)});
  const CompareOptions by_content{.lists_by_content = true};
  EXPECT_NE(diff(list, tuple), "");
  EXPECT_EQ(diff(list, tuple, by_content), "");
  EXPECT_EQ(diff(tuple, array(leaf<int>({1, 2})), by_content), "");
  EXPECT_NE(diff(tuple, ints({1, 3}), by_content), "");
  EXPECT_NE(diff(tuple, Builder::integer(1), by_content), "");
  const auto reference = Builder::reference(&list);
  EXPECT_NE(diff(reference, list), "");
  EXPECT_EQ(diff(reference, list, by_content), "");
  EXPECT_EQ(diff(tuple, reference, by_content), "");
  EXPECT_NE(diff(reference, ints({2}), by_content), "");
  polycodec_node self;
  self = Builder::reference(&self);
  EXPECT_THROW((void)diff(self, list, by_content), Error);
}

TEST_F(Compare, RecordsAndLists) {
  const auto rows = list_of(2, [&](std::uint64_t i) {
    return b.object({{"x", Builder::integer(static_cast<int>(i) + 1, POLYCODEC_DTYPE_INT32)},
                     {"t", b.string_copy(i == 0 ? "a" : "bc")}});
  });
  EXPECT_EQ(diff(rows, array(record(2, {"x", "t"}, {leaf<int>({1, 2}), texts({"a", "bc"})}))), "");
  EXPECT_EQ(diff(rows, array(record(2, {"x", "t"}, {leaf<int>({1, 2}), texts({"a", "bd"})}))),
            "$[1].t: 'bc' and 'bd'");
  EXPECT_EQ(diff(rows, array(record(2, {"x", "u"}, {leaf<int>({1, 2}), texts({"a", "bc"})}))),
            "$[0]: member 1 is 't' and 'u'");
  EXPECT_EQ(diff(rows, array(record(2, {"x"}, {leaf<int>({1, 2})}))),
            "$[0]: member 't' is missing in the second value");
  EXPECT_EQ(diff(b.list({ints({}), ints({5})}), array(offsets({0, 0, 1}, leaf<int>({5})))), "");
  EXPECT_EQ(diff(b.list({ints({}), ints({5})}), array(offsets({0, 1, 1}, leaf<int>({5})))),
            "$[0]: 0 and 1 items");
  EXPECT_EQ(diff(ints({}), b.tuple({})), "$: list and tuple");
}

TEST_F(Compare, TypesOfNumbersCount) {
  CompareOptions by_value;
  by_value.numbers_by_value = true;
  const auto check = [&](const polycodec_node& x, const polycodec_node& y,
                         std::string_view reason) {
    EXPECT_EQ(diff(x, y), "$: " + std::string(reason));
    EXPECT_EQ(diff(x, y, by_value), "");
  };
  check(Builder::integer(1, POLYCODEC_DTYPE_INT32), Builder::integer(1), "int32 and int64");
  check(Builder::integer(1), Builder::unsigned_integer(1), "int64 and uint64");
  check(Builder::integer(2), Builder::real(2.0), "int64 and float64");
  check(Builder::real32(0.5f), Builder::real(0.5), "float32 and float64");
  check(Builder::real16(0x3800), Builder::real(0.5), "float16 and float64");
  const std::uint64_t big[] = {0, 1};
  check(b.wide(POLYCODEC_DTYPE_UINT128, big), Builder::real(0x1p64), "uint128 and float64");
  check(array(leaf<int>({})), array(leaf<double>({})), "elements of int32 and float64");
  EXPECT_EQ(diff(Builder::real32(0.1f), Builder::real(0.1), by_value),
            "$: 0.10000000149011612 and 0.1");
  EXPECT_NE(diff(Builder::integer(-1), Builder::unsigned_integer(UINT64_MAX), by_value), "");
  EXPECT_NE(diff(Builder::integer(INT64_MAX), Builder::real(0x1p63), by_value), "");
  EXPECT_EQ(diff(Builder::integer(INT64_MIN), Builder::real(-0x1p63), by_value), "");
  EXPECT_NE(diff(Builder::boolean(true), Builder::integer(1), by_value), "");
}

TEST_F(Compare, FloatsByBitsOrValue) {
  CompareOptions by_value;
  by_value.floats_by_value = true;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  double other = nan;
  std::uint64_t bits = 0x7ff8000000000123;
  std::memcpy(&other, &bits, 8);
  EXPECT_EQ(diff(Builder::real(nan), Builder::real(nan)), "");
  EXPECT_NE(diff(Builder::real(nan), Builder::real(other)), "");
  EXPECT_EQ(diff(Builder::real(nan), Builder::real(other), by_value), "");
  EXPECT_NE(diff(Builder::real(0.0), Builder::real(-0.0)), "");
  EXPECT_EQ(diff(Builder::real(0.0), Builder::real(-0.0), by_value), "");
  EXPECT_NE(diff(array(leaf<double>({1, 0.0})), array(leaf<double>({1, -0.0}))), "");
  EXPECT_EQ(diff(array(leaf<double>({1, 0.0})), array(leaf<double>({1, -0.0})), by_value), "");
  EXPECT_NE(diff(Builder::real(2), Builder::integer(2), by_value), "");
  const double complex_a[] = {0.0, 1.0};
  const double complex_b[] = {-0.0, 1.0};
  EXPECT_NE(diff(b.wide(POLYCODEC_DTYPE_COMPLEX128, complex_a),
                 b.wide(POLYCODEC_DTYPE_COMPLEX128, complex_b)),
            "");
  EXPECT_EQ(diff(b.wide(POLYCODEC_DTYPE_COMPLEX128, complex_a),
                 b.wide(POLYCODEC_DTYPE_COMPLEX128, complex_b), by_value),
            "");
}

TEST_F(Compare, UnorderedObjects) {
  CompareOptions unordered;
  unordered.unordered_objects = true;
  const auto one = Builder::integer(1);
  const auto two = Builder::integer(2);
  const auto x = b.object({{"a", one}, {"b", two}});
  EXPECT_NE(diff(x, b.object({{"b", two}, {"a", one}})), "");
  EXPECT_EQ(diff(x, b.object({{"b", two}, {"a", one}}), unordered), "");
  EXPECT_EQ(diff(x, b.object({{"b", one}, {"a", one}}), unordered), "$.b: 2 and 1");
  EXPECT_EQ(diff(x, b.object({{"a", one}}), unordered),
            "$: member 'b' is missing in the second value");
  EXPECT_EQ(diff(x, b.object({{"c", two}, {"a", one}}), unordered),
            "$: member 'b' is missing in the second value");
  EXPECT_NE(diff(b.object({{"a", one}, {"a", two}}), b.object({{"a", two}, {"a", one}}), unordered),
            "");
}

TEST_F(Compare, AttributesCountUnlessAskedNot) {
  CompareOptions without;
  without.metadata = false;
  const auto cm = b.annotated(Builder::integer(1), b.object({{"units", b.string_copy("cm")}}));
  const auto m = b.annotated(Builder::integer(1), b.object({{"units", b.string_copy("m")}}));
  EXPECT_EQ(diff(cm, m), "$<attributes>.units: 'cm' and 'm'");
  EXPECT_EQ(diff(cm, Builder::integer(1)), "$: attributes in the first value alone");
  EXPECT_EQ(diff(cm, m, without), "");
  EXPECT_EQ(diff(cm, Builder::integer(1), without), "");
  EXPECT_EQ(diff(Builder::integer(1), b.annotated(Builder::integer(1), b.object({}))), "");
  auto* length = leaf<int>({1});
  const auto plain = array(record(1, {"x"}, {leaf<int>({1})}));
  length->metadata = b.root(b.object({{"units", b.string_copy("cm")}}));
  const auto measured = array(record(1, {"x"}, {indexed<int>({0}, length)}));
  EXPECT_EQ(diff(plain, measured), "$.x: attributes in the second value alone");
  EXPECT_EQ(diff(plain, measured, without), "");
  // A document has no columns to carry them.
  EXPECT_EQ(diff(b.list({b.object({{"x", Builder::integer(1, POLYCODEC_DTYPE_INT32)}})}), measured),
            "");
}

TEST_F(Compare, OtherKinds) {
  EXPECT_EQ(diff(Builder::null(), Builder::boolean(false)), "$: null and bool");
  EXPECT_EQ(diff(b.string_copy("a"), b.bytes_copy({})), "$: string and bytes");
  EXPECT_EQ(diff(b.extension("a", Builder::null()), b.extension("b", Builder::null())),
            "$: extensions 'a' and 'b'");
  EXPECT_EQ(diff(b.extension("a", Builder::null()), b.extension("a", Builder::boolean(true))),
            "$<payload>: null and bool");
  EXPECT_EQ(diff(b.tagged(0, Builder::null()), b.tagged(1, Builder::null())),
            "$: union tags 0 and 1");
  EXPECT_NE(
      diff(b.timestamp(1, 0, POLYCODEC_UNIT_SECOND), b.timestamp(1, 0, POLYCODEC_UNIT_NANOSECOND)),
      "");
  EXPECT_NE(
      diff(b.timestamp(1, 0, POLYCODEC_UNIT_SECOND), b.timestamp(1, 5, POLYCODEC_UNIT_SECOND)), "");
  CompareOptions by_value;
  by_value.numbers_by_value = true;
  EXPECT_EQ(diff(b.timestamp(1, 0, POLYCODEC_UNIT_SECOND),
                 b.timestamp(1, 0, POLYCODEC_UNIT_NANOSECOND), by_value),
            "");
  polycodec_node* x;
  polycodec_node* y;
  const auto map_x = b.map(1, &x);
  const auto map_y = b.map(1, &y);
  x[0] = y[0] = Builder::integer(1);
  x[1] = y[1] = Builder::null();
  EXPECT_EQ(diff(map_x, map_y), "");
  y[1] = Builder::boolean(true);
  EXPECT_EQ(diff(map_x, map_y), "$<value 0>: null and bool");
  y[0] = Builder::integer(2);
  EXPECT_EQ(diff(map_x, map_y), "$<key 0>: 1 and 2");
  const auto fixed =
      array(b.strided(bytes_of(std::span("ab\0", 3)), "ab\0", 0, 3, POLYCODEC_DTYPE_FIXED_UTF8, 3));
  EXPECT_EQ(diff(fixed, b.list({})), "");
}

TEST_F(Compare, CyclesOfReferencesEnd) {
  const auto ring = [&](std::int64_t number) {
    polycodec_node* nodes;
    auto* root = const_cast<polycodec_node*>(b.root(b.list(2, &nodes)));
    nodes[0] = Builder::integer(number);
    nodes[1] = Builder::reference(root);
    return root;
  };
  EXPECT_EQ(diff(*ring(1), *ring(1)), "");
  EXPECT_EQ(diff(*ring(1), *ring(2)), "$[0]: 1 and 2");
  const auto five = Builder::integer(5);
  const auto six = Builder::integer(6);
  EXPECT_EQ(diff(b.list({Builder::reference(&five)}), b.list({Builder::reference(&six)})),
            "$[0]<target>: 5 and 6");
}

// There may be more of them than anybody could go through.
TEST_F(Compare, RowsWithoutElementsAreAlike) {
  const auto rows = [&](std::int64_t count, std::uint32_t dtype) {
    const std::int64_t shape[] = {count, 0, 8};
    return array(b.ndarray({}, dtype, 8, shape));
  };
  const std::int64_t many = std::int64_t{1} << 40;
  EXPECT_EQ(diff(rows(many, POLYCODEC_DTYPE_FLOAT64), rows(many, POLYCODEC_DTYPE_FLOAT64)), "");
  EXPECT_NE(diff(rows(many, POLYCODEC_DTYPE_FLOAT64), rows(many - 1, POLYCODEC_DTYPE_FLOAT64)), "");
}

TEST_F(Compare, DepthIsBounded) {
  polycodec_node n = Builder::null();
  for (int i = 0; i < 3000; ++i) n = b.list({n});
  EXPECT_THROW(equal(NodeView(&n), NodeView(&n)), Error);
}

}  // namespace
}  // namespace polycodec
