// SPDX-License-Identifier: MIT
// Every rule for document nodes has a value here that breaks this rule and no other.
#include <base/dtype_names.hpp>
#include <polycodec/error.hpp>
#include <polycodec/path.hpp>

#include "core/value/value.hpp"
#include "value_fixture.hpp"

namespace polycodec {
namespace {

class ValidateNode : public ValueTest {
 protected:
  std::string problem(const polycodec_node& root, Validation validation,
                      Status expected = Status::invalid) {
    try {
      validate(&root, limits, validation);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), expected) << error.describe();
      return error.path() + ": " + error.message();
    }
    return "";
  }
  void good(const polycodec_node& root) { EXPECT_EQ(problem(root, Validation::full), ""); }
  void bad(const polycodec_node& root, std::string_view message,
           Status expected = Status::invalid) {
    EXPECT_EQ(problem(root, Validation::structure, expected), message);
    EXPECT_EQ(problem(root, Validation::full, expected), message);
  }
  static polycodec_node raw(unsigned kind, unsigned dtype, std::uint64_t size, std::uint64_t bits) {
    auto n = polycodec_node_make(static_cast<std::uint8_t>(kind), static_cast<std::uint8_t>(dtype),
                                 size);
    n.as.u64 = bits;
    return n;
  }
  Limits limits;
};

TEST_F(ValidateNode, Scalars) {
  good(Builder::null());
  for (const std::uint64_t bits : {std::uint64_t{0}, std::uint64_t{1}})
    good(raw(POLYCODEC_KIND_BOOLEAN, 0, 0, bits));
  bad(raw(POLYCODEC_KIND_BOOLEAN, 0, 0, 2), "$: the number does not fit in its bool");
  bad(raw(POLYCODEC_KIND_BOOLEAN, POLYCODEC_DTYPE_BOOLEAN, 0, UINT64_MAX),
      "$: the number does not fit in its bool");
  const struct {
    std::uint8_t dtype;
    std::int64_t low, high;
  } widths[] = {
      {POLYCODEC_DTYPE_INT8, INT8_MIN, INT8_MAX},    {POLYCODEC_DTYPE_INT16, INT16_MIN, INT16_MAX},
      {POLYCODEC_DTYPE_INT32, INT32_MIN, INT32_MAX}, {POLYCODEC_DTYPE_UINT8, 0, UINT8_MAX},
      {POLYCODEC_DTYPE_UINT16, 0, UINT16_MAX},       {POLYCODEC_DTYPE_UINT32, 0, UINT32_MAX}};
  for (const auto& w : widths) {
    const unsigned kind =
        is_signed_integer(w.dtype) ? POLYCODEC_KIND_SIGNED : POLYCODEC_KIND_UNSIGNED;
    const std::string message =
        "$: the number does not fit in its " + std::string(dtype_name(w.dtype));
    good(raw(kind, w.dtype, 0, static_cast<std::uint64_t>(w.low)));
    good(raw(kind, w.dtype, 0, static_cast<std::uint64_t>(w.high)));
    bad(raw(kind, w.dtype, 0, static_cast<std::uint64_t>(w.low - 1)), message);
    bad(raw(kind, w.dtype, 0, static_cast<std::uint64_t>(w.high + 1)), message);
  }
  good(Builder::integer(INT64_MIN));
  good(Builder::unsigned_integer(UINT64_MAX));
  good(Builder::real(-1.5));
  good(Builder::real32(-1.5f));
  good(Builder::real16(0x7e00));
  bad(raw(POLYCODEC_KIND_NULL, 0, 1, 0), "$: null has a size");
  bad(raw(POLYCODEC_KIND_SIGNED, POLYCODEC_DTYPE_INT64, std::uint64_t{1} << 40, 0),
      "$: integer has a size");
}

