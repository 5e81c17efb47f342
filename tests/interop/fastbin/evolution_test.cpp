// SPDX-License-Identifier: MIT
// Schemas from values, and what becomes of old buffers when a schema changes.

#include "fastbin/schema/diff.hpp"
#include "fastbin/schema/infer.hpp"
#include "fastbin/schema/parse.hpp"
#include "fastbin/schema/print.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

namespace polycodec {
namespace {

using fastbin::Effect;
using fastbin::Schema;

Schema infer(const std::string& text) {
  const Value value = Value::parse(text);
  return fastbin::infer_schema(value.view());
}

std::string infer_refusal(const std::string& text) {
  try {
    static_cast<void>(infer(text));
    return {};
  } catch (const Error& e) {
    return e.path() + ": " + e.message();
  }
}

TEST(FastbinInfer, ValuesEncodeWithTheirSchema) {
  for (
      const char* text :
      {R"({"a": 1, "b": 1.5, "c": "x", "d": true, "e": [1, 2], "f": ["a", "bc"], "g": {"h": 2}, "i": [{"j": 1}, {"j": 2}]})",
       R"({"b": {"$bytes": "AQID"}, "e": []})",
       R"({"v": [{"u": {"$union": [1, "x"]}}, {"u": {"$union": [0, 5]}}, {"u": {"$union": [2, [1.5]]}}]})",
       R"({"type": "{a: int8, b: float32, p: 2 * {x: float32, y: int16, s: string}, t: 2 * var * int32}", "value": {"a": 1, "b": 2.5, "p": [{"x": 1.0, "y": 2, "s": "q"}, {"x": 1.0, "y": 2, "s": ""}], "t": [[1], [2, 3]]}})"}) {
    SCOPED_TRACE(text);
    if (std::string_view(text).find("var * int32") != std::string_view::npos) {
      EXPECT_NE(infer_refusal(text), "");
      continue;
    }
    const Value value = Value::parse(text);
    const std::string schema = fastbin::schema_to_json(fastbin::infer_schema(value.view()));
    const auto codec = test::fastbin_codec(schema, "Root");
    const std::string bytes = test::encode(codec, value);
    const Value back = test::decode(codec, bytes);
    EXPECT_EQ(test::encode(codec, back), bytes);
    if (std::string_view(text).find("bytes") == std::string_view::npos) {
      EXPECT_EQ(test::difference(value, back, POLYCODEC_COMPARE_NUMBERS), "");
    }
  }
}

TEST(FastbinInfer, SaysTheTypesThatItFinds) {
  const Schema s = infer(R"({"type": "{a: int8, points: 2 * {x: float32, y: int16}, c: 1 * string}",
    "value": {"a": 1, "points": [{"x": 1.0, "y": 2}, {"x": 1.0, "y": 2}], "c": ["q"]}})");
  EXPECT_EQ(
      fastbin::canonical_text(s),
      "fastbin 1\nstruct Points x:float32 y:int16\nstruct Root a:int8 points:vector<struct:Points> "
      "c:vector<string>\n");
  const Schema mixed = infer(R"({"v": [1, 2.5], "r": [{"x": 1.5}, {"x": 2}]})");
  EXPECT_EQ(fastbin::canonical_text(mixed),
            "fastbin 1\nstruct R x:float64\nstruct Root v:vector<float64> r:vector<struct:R>\n");
  const Schema joined = infer(
      R"({"v": [{"$value": {"type": "int8", "value": 1}}, {"$value": {"type": "uint8", "value": 200}}]})");
  EXPECT_EQ(joined.type_text(joined.structs[0].fields[0].type), "vector<int16>");
}

TEST(FastbinInfer, SaysWhatNoSchemaCanSay) {
  EXPECT_EQ(infer_refusal("[1]"),
            "$: a buffer is a struct, and so is made of an object, not of list");
  EXPECT_EQ(infer_refusal(R"({"a": null})"), "$.a: fastbin has no type for null");
  EXPECT_EQ(infer_refusal(R"({"a": [[1]]})"),
            "$.a: a vector cannot hold lists; put them in a member of an object");
  EXPECT_EQ(infer_refusal(R"({"a": [1, "x"]})"),
            "$.a[1]: a number and a text have no type in common");
  EXPECT_EQ(infer_refusal(R"({"a": [{"b": 1}, {"c": 1}]})"),
            "$.a[1].b: not all of the objects have this member");
  EXPECT_NE(infer_refusal(R"({"a b": 1})"), "");
  EXPECT_NE(infer_refusal(R"({"buffer": 1})"), "");
  EXPECT_NE(infer_refusal(R"({"a": {"$union": [1, 5]}})"), "")
      << "what alternative 0 is, nothing shows";
  EXPECT_NE(infer_refusal(R"({"a": {}})"), "");
}

/// The effects of going from one text of members of a struct to another, worst first.
std::vector<fastbin::Change> changes(const std::string& before, const std::string& after,
                                     const std::string& old_enum = R"("A": {"value": 0})",
                                     const std::string& new_enum = R"("A": {"value": 0})") {
  const auto text = [](const std::string& members, const std::string& e) {
    return R"({"namespace": "n", "enums": {"E": {"type": "uint8", "members": {)" + e +
           R"(}}}, "structs": {"P": {"members": {"x": "int32"}}, "Q": {"members": {"y": "int32"}}, "S": {"members": {)" +
           members + "}}}}";
  };
  return fastbin::diff(fastbin::parse_schema(text(before, old_enum)),
                       fastbin::parse_schema(text(after, new_enum)));
}

Effect worst(const std::vector<fastbin::Change>& all) {
  Effect effect = Effect::note;
  for (const auto& c : all) effect = std::max(effect, c.effect);
  return effect;
}

TEST(FastbinDiff, KnowsWhatOldBuffersSurvive) {
  const char* base = R"("a": "int32", "s": "string")";
  EXPECT_TRUE(changes(base, base).empty());
  EXPECT_EQ(worst(changes(base, R"("a": "int32", "s": "string", "n": "int8")")), Effect::lenient);
  EXPECT_EQ(worst(changes(R"("a": "int32", "s": "string", "n": "int8")", base)), Effect::lenient);
  EXPECT_EQ(worst(changes(base, R"("a": "int32", "n": "int8", "s": "string")")), Effect::breaking);
  EXPECT_EQ(worst(changes(base, R"("s": "string", "a": "int32")")), Effect::breaking);
  EXPECT_EQ(worst(changes(base, R"("a": "int64", "s": "string")")), Effect::breaking);
  EXPECT_EQ(worst(changes(base, R"("b": "int32", "s": "string")")), Effect::note);
  EXPECT_EQ(worst(changes(base, R"("a": "int32", "s": "vector<byte>")")), Effect::note);
  EXPECT_EQ(worst(changes(base, R"("a": "int32")")), Effect::breaking) << "no longer variable";
  EXPECT_EQ(worst(changes(R"("a": "int32")", R"("a": "int32", "b": "int32")")), Effect::breaking)
      << "fixed";
  EXPECT_EQ(worst(changes(R"("p": "struct:P")", R"("p": "struct:Q")")), Effect::note)
      << "the same layout";
  EXPECT_EQ(worst(changes(R"("a": "enum:E")", R"("a": "uint8")")), Effect::note);
  EXPECT_EQ(
      worst(changes(R"("v": "Variant<int8, string>")", R"("v": "Variant<int8, string, bool>")")),
      Effect::note);
  EXPECT_EQ(worst(changes(R"("v": "Variant<int8, string>")", R"("v": "Variant<int8>")")),
            Effect::breaking);
  EXPECT_EQ(worst(changes(R"("v": "Variant<int8, string>")", R"("v": "Variant<string, int8>")")),
            Effect::breaking);
  EXPECT_EQ(
      worst(changes(base, base, R"("A": {"value": 0})", R"("A": {"value": 0}, "B": {"value": 1})")),
      Effect::note);
  EXPECT_EQ(worst(changes(base, base, R"("A": {"value": 0})", R"("B": {"value": 0})")),
            Effect::note);
  EXPECT_EQ(worst(changes(base, base, R"("A": {"value": 0})", R"("A": {"value": 1})")),
            Effect::breaking);
}

TEST(FastbinDiff, ARenamedStructIsGoneButWhatUsesItIsNot) {
  const auto parse = [](const std::string& name) {
    return fastbin::parse_schema(
        R"({"namespace": "n", "structs": {")" + name +
        R"(": {"members": {"x": "int8"}}, "S": {"members": {"p": "struct:)" + name + "\"}}}}");
  };
  const auto all = fastbin::diff(parse("B"), parse("C"));
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].what, "is gone: buffers with this root cannot be read");
  EXPECT_EQ(all[1].path + " " + all[1].what,
            "structs.S.p is struct:C, was struct:B: the layout is the same");
  EXPECT_EQ(all[2].path + " " + all[2].what, "structs.C is new");
}

