// SPDX-License-Identifier: MIT
// Text of parts that a value has more than once: shared arrays, and references to the root.

#include "core/text/text.hpp"
#include "core/value/value.hpp"
#include "error_of.hpp"
#include "value_fixture.hpp"

#include <string>

namespace polycodec {
namespace {

using test::error_of;

class SharedText : public ValueTest {
 protected:
  /// The text, after reading it back has given the same text.
  static std::string text_of(const polycodec_node& node) {
    const std::string text = to_text(NodeView(&node));
    const Value back = parse_text(text);
    validate(back.view(), {}, Validation::full);
    EXPECT_EQ(to_text(back.view()), text);
    EXPECT_EQ(to_text(parse_text(to_text(NodeView(&node), {.indent = 2})).view()), text);
    const auto difference = first_difference(View(&node), back.view());
    EXPECT_FALSE(difference) << difference->path << ": " << difference->reason;
    return text;
  }
};

TEST_F(SharedText, AnArrayOfSeveralNodesIsPrintedOnce) {
  const auto node = Builder::array(leaf<std::int64_t>({1, 2}));
  const auto object = b.object({{"x", node}, {"y", node}});
  EXPECT_EQ(
      text_of(object),
      R"({"type": "{x: 2 * int64, y: 2 * int64}", "value": {"x": {"$same": [1, [1, 2]]}, "y": {"$same": 1}}})");
  const Value back = parse_text(to_text(NodeView(&object)));
  EXPECT_EQ(back.root()->as.nodes[1].as.array, back.root()->as.nodes[3].as.array);
  // In lists, under options, of 0 dimensions, with attributes, in items of other types.
  EXPECT_EQ(text_of(b.list({node, node, Builder::null()})),
            R"({"type": "3 * ?2 * int64", "value": {"$list": [{"$same": [1, {"$array": [1, 2]}]}, )"
            R"({"$same": 1}, null]}})");
  text_of(b.list({node, Builder::integer(1), node, Builder::string_view("x")}));
  const auto single =
      Builder::array(b.ndarray(std::string_view("\x01\0\0\0", 4), POLYCODEC_DTYPE_INT32, 4, {}));
  text_of(b.tuple({single, single}));
  auto* with_units = leaf<double>({1.5});
  with_units->metadata = b.store(b.object({{"units", Builder::string_view("m")}}));
  const auto units = Builder::array(with_units);
  text_of(b.object({{"a", units}, {"b", units}}));
}

TEST_F(SharedText, AColumnOfSeveralRecordsIsPrintedOnce) {
  const auto* shared = leaf<double>({0.5, 1.5});
  const auto* rows = record(2, {"x", "y"}, {shared, shared});
  const std::string text = text_of(Builder::array(rows));
  EXPECT_EQ(text,
            R"({"type": "2 * {x: float64, y: float64}", "value": {"$layout": {"layout": "record", )"
            R"("length": 2, "names": ["x", "y"], "children": [{"type": "2 * float64", "value": )"
            R"({"$same": [1, [0.5, 1.5]]}}, {"$same": 1}]}}})");
  const Value back = parse_text(text);
  const polycodec_array* a = back.root()->as.array;
  EXPECT_EQ(a->children[0], a->children[1]);
  // Attributes of the column are said with its type.
  auto* with_units = leaf<double>({1.5});
  with_units->metadata = b.store(b.object({{"units", Builder::string_view("m")}}));
  const Value units =
      parse_text(text_of(Builder::array(record(1, {"x", "y"}, {with_units, with_units}))));
  EXPECT_EQ(units.root()->as.array->children[0], units.root()->as.array->children[1]);
  // Deeper down, and in a node beside.
  const auto* lists = offsets({0, 1, 2}, shared);
  text_of(b.tuple({Builder::array(record(2, {"a", "b"}, {lists, shared})), Builder::array(lists)}));
}

TEST_F(SharedText, TextOfNestedSharedArraysIsProportional) {
  const polycodec_array* laughs = leaf<std::int64_t>({1});
  for (int level = 0; level < 14; ++level) laughs = record(1, {"a", "b"}, {laughs, laughs});
  const auto node = Builder::array(laughs);
  validate(NodeView(&node), {}, Validation::full);
  const std::string text = to_text(NodeView(&node));
  // 16,384 values, of which there is one; types have a bound of their own.
  const std::size_t values = text.find("\"value\"");
  EXPECT_LT(text.size() - values, std::size_t{1} << 20);
  const Value back = parse_text(text);
  EXPECT_EQ(to_text(back.view()), text);
  const polycodec_array* a = back.root()->as.array;
  for (int level = 0; level < 14; ++level, a = a->children[0])
    ASSERT_EQ(a->children[0], a->children[1]) << level;
}

TEST_F(SharedText, ItemsOfSharedPartsAreBoundedAndTheErrorNamesTheExactText) {
  const polycodec_node* next = b.store(b.list({Builder::integer(1)}));
  for (int level = 0; level < 40; ++level)
    next = b.store(b.list({Builder::reference(next), Builder::reference(next)}));
  EXPECT_LT(to_text(NodeView(next)).size(), 10'000u);
  const Error e = error_of([&] { (void)to_text(NodeView(next), {.exact = false}); });
  EXPECT_EQ(e.code(), Status::limit);
  EXPECT_TRUE(e.message().ends_with(", or print exact text, which has shared parts once"))
      << e.describe();
  EXPECT_TRUE(e.path().starts_with("$[0][0]")) << e.path();
}

TEST_F(SharedText, AReferenceToTheRootLeadsToTheRoot) {
  auto* root = const_cast<polycodec_node*>(b.store(Builder::null()));
  *root = b.list({Builder::integer(1), Builder::reference(root)});
  const std::string text = to_text(NodeView(root));
  const Value back = parse_text(text);
  EXPECT_EQ(to_text(back.view()), text);
  EXPECT_EQ(back.root()->as.nodes[1].as.node, back.root());
  // Also of an annotated root, and of a typed part.
  auto* units = const_cast<polycodec_node*>(b.store(Builder::null()));
  *units = b.annotated(b.list({Builder::reference(units)}),
                       b.object({{"units", Builder::string_view("m")}}));
  const Value annotated = parse_text(to_text(NodeView(units)));
  EXPECT_EQ(to_text(annotated.view()), to_text(NodeView(units)));
  ASSERT_EQ(annotated.root()->kind, POLYCODEC_KIND_ANNOTATED);
  EXPECT_EQ(annotated.root()->as.annotated->node->as.nodes[0].as.node, annotated.root());
}

TEST_F(SharedText, BadNumbersAreErrors) {
  for (const char* text : {R"({"type": "2 * int64", "value": {"$same": 1}})",
                           R"({"type": "2 * int64", "value": {"$same": [1]}})",
                           R"({"type": "2 * int64", "value": {"$same": [1, [1, 2], 3]}})",
                           R"({"type": "2 * int64", "value": {"$same": [1, {"$same": 1}]}})",
                           R"({"type": "int64", "value": {"$same": [1, 5]}})",
                           R"({"type": "{a: 1 * int64}", "value": {"a": {"$same": "x"}}})"}) {
    SCOPED_TRACE(text);
    const Error e = error_of([&] { (void)parse_text(text); });
    EXPECT_TRUE(e.code() == Status::malformed || e.code() == Status::type) << e.describe();
    EXPECT_TRUE(e.detail().starts_with("text.")) << e.detail();
  }
  // Layouts of shared layouts are huge on paper: the reader ends at the limit of arrays.
  std::string bomb =
      R"({"type": "1 * any", "value": {"$layout": {"layout": "record", "length": 1, "names": ["a"], "children": [{"type": "1 * int8", "value": {"$same": [1, [1]]}}]}}})";
  EXPECT_NO_THROW((void)parse_text(bomb));
  std::string inner = R"({"type": "1 * int8", "value": {"$same": [1, [1]]}})";
  for (int level = 2; level < 60; ++level)
    inner =
        R"({"type": "1 * any", "value": {"$same": [)" + std::to_string(level) +
        R"(, {"$layout": {"layout": "record", "length": 1, "names": ["a", "b"], "children": [)" +
        inner + R"(, {"$same": )" + std::to_string(level - 1) + "}]}}]}}";
  Limits limits;
  limits.max_depth = 2000;
  limits.max_nodes = 1 << 20;
  const Error e = error_of([&] { (void)parse_text(inner, limits); });
  EXPECT_EQ(e.code(), Status::limit) << e.describe();
}

TEST_F(SharedText, CodeUnitsAreWhole) {
  // So no text is left without a notation: other sizes are no values.
  for (const auto& [dtype, size] :
       {std::pair(POLYCODEC_DTYPE_FIXED_UTF16, 3u), std::pair(POLYCODEC_DTYPE_FIXED_UTF32, 6u)}) {
    const std::int64_t shape[] = {1};
    const auto odd = Builder::array(b.ndarray(std::string_view("a\0\0\0\0\0", size), dtype, size,
                                              shape, POLYCODEC_LITTLE_ENDIAN));
    EXPECT_EQ(error_of([&] { validate(NodeView(&odd), {}, Validation::structure); }).code(),
              Status::invalid);
  }
  const struct {
    std::uint32_t dtype, size;
  } sizes[] = {{POLYCODEC_DTYPE_FIXED_BYTES, 0}, {POLYCODEC_DTYPE_FIXED_BYTES, 3},
               {POLYCODEC_DTYPE_FIXED_UTF8, 0},  {POLYCODEC_DTYPE_FIXED_UTF8, 3},
               {POLYCODEC_DTYPE_FIXED_UTF16, 0}, {POLYCODEC_DTYPE_FIXED_UTF16, 6},
               {POLYCODEC_DTYPE_FIXED_UTF32, 0}, {POLYCODEC_DTYPE_FIXED_UTF32, 12}};
  for (const auto& [dtype, size] : sizes)
    for (const std::vector<std::int64_t>& shape :
         std::vector<std::vector<std::int64_t>>{{}, {2}, {0}, {2, 3}, {2, 0}}) {
      SCOPED_TRACE(std::to_string(dtype) + " " + std::to_string(size));
      std::uint64_t count = 1;
      for (const std::int64_t extent : shape) count *= static_cast<std::uint64_t>(extent);
      const std::string bytes(count * size, '\0');
      text_of(Builder::array(b.ndarray(bytes, dtype, size, shape, POLYCODEC_LITTLE_ENDIAN)));
    }
}

}  // namespace
}  // namespace polycodec