TEST_F(ValidateNode, KindsAndDtypes) {
  bad(raw(POLYCODEC_KIND_COUNT, 0, 0, 0), "$: unknown kind 19");
  bad(raw(255, 0, 0, 0), "$: unknown kind 255");
  bad(raw(POLYCODEC_KIND_NULL, 1, 0, 0), "$: null with dtype or flags 1");
  bad(raw(POLYCODEC_KIND_SIGNED, 0, 0, 0), "$: integer with dtype or flags 0");
  bad(raw(POLYCODEC_KIND_SIGNED, POLYCODEC_DTYPE_UINT8, 0, 0), "$: integer with dtype or flags 7");
  bad(raw(POLYCODEC_KIND_UNSIGNED, POLYCODEC_DTYPE_INT8, 0, 0),
      "$: unsigned integer with dtype or flags 2");
  bad(raw(POLYCODEC_KIND_FLOAT, POLYCODEC_DTYPE_FLOAT128, 0, 0), "$: float with dtype or flags 15");
  bad(raw(POLYCODEC_KIND_FLOAT, 255, 0, 0), "$: float with dtype or flags 255");
  bad(raw(POLYCODEC_KIND_WIDE, POLYCODEC_DTYPE_INT64, 0, 1),
      "$: wide number with dtype or flags 5");
  bad(raw(POLYCODEC_KIND_STRING, 2, 0, 0), "$: string with dtype or flags 2");
  bad(raw(POLYCODEC_KIND_LIST, 1, 0, 0), "$: list with dtype or flags 1");
  bad(raw(POLYCODEC_KIND_TIMESTAMP, POLYCODEC_DTYPE_DURATION64, 0, 1),
      "$: timestamp with dtype or flags 20");
  const std::uint64_t wide[2] = {1, 2};
  good(b.wide(POLYCODEC_DTYPE_COMPLEX128, wide));
}

TEST_F(ValidateNode, Pointers) {
  EXPECT_THROW(validate(static_cast<const polycodec_node*>(nullptr), limits, Validation::structure),
               Error);
  bad(raw(POLYCODEC_KIND_STRING, 0, 3, 0), "$: the text has no data");
  bad(raw(POLYCODEC_KIND_STRING, POLYCODEC_STRING_LENIENT, 3, 0), "$: the text has no data");
  good(raw(POLYCODEC_KIND_STRING, 0, 0, 0));
  good(raw(POLYCODEC_KIND_BINARY, 0, 0, 0));
  good(raw(POLYCODEC_KIND_LIST, 0, 0, 0));
  bad(raw(POLYCODEC_KIND_BINARY, 0, 3, 0), "$: bytes of size 3 has no data");
  bad(raw(POLYCODEC_KIND_LIST, 0, 2, 0), "$: list of size 2 has no data");
  bad(raw(POLYCODEC_KIND_OBJECT, 0, 2, 0), "$: object of size 2 has no data");
  for (const unsigned kind :
       {POLYCODEC_KIND_ARRAY, POLYCODEC_KIND_EXTENSION, POLYCODEC_KIND_REFERENCE,
        POLYCODEC_KIND_ANNOTATED, POLYCODEC_KIND_UNION})
    bad(raw(kind, 0, 0, 0), "$: " + std::string(kind_name(kind)) + " points to nothing");
  bad(raw(POLYCODEC_KIND_WIDE, POLYCODEC_DTYPE_INT128, 0, 0), "$: wide number points to nothing");
  bad(raw(POLYCODEC_KIND_TIMESTAMP, POLYCODEC_DTYPE_TIMESTAMP64, 0, 0),
      "$: timestamp points to nothing");
  bad(raw(POLYCODEC_KIND_ARRAY, 0, 1, 1), "$: array has a size");
}

TEST_F(ValidateNode, Utf8IsPartOfFullValidation) {
  const auto text = Builder::string_view("a\xff");
  EXPECT_EQ(problem(b.list({Builder::null(), text}), Validation::structure), "");
  EXPECT_EQ(problem(b.list({Builder::null(), text}), Validation::full),
            "$[1]: the text is not UTF-8");
  try {
    validate(b.root(text), limits, Validation::full);
    ADD_FAILURE() << "the text is valid";
  } catch (const Error& e) {
    EXPECT_EQ(e.detail(), "value.content");
  }
  auto lenient = text;
  lenient.dtype = POLYCODEC_STRING_LENIENT;
  good(lenient);
  polycodec_node* nodes;
  const auto object = b.object(1, &nodes);
  nodes[0] = text;
  nodes[1] = Builder::null();
  EXPECT_EQ(problem(object, Validation::full), "$<key 0>: the text is not UTF-8");
}