TEST(FastbinDiff, NewMembersOfEnumsAreTold) {
  const auto all = changes(R"("a": "enum:E")", R"("a": "enum:E")", R"("A": {"value": 0})",
                           R"("A": {"value": 0}, "B": {"value": 1})");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].path + " " + all[0].what, "enums.E.B is new");
  EXPECT_EQ(all[0].effect, Effect::note);
}

TEST(FastbinDiff, WhatUsesABrokenStructIsBroken) {
  const auto parse = [](const std::string& type) {
    return fastbin::parse_schema(R"({"namespace": "n", "structs": {"P": {"members": {"x": ")" +
                                 type +
                                 "\"}},\n\"S\": {\"members\": {\"p\": \"vector<struct:P>\"}}, "
                                 "\"T\": {\"members\": {\"s\": \"struct:S\"}}}}");
  };
  const auto all = fastbin::diff(parse("int32"), parse("int16"));
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].path, "structs.P.x");
  EXPECT_EQ(all[0].what, "is int16, was int32: the numbers are stored otherwise");
  EXPECT_EQ(all[1].path, "structs.S");
  EXPECT_EQ(all[1].old_line, 2u);
  EXPECT_EQ(all[2].path, "structs.T");
  for (const auto& c : all) EXPECT_EQ(c.effect, Effect::breaking);
}

}  // namespace
}  // namespace polycodec
