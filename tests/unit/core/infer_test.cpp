// SPDX-License-Identifier: MIT
#include "core/text/infer.hpp"

#include <model/type/print.hpp>

#include "core/text/text.hpp"
#include "value_fixture.hpp"

#include <gtest/gtest.h>

namespace polycodec {
namespace {

std::string type_of(const polycodec_node& n) {
  return type::print(infer_type(NodeView(&n)));
}

struct Case {
  const char* json;
  const char* type;
};

class InferJson : public ::testing::TestWithParam<Case> {};

TEST_P(InferJson, GivesTheType) {
  EXPECT_EQ(type_of(*parse_json(GetParam().json).root()), GetParam().type);
}

INSTANTIATE_TEST_SUITE_P(
    Documents, InferJson,
    ::testing::Values(Case{"1", "int64"}, Case{"[]", "0 * any"}, Case{"[1, 2]", "2 * int64"},
                      Case{"[1, null]", "2 * ?int64"}, Case{"[null, null]", "2 * null"},
                      Case{"[1, 2.0]", "(int64, float64)"},
                      Case{"[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,\"x\"]",
                           "(int64, int64, int64, int64, int64, int64, int64, int64, int64, int64, "
                           "int64, int64, int64, int64, "
                           "int64, string)"},
                      Case{"[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,\"x\"]", "17 * any"},
                      Case{"[[1], [2, 3], []]", "3 * var * int64"},
                      Case{"[[1, 2], [3, 4]]", "2 * 2 * int64"},
                      Case{"[[], [[]], [[1], [2, 3]]]", "3 * var * var * int64"},
                      Case{"[[], [[]]]", "2 * var * 0 * any"}, Case{"{}", "{}"},
                      Case{R"([{"a": 1}, {"a": null}])", "2 * {a: ?int64}"},
                      Case{R"([{"a": 1, "b": 2}, {"b": 1, "a": 2}])",
                           "({a: int64, b: int64}, {b: int64, a: int64})"},
                      Case{R"([{"a": 1}, null, {"a": [1]}])", "({a: int64}, null, {a: 1 * int64})"},
                      Case{R"({"a": 1, "a": 2})", "map[string, int64]"},
                      Case{R"({"a": 1, "a": "x"})", "map[string, any]"},
                      Case{R"([[1, "a"], [2, "b"]])", "2 * (int64, string)"},
                      Case{R"({"it's": [true]})", R"({'it\'s': 1 * bool})"}));

class InferTest : public ValueTest {};

TEST_F(InferTest, DocumentsOfOtherKinds) {
  EXPECT_EQ(type_of(b.extension("x", Builder::real(1))), "extension['x', float64]");
  EXPECT_EQ(type_of(b.timestamp(0, 0, POLYCODEC_UNIT_NANOSECOND)), "datetime[unit='ns']");
  EXPECT_EQ(type_of(b.duration(0, POLYCODEC_UNIT_SECOND)), "timedelta[unit='s']");
  EXPECT_EQ(type_of(b.tagged(1, Builder::null())), "union[void, null]");
  EXPECT_EQ(type_of(b.tagged(-1, Builder::null())), "any");
  EXPECT_EQ(type_of(b.list({b.tagged(1, Builder::integer(1)), b.tagged(0, Builder::real(1))})),
            "2 * union[float64, int64]");
  EXPECT_EQ(
      type_of(b.annotated(Builder::real(1), b.object({{"units", Builder::string_view("cm")},
                                                      {"title", Builder::string_view("x")},
                                                      {"list", b.list({Builder::integer(1)})}}))),
      "annotated[float64, units='cm', title='x', '$json:list'='[1]']");
  EXPECT_EQ(type_of(b.tuple({Builder::integer(1), Builder::integer(1, POLYCODEC_DTYPE_INT8)})),
            "(int64, int8)");
}

TEST_F(InferTest, ArraysOfEveryForm) {
  const auto of = [](const polycodec_array* a) { return type_of(Builder::array(a)); };
  EXPECT_EQ(of(leaf<float>({1, 2})), "2 * float32");
  EXPECT_EQ(of(texts({"a"})), "1 * string");
  EXPECT_EQ(of(texts({"a"}, POLYCODEC_ARRAY_BINARY)), "1 * bytes");
  EXPECT_EQ(of(offsets({0, 1, 2}, leaf<float>({1, 2}))), "2 * var * float32");
  EXPECT_EQ(of(masked({1, 0}, leaf<float>({1, 2}), true)), "2 * ?float32");
  EXPECT_EQ(of(indexed<std::int32_t>({0, 0, 1}, leaf<float>({1, 2}))), "3 * float32");
  EXPECT_EQ(of(indexed<std::int32_t>({0, -1, 1}, leaf<float>({1, 2}))), "3 * ?float32");
  EXPECT_EQ(of(wrap(POLYCODEC_LAYOUT_CHUNKED, 3, {leaf<float>({1, 2}), leaf<float>({1})})),
            "3 * float32");
  EXPECT_EQ(of(wrap(POLYCODEC_LAYOUT_CHUNKED, 3, {leaf<float>({1, 2}), leaf<int>({1})})),
            "3 * any");
  polycodec_array* column = leaf<float>({1, 2});
  const polycodec_node attributes = b.object({{"units", Builder::string_view("m")}});
  column->metadata = &attributes;
  EXPECT_EQ(of(column), "annotated[2 * float32, units='m']");
  const std::string_view names[] = {"x", "y"};
  const polycodec_array* columns[] = {column, texts({"a", "b"})};
  EXPECT_EQ(of(b.record(2, names, columns)), "2 * {x: annotated[float32, units='m'], y: string}");
  EXPECT_EQ(of(b.record(2, {}, columns)), "2 * (annotated[float32, units='m'], string)");
}

TEST_F(InferTest, CyclesAreAny) {
  polycodec_node* items;
  polycodec_node* list = b.store(b.list(1, &items));
  items[0] = Builder::reference(list);
  EXPECT_EQ(type_of(items[0]), "1 * any");
}

TEST_F(InferTest, OneIndexForManyItemsIsLookedAtOnce) {
  // 2^40 times the first item, or none: no loop over that many would end.
  for (const std::int64_t index : {0, -1}) {
    auto* a = wrap(POLYCODEC_LAYOUT_INDEXED, std::uint64_t{1} << 40, {leaf<double>({1.5})});
    a->index = {b.store(index), 0, POLYCODEC_DTYPE_INT64, 0};
    EXPECT_EQ(type_of(Builder::array(a)),
              index == 0 ? "1099511627776 * float64" : "1099511627776 * ?float64");
  }
}

TEST_F(InferTest, SharedReferencesAreTypedOnce) {
  // Each level refers to the one before it twice: typed one by one, they would be 2^60.
  const polycodec_node* level = b.store(Builder::integer(1));
  for (int i = 0; i < 60; ++i) {
    polycodec_node* items;
    const polycodec_node list = b.list(2, &items);
    items[0] = items[1] = Builder::reference(level);
    level = b.store(list);
  }
  EXPECT_EQ(infer_type(NodeView(level)).depth(), 61u);
}

TEST_F(InferTest, LargeTypesAreAny) {
  polycodec_node* members;
  const polycodec_node object = b.object(60000, &members);
  for (int i = 0; i < 60000; ++i) {
    *members++ = b.string_copy("k" + std::to_string(i));
    *members++ = Builder::null();
  }
  EXPECT_EQ(type_of(object), "any");
  polycodec_node nested = Builder::null();
  for (int i = 0; i < 400; ++i) nested = b.list({nested});
  EXPECT_LE(infer_type(NodeView(&nested)).depth(), 201u);
  for (int i = 0; i < 200; ++i) nested = b.list({nested});
  EXPECT_THROW(type_of(nested), Error);
}

}  // namespace
}  // namespace polycodec
