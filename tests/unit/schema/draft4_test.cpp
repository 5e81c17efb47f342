// SPDX-License-Identifier: MIT
// Where draft 4 and the official cases ask for more than values, types and units do: what is done,
// and what docs/schemas.md lists as not done.
#include <polycodec/builder.hpp>

#include "error_of.hpp"
#include "files.hpp"
#include "rows.hpp"

#include <gtest/gtest.h>

#include <string>

namespace polycodec::schema {
namespace {

using test::error_of;

std::string problems_of(const char* schema, const char* value) {
  return problems(schema, parse_json(value));
}
Error refused(const std::string& schema) {
  return error_of([&] { (void)Schema::parse(schema); });
}

constexpr const char* metaschema = R"({"$ref": "http://json-schema.org/draft-04/schema#"})";

TEST(Metaschema, IsKnownByItsAddress) {
  for (const char* good :
       {"{}", R"({"minLength": 1})", R"({"type": ["integer", "null"], "enum": [1, null]})",
        R"({"items": [{"type": "string"}, {}], "additionalItems": false})",
        R"({"definitions": {"a": {"not": {"oneOf": [{"pattern": "x"}]}}}})",
        R"({"dependencies": {"a": ["b"], "c": {"minimum": 1.5}}, "required": ["a"]})",
        R"({"minimum": 0, "exclusiveMinimum": true, "anything": 5})"})
    EXPECT_EQ(problems_of(metaschema, good), "") << good;
  for (const char* bad :
       {"[]", R"({"minLength": -1})", R"({"minLength": 1.5})", R"({"type": "number of things"})",
        R"({"type": []})", R"({"definitions": {"a": {"type": 1}}})", R"({"multipleOf": 0})",
        R"({"exclusiveMinimum": true})", R"({"required": []})", R"({"enum": [1, 1]})",
        R"({"items": [5]})", R"({"dependencies": {"a": [1]}})", R"({"allOf": []})"})
    EXPECT_NE(problems_of(metaschema, bad), "") << bad;
  // A part of it, below a member, beside an id.
  constexpr const char* parts =
      R"({"id": "http://example.com/x", "properties": {"n": {"$ref": "http://json-schema.org/draft-04/schema#/definitions/positiveInteger"}}})";
  EXPECT_EQ(problems_of(parts, R"({"n": 5})"), "");
  EXPECT_EQ(problems_of(parts, R"({"n": -5})"), "minimum $.n");
  EXPECT_EQ(
      refused(R"({"$ref": "http://json-schema.org/draft-04/schema#/definitions/none"})").detail(),
      "schema.reference");
}

TEST(Metaschema, IsTheSchemasOwnWhereThatHasItsAddress) {
  constexpr const char* own =
      R"({"id": "http://json-schema.org/draft-04/schema#", "properties": {"a": {"$ref": "http://json-schema.org/draft-04/schema#"}}, "maxProperties": 1})";
  EXPECT_EQ(problems_of(own, R"({"a": {"a": {}}, "b": 1})"), "maxProperties $");
  EXPECT_EQ(problems_of(own, R"({"a": {"minLength": -1}})"), "");
}

TEST(Patterns, AreThoseOfEcmascript) {
  const std::pair<const char*, const char*> matching[] = {
      {R"(^\\cC$)", R"("\u0003")"},
      {R"(^\\cc$)", R"("\u0003")"},
      {R"(^\\s$)", R"("\u000b")"},
      {R"(^\\s$)", R"("\u00a0")"},
      {R"(^\\s$)", R"("\ufeff")"},
      {R"(^\\s$)", R"("\u2029")"},
      {R"(^\\s$)", R"("\u2003")"},
      {R"(^[\\sx]$)", R"("\u2003")"},
      {R"(^\\S$)", R"("a")"},
      {R"(\\p{Letter}cole)", R"("\u00c9cole")"},
      {R"(^\\p{digit}+$)", R"("\u09ea\u09e8")"},
      {R"(^\\p{Script=Greek}$)", R"("\u03b1")"},
      {R"(^[\\p{Lowercase_Letter}]$)", R"("a")"},
      {R"(^\\u0041\\ud83d\\ude00$)", R"("A\ud83d\ude00")"},
      {R"(^(?<year>\\d+)$)", R"("2020")"},
      {R"(^\\d$)", R"("5")"}};
  for (const auto& [pattern, text] : matching)
    EXPECT_EQ(problems_of((R"({"pattern": ")" + std::string(pattern) + "\"}").c_str(), text), "")
        << pattern << " " << text;
  const std::pair<const char*, const char*> other[] = {
      {R"(^\\S$)", R"("\u2003")"}, {R"(^\\S$)", R"("\u00a0")"},         {R"(^\\cC$)", R"("C")"},
      {R"(^\\d$)", R"("\u09ea")"}, {R"(^\\w$)", R"("\u00e9")"},         {R"(^\\s$)", R"("\u180e")"},
      {R"(^\\S$)", R"("\u000b")"}, {R"(\\p{Letter}cole)", R"("1cole")"}};
  for (const auto& [pattern, text] : other)
    EXPECT_EQ(problems_of((R"({"pattern": ")" + std::string(pattern) + "\"}").c_str(), text),
              "pattern $")
        << pattern << " " << text;
  // Escapes that are cut short are no expressions.
  for (const char* pattern : {R"("a\\u12")", R"("\\c")", R"("\\p{")", R"("a\\u{12")"})
    EXPECT_EQ(refused(R"({"pattern": )" + std::string(pattern) + "}").detail(), "schema.pattern")
        << pattern;
}

/// What docs/schemas.md says that schemas do not do, one row of its table each.
TEST(Draft4, WhatIsNotDoneIsListed) {
  const std::string page = test::read_file(POLYCODEC_SOURCE_DIR "/docs/schemas.md");
  const std::size_t at = page.find("## Differences from draft 4");
  ASSERT_NE(at, page.npos);
  const std::string section = page.substr(at, page.find("\n## ", at + 5) - at);
  std::size_t rows = 0;
  for (std::size_t i = section.find("\n| "); i != section.npos; i = section.find("\n| ", i + 1))
    ++rows;
  EXPECT_EQ(rows, 1u + 5u) << "a header and the differences that are tested here";

  // 1. References to other documents: nothing is opened.
  const Error remote = refused(R"({"$ref": "http://localhost:1234/integer.json"})");
  EXPECT_EQ(remote.detail(), "schema.reference");
  EXPECT_EQ(refused(R"({"$ref": "other.json#/definitions/a"})").detail(), "schema.reference");
  // 2. Look-ahead, look-behind and back-references.
  for (const char* pattern : {R"x("^(?=a)")x", R"x("(a)\\1")x", R"x("(?<!a)b")x"})
    EXPECT_EQ(refused(R"({"pattern": )" + std::string(pattern) + "}").detail(), "schema.pattern");
  // 3. `\S` in brackets is of ASCII.
  EXPECT_EQ(problems_of(R"({"pattern": "^[\\S]$"})", R"("\u2003")"), "");
  // 4. Numbers in JSON text beyond 128 bits and float64.
  EXPECT_EQ(error_of([] {
              (void)parse_json("12345678910111213141516171819202122232425262728");
            }).detail(),
            "json.number");
  EXPECT_EQ(refused(R"({"maximum": 1e999})").detail(), "json.number");
  // 5. `format` says nothing.
  EXPECT_EQ(problems_of(R"({"format": "ipv4"})", R"("no address")"), "");
}

}  // namespace
}  // namespace polycodec::schema