TEST_F(ValidateNode, Containers) {
  polycodec_node* nodes;
  const auto object = b.object(2, &nodes);
  nodes[0] = nodes[2] = b.string_copy("k");
  nodes[1] = nodes[3] = Builder::null();
  good(object);
  nodes[2] = Builder::integer(1);
  bad(object, "$<key 1>: a key of an object is not a string");
  nodes[2] = b.annotated(b.string_copy("k"), b.object({}));
  bad(object, "$<key 1>: a key of an object is not a string");
  auto map = object;
  map.kind = POLYCODEC_KIND_MAP;
  good(map);
  nodes[3].kind = 77;
  bad(map, "$<value 1>: unknown kind 77");
  bad(b.tuple({Builder::null(), raw(50, 0, 0, 0)}), "$[1]: unknown kind 50");
}

TEST_F(ValidateNode, ExtensionsVariantsAnnotations) {
  good(b.extension("x", Builder::null()));
  bad(b.extension("", Builder::null()), "$: the extension has no name");
  bad(b.extension("\xff", Builder::null()), "$: the name of the extension is not UTF-8");
  polycodec_extension hollow{{nullptr, 4}, nullptr};
  auto n = raw(POLYCODEC_KIND_EXTENSION, 0, 0, 0);
  n.as.extension = &hollow;
  bad(n, "$: the name of the extension has no data");
  hollow.name = to_bytes("x");
  bad(n, "$: a node points to nothing");
  const polycodec_tagged alone{1, nullptr};
  n = raw(POLYCODEC_KIND_UNION, 0, 0, 0);
  n.as.tagged = &alone;
  bad(n, "$: a node points to nothing");

  const auto attributes = b.object({{"units", Builder::integer(1)}});
  const auto annotated = b.annotated(Builder::null(), attributes);
  good(annotated);
  const polycodec_node number = Builder::integer(1);
  polycodec_annotated parts{&number, &number};
  n = raw(POLYCODEC_KIND_ANNOTATED, 0, 0, 0);
  n.as.annotated = &parts;
  bad(n, "$: metadata is not an object");
  parts.metadata = nullptr;
  bad(n, "$: the annotation has no attributes");
  parts = {nullptr, annotated.as.annotated->metadata};
  bad(n, "$: a node points to nothing");
  parts.node = &annotated;
  bad(n, "$: annotations are nested");
}

TEST_F(ValidateNode, Times) {
  good(b.timestamp(-5, 999999999, POLYCODEC_UNIT_NANOSECOND));
  good(b.duration(5, POLYCODEC_UNIT_ATTOSECOND));
  bad(b.timestamp(5, 1000000000, POLYCODEC_UNIT_NANOSECOND),
      "$: 1000000000 nanoseconds beside unit 'ns'");
  bad(b.timestamp(5, 1, POLYCODEC_UNIT_DAY), "$: 1 nanoseconds beside unit 'D'");
  bad(b.timestamp(5, 0, POLYCODEC_UNIT_COUNT), "$: unknown time unit 14");
  auto span = b.duration(5, POLYCODEC_UNIT_SECOND);
  const_cast<polycodec_time*>(span.as.time)->nanoseconds = 1;
  bad(span, "$: 1 nanoseconds beside unit 's'");
}

TEST_F(ValidateNode, ReferencesMayBeCyclic) {
  polycodec_node* nodes;
  const auto list = b.list(2, &nodes);
  nodes[0] = Builder::reference(&nodes[1]);
  nodes[1] = Builder::reference(&list);
  good(list);
  const auto self = b.root(Builder::null());
  *const_cast<polycodec_node*>(self) = Builder::reference(self);
  good(*self);
  // What is reached through references alone is checked as well.
  const auto stray = raw(60, 0, 0, 0);
  nodes[1] = Builder::reference(&stray);
  bad(list, "<target>: unknown kind 60");
}

