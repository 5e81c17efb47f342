// SPDX-License-Identifier: MIT
// Each layout in both notations: the exact one reads back as the same memory, the other one, which
// is for people, shows the items and reads back as equal ones.

#include "core/text/text.hpp"
#include "core/value/logical_address.hpp"
#include "core/value/value.hpp"
#include "value_fixture.hpp"

#include <gtest/gtest.h>

#include <string>

namespace polycodec {
namespace {

struct Both {
  const char* name;
  const char* exact;
  const char* items;
};

void PrintTo(const Both& both, std::ostream* out) {
  *out << both.name;
}

std::string items_of(NodeView value) {
  return to_text(value, {.exact = false});
}

/// What `items` reads back as is equal, and prints the same.
void expect_equal_items(NodeView value, const std::string& items) {
  const Value back = parse_text(items);
  validate(back.view(), {}, Validation::full);
  EXPECT_EQ(logical_address(value, {}), logical_address(back.view(), {})) << items;
  const auto difference = first_difference(View(value), View(back.view()));
  EXPECT_FALSE(difference) << difference->path << ": " << difference->reason;
  EXPECT_EQ(items_of(back.view()), items);
}

class Layouts : public ::testing::TestWithParam<Both> {};

TEST_P(Layouts, ShowTheirItemsUnlessTheTextIsExact) {
  const Value value = parse_text(GetParam().exact);
  validate(value.view(), {}, Validation::full);
  EXPECT_EQ(to_text(value.view()), GetParam().exact);
  EXPECT_EQ(items_of(value.view()), GetParam().items);
  expect_equal_items(value.view(), GetParam().items);
}

INSTANTIATE_TEST_SUITE_P(
    All, Layouts,
    ::testing::
        Values(
            Both{
                "option_bytes",
                R"({"type": "2 * ?int8", "value": {"$layout": {"layout": "option_bytes", "length": 2, "flags": ["mask_valid"], "mask": {"type": "2 * uint8", "value": [0, 1]}, "children": [{"type": "2 * int8", "value": [3, 4]}]}}})",
                R"({"type": "2 * ?int8", "value": [null, 4]})"},
            Both{
                "option_bits",
                R"({"type": "2 * ?int8", "value": {"$layout": {"layout": "option_bits", "length": 2, "flags": ["bits_lsb", "mask_valid"], "mask": {"type": "1 * uint8", "value": [2]}, "children": [{"type": "2 * int8", "value": [3, 4]}]}}})",
                R"({"type": "2 * ?int8", "value": [null, 4]})"},
            Both{
                "option_by_index",
                R"({"type": "3 * ?int64", "value": {"$layout": {"layout": "indexed", "length": 3, "index": {"type": "3 * int64", "value": [-1, 1, 0]}, "children": [{"type": "2 * int64", "value": [7, 8]}]}}})",
                R"({"type": "3 * ?int64", "value": [null, 8, 7]})"},
            Both{
                "dictionary",
                R"({"type": "3 * string", "value": {"$layout": {"layout": "indexed", "length": 3, "index": {"type": "3 * int8", "value": [1, 0, 1]}, "children": [{"type": "2 * string", "value": ["lo", "hi"]}]}}})",
                R"({"type": "3 * string", "value": ["hi", "lo", "hi"]})"},
            Both{
                "indexed_records",
                R"({"type": "2 * {x: int64}", "value": {"$layout": {"layout": "indexed", "length": 2, "index": {"type": "2 * uint32", "value": [1, 1]}, "children": [{"type": "2 * {x: int64}", "value": [{"x": 1}, {"x": 2}]}]}}})",
                R"({"type": "2 * {x: int64}", "value": [{"x": 2}, {"x": 2}]})"},
            Both{
                "chunked",
                R"({"type": "3 * float64", "value": {"$layout": {"layout": "chunked", "length": 3, "children": [{"type": "2 * float64", "value": [0.5, 1.5]}, {"type": "1 * float64", "value": [2.5]}]}}})",
                R"({"type": "3 * float64", "value": [0.5, 1.5, 2.5]})"},
            Both{
                "union",
                R"({"type": "2 * union[int32, string]", "value": {"$layout": {"layout": "union", "length": 2, "index": {"type": "2 * int64", "value": [0, 1]}, "tags": {"type": "2 * int8", "value": [1, 0]}, "children": [{"type": "2 * int32", "value": [4, 5]}, {"type": "1 * string", "value": ["x"]}]}}})",
                R"({"type": "2 * union[int32, string]", "value": [{"$union": [1, "x"]}, {"$union": [0, 5]}]})"},
            Both{
                "record",
                R"({"type": "2 * {x: float64, y: float64}", "value": {"$layout": {"layout": "record", "length": 2, "names": ["x", "y"], "children": [{"type": "2 * float64", "value": {"$same": [1, [0.5, 1.5]]}}, {"$same": 1}]}}})",
                R"({"type": "2 * {x: float64, y: float64}", "value": [{"x": 0.5, "y": 0.5}, {"x": 1.5, "y": 1.5}]})"},
            Both{"list_offsets", R"({"type": "2 * var * int8", "value": [[1, 2], []]})",
                 R"({"type": "2 * var * int8", "value": [[1, 2], []]})"},
            Both{
                "list_view",
                R"({"type": "2 * var * int8", "value": {"$layout": {"layout": "list_view", "length": 2, "starts": {"type": "2 * int64", "value": [1, 0]}, "stops": {"type": "2 * int64", "value": [3, 2]}, "children": [{"type": "3 * int8", "value": [1, 2, 3]}]}}})",
                R"({"type": "2 * var * int8", "value": [[2, 3], [1, 2]]})"},
            Both{
                "list_fixed",
                R"({"type": "2 * 1 * int8", "value": {"$layout": {"layout": "list_fixed", "length": 2, "size": 1, "children": [{"type": "2 * int8", "value": [1, 2]}]}}})",
                R"({"type": "2 * 1 * int8", "value": [[1], [2]]})"},
            Both{
                "strings_of_fixed_size",
                R"({"type": "2 * string", "value": {"$layout": {"layout": "list_fixed", "length": 2, "flags": ["string"], "size": 2, "children": [{"type": "4 * uint8", "value": [97, 98, 99, 100]}]}}})",
                R"({"type": "2 * string", "value": ["ab", "cd"]})"},
            Both{"document", R"({"type": "2 * null", "value": {"$array": [null, null]}})",
                 R"({"type": "2 * null", "value": [null, null]})"},
            Both{"no_dimensions", R"({"type": "float64", "value": {"$array": 1.5}})",
                 R"({"type": "float64", "value": 1.5})"},
            Both{
                "list_of_documents",
                R"({"type": "2 * {x: 2 * int64}", "value": {"$list": [{"x": {"$array": [1, 2]}}, {"x": [3, 4]}]}})",
                R"({"type": "2 * {x: 2 * int64}", "value": [{"x": [1, 2]}, {"x": [3, 4]}]})"},
            Both{
                "type_of_its_own",
                R"({"type": "2 * var * ?int64", "value": {"$list": [{"$array": [1, null]}, {"$value": {"type": "1 * int64", "value": [2]}}]}})",
                R"({"type": "2 * var * ?int64", "value": [[1, null], [2]]})"},
            Both{
                "shared",
                R"({"type": "{x: 2 * int64, y: 2 * int64}", "value": {"x": {"$same": [1, [1, 2]]}, "y": {"$same": 1}}})",
                R"({"type": "{x: 2 * int64, y: 2 * int64}", "value": {"x": [1, 2], "y": [1, 2]}})"},
            Both{
                "units_of_a_dictionary",
                R"({"type": "annotated[2 * float32, units='cm']", "value": {"$layout": {"layout": "indexed", "length": 2, "index": {"type": "2 * int64", "value": [1, 0]}, "children": [{"type": "2 * float32", "value": [0.5, {"$float": "nan"}]}]}}})",
                R"({"type": "annotated[2 * float32, units='cm']", "value": [{"$float": "nan"}, 0.5]})"},
            Both{
                "inside_any",
                R"({"type": "2 * any", "value": [{"$value": {"type": "2 * ?int8", "value": {"$layout": {"layout": "option_bytes", "length": 2, "flags": ["mask_valid"], "mask": {"type": "2 * uint8", "value": [0, 1]}, "children": [{"type": "2 * int8", "value": [3, 4]}]}}}}, [{"$value": {"type": "map[string, int64]", "value": {"$object": [["a", 1], ["a", 2]]}}}]]})", R"({"type": "2 * any", "value": [{"$value": {"type": "2 * ?int8", "value": [null, 4]}}, [{"$value": {"type": "map[string, int64]", "value": {"$object": [["a", 1], ["a", 2]]}}}]]})"}),
    [](const auto& tested) { return std::string(tested.param.name); });

class LayoutTest : public ValueTest {};

TEST_F(LayoutTest, StridesAreNoPartOfAText) {
  polycodec_array* a = leaf<std::int16_t>({1, 2, 3, 4, 5, 6});
  const std::int64_t shape[] = {2, 3}, strides[] = {2, 4};
  a->ndim = 2;
  a->length = 2;
  a->shape = shape;
  a->strides = strides;  // as of Fortran
  const auto node = Builder::array(a);
  const std::string text = R"({"type": "2 * 3 * int16", "value": [[1, 3, 5], [2, 4, 6]]})";
  EXPECT_EQ(to_text(NodeView(&node)), text);
  EXPECT_EQ(items_of(NodeView(&node)), text);
  expect_equal_items(NodeView(&node), text);
}

TEST_F(LayoutTest, ReferencesAreExactOnlyInACycle) {
  const polycodec_node* shared = b.store(b.list({Builder::integer(7), Builder::integer(8)}));
  const auto both =
      b.object({{"a", Builder::reference(shared)}, {"b", Builder::reference(shared)}});
  EXPECT_EQ(items_of(NodeView(&both)),
            R"({"type": "{a: 2 * int64, b: 2 * int64}", "value": {"a": [7, 8], "b": [7, 8]}})");
  EXPECT_EQ(logical_address(NodeView(&both), {}),
            logical_address(parse_text(items_of(NodeView(&both))).view(), {}));
  // A chain of lists, each of which has the next one twice, has no cycle.
  const polycodec_node* next = shared;
  for (int level = 0; level < 6; ++level)
    next = b.store(b.list({Builder::reference(next), Builder::reference(next)}));
  EXPECT_EQ(items_of(NodeView(next)).find('$'), std::string::npos);
  // Of a root, of a part in a column, and through an array that occurs twice.
  polycodec_node* items;
  polycodec_node* root = b.store(b.list(2, &items));
  items[0] = Builder::integer(1);
  items[1] = Builder::reference(root);
  polycodec_array* documents = b.new_array(POLYCODEC_LAYOUT_DOCUMENT, 2);
  polycodec_node* nodes = b.allocate<polycodec_node>(2);
  nodes[0] = b.list({Builder::integer(1)});
  documents->nodes = nodes;
  const polycodec_node* target = b.store(b.list({Builder::array(documents)}));
  nodes[1] = Builder::reference(target);
  const auto twice = b.tuple({Builder::array(documents), Builder::array(documents)});
  for (const polycodec_node* cyclic : {root, b.store(Builder::array(documents)), b.store(twice)}) {
    const std::string exact = to_text(NodeView(cyclic));
    EXPECT_NE(exact.find("$ref"), std::string::npos);
    EXPECT_EQ(items_of(NodeView(cyclic)), exact);
  }
}

}  // namespace
}  // namespace polycodec