TEST_F(ValidateNode, PlainCyclesEndAtTheLimit) {
  polycodec_node* nodes;
  const auto list = b.list(1, &nodes);
  nodes[0] = list;
  EXPECT_NE(problem(list, Validation::structure, Status::limit)
                .find("nested deeper than max_depth (512)"),
            std::string::npos);
  limits.max_depth = UINT32_MAX;
  limits.max_nodes = 100000;
  EXPECT_NE(
      problem(list, Validation::full, Status::limit).find("more nodes than max_nodes (100000)"),
      std::string::npos);
  polycodec_node ring = raw(POLYCODEC_KIND_UNION, 0, 0, 0);
  const polycodec_tagged parts{0, &ring};
  ring.as.tagged = &parts;
  EXPECT_NE(problem(ring, Validation::structure, Status::limit), "");
}

TEST_F(ValidateNode, LimitsAreExact) {
  const auto deep = b.list({b.list({b.list({})})});
  limits.max_depth = 3;
  good(deep);
  limits.max_depth = 2;
  bad(deep, "$[0][0]: nested deeper than max_depth (2)", Status::limit);
  limits = {};
  limits.max_nodes = 3;
  good(deep);
  limits.max_nodes = 2;
  bad(deep, "$[0]: more nodes than max_nodes (2)", Status::limit);
  limits = {};
  limits.max_elements = 2;
  good(b.list({Builder::null(), Builder::null()}));
  bad(b.list({Builder::null(), Builder::null(), Builder::null()}),
      "$: 3 items, more than max_elements (2)", Status::limit);
  limits = {};
  limits.max_nodes = 1 << 20;
  const auto one = Builder::null();
  auto huge = raw(POLYCODEC_KIND_LIST, 0, POLYCODEC_MAX_NODE_SIZE, 0);
  huge.as.nodes = &one;
  bad(huge,
      "$: " + std::to_string(POLYCODEC_MAX_NODE_SIZE) +
          " items, more than max_elements (1099511627776)",
      Status::limit);
}

TEST_F(ValidateNode, PathsAreRebuilt) {
  const auto wrong = raw(40, 0, 0, 0);
  const auto inner = b.object(
      {{"ok", b.list({Builder::null()})}, {"two words", b.list({Builder::null(), wrong})}});
  bad(b.object({{"a", b.list({Builder::null(), inner})}}),
      "$.a[1][\"two words\"][1]: unknown kind 40");
  bad(b.list({b.extension("e", b.list({wrong}))}), "$[0]<payload>[0]: unknown kind 40");
  bad(b.list({b.tagged(1, wrong)}), "$[0]<member>: unknown kind 40");
  bad(b.object({{"x", b.annotated(b.list({wrong}), b.object({}))}}), "$.x[0]: unknown kind 40");
  bad(b.object({{"x", b.annotated(Builder::null(), b.object({{"units", wrong}}))}}),
      "$.x<attributes>.units: unknown kind 40");
}

TEST(Path, Keys) {
  const auto key = [](std::string_view k) {
    std::string path = "$";
    append_key(path, k);
    return path;
  };
  EXPECT_EQ(key("abc_1"), "$.abc_1");
  EXPECT_EQ(key("_x"), "$._x");
  EXPECT_EQ(key("1x"), "$[\"1x\"]");
  EXPECT_EQ(key(""), "$[\"\"]");
  EXPECT_EQ(key("a.b"), "$[\"a.b\"]");
  EXPECT_EQ(key("\"\\\n\x7f"), "$[\"\\\"\\\\\\u000a\\u007f\"]");
  EXPECT_EQ(key("\xc3\xa4"), "$[\"\xc3\xa4\"]");
  EXPECT_EQ(key("a\xff\xc3"), "$[\"a\\xff\\xc3\"]");
  EXPECT_EQ(key(std::string(80, 'x')), "$." + std::string(80, 'x'));
  EXPECT_EQ(key(std::string(100, 'x')), "$[\"" + std::string(80, 'x') + "...\"]");
}

}  // namespace
}  // namespace polycodec
