// SPDX-License-Identifier: MIT
// Reading schemas: both spellings, what they come to, and what is wrong with them and where.

#include "core/text/text.hpp"
#include "core/value/value.hpp"
#include "fastbin/schema/diff.hpp"
#include "fastbin/schema/hash.hpp"
#include "fastbin/schema/names.hpp"
#include "fastbin/schema/parse.hpp"
#include "fastbin/schema/print.hpp"
#include "files.hpp"

#include <gtest/gtest.h>

namespace polycodec {
namespace {

namespace fs = std::filesystem;
using fastbin::Kind;
using fastbin::Schema;

const fs::path directory = fs::path(POLYCODEC_TEST_VECTORS) / "fastbin";

/// The message of the refusal, or "" if the text is a schema.
std::string refusal(std::string_view text) {
  try {
    static_cast<void>(fastbin::parse_schema(text, "s.json"));
    return {};
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Status::option);
    EXPECT_EQ(e.detail(), "fastbin.schema");
    return e.message();
  }
}

/// A schema of one struct with these members, in the object form.
std::string one_struct(const std::string& members) {
  return R"({"namespace": "n", "structs": {"S": {"members": {)" + members + "}}}}";
}

TEST(FastbinSchemaInternal, BothSpellingsOfEveryVectorAreTheSameSchema) {
  unsigned count = 0;
  for (const auto& path : test::descriptions(directory)) {
    const std::string name = path.filename().string();
    if (!name.ends_with(".schema.json") || name.ends_with(".readme.schema.json")) continue;
    SCOPED_TRACE(name);
    const Schema object_form = fastbin::parse_schema(test::read_file(path), name);
    const fs::path readme = directory / (name.substr(0, name.find('.')) + ".readme.schema.json");
    const Schema list_form = fastbin::parse_schema(test::read_file(readme), readme.string());
    EXPECT_EQ(fastbin::schema_to_json(object_form), fastbin::schema_to_json(list_form));
    EXPECT_EQ(fastbin::schema_hash(object_form), fastbin::schema_hash(list_form));
    // What is printed reads back.
    const Schema again = fastbin::parse_schema(fastbin::schema_to_json(object_form));
    EXPECT_EQ(fastbin::schema_to_json(again), fastbin::schema_to_json(object_form));
    // A document says the same.
    const Value document = parse_json(test::read_file(path));
    EXPECT_EQ(fastbin::schema_to_json(fastbin::schema_from_view(document.view())),
              fastbin::schema_to_json(object_form));
    ++count;
  }
  EXPECT_GE(count, 12u);
}

TEST(FastbinSchemaInternal, LayoutIsThatOfTheFormat) {
  const Schema s =
      fastbin::parse_schema(R"({"namespace": "a::b", "enums": {"E": {"type": "int16", "members":
    {"Low": {"value": -1, "map": ["l", "L"]}, "High": {"value": 5, "docstring": "two\nlines"}}}},
    "structs": {
      "P": {"members": {"x": "float64", "e": "enum:E"}},
      "Q": {"members": [{"name": "p", "type": "struct:P"}, {"name": "b", "type": "bool", "docstring": "why"}]},
      "V": {"members": {"q": "struct:Q", "s": "string", "n": "int8", "items": "vector<struct:P>",
                        "any": "variant<int8,  vector<int16>, struct:Q>"}}}})");
  EXPECT_EQ(s.name_space, "a::b");
  const auto& e = s.enums.at(0);
  EXPECT_EQ(e.members[0].bits, 0xffffu);
  EXPECT_EQ(e.value_text(e.members[0]), "-1");
  EXPECT_EQ(e.members[0].texts, (std::vector<std::string>{"l", "L"}));
  EXPECT_EQ(e.members[1].texts, (std::vector<std::string>{"High"}));
  EXPECT_EQ(e.members[1].doc, (std::vector<std::string>{"two", "lines"}));
  EXPECT_EQ(e.find(std::uint64_t{5})->name, "High");
  const auto& q = *s.find_struct("Q");
  EXPECT_TRUE(q.fixed);
  EXPECT_EQ(q.fixed_size, 24u);
  EXPECT_EQ(q.fields[1].offset, 16u);
  EXPECT_EQ(q.fields[1].doc, (std::vector<std::string>{"why"}));
  const auto& v = *s.find_struct("V");
  EXPECT_FALSE(v.fixed);
  EXPECT_EQ(v.fields[0].offset, 8u);
  EXPECT_EQ(v.fields[0].fixed_size, 24u);
  EXPECT_EQ(v.fields[1].offset, 32u);
  EXPECT_EQ(v.fields[2].offset, std::nullopt);
  EXPECT_EQ(v.min_size, 8u + 24 + 8 + 8 + 16 + 16);
  EXPECT_EQ(s.type_text(v.fields[4].type), "Variant<int8, vector<int16>, struct:Q>");
  ASSERT_EQ(fastbin::extensions(s).size(), 1u);
  EXPECT_EQ(fastbin::extensions(s)[0].what, "vector<int16> in a variant");
  EXPECT_EQ(fastbin::extensions(s)[0].path, "structs.V.any");
}

TEST(FastbinSchemaInternal, TheHashIsOfWhatBuffersDependOn) {
  const auto hash = [](const std::string& text) {
    return fastbin::schema_hash(fastbin::parse_schema(text));
  };
  const std::string plain =
      R"({"namespace": "n", "structs": {"S": {"members": {"a": "int8", "b": "Variant<int8, bool>"}}}})";
  const std::string other_words =
      R"({"namespace": "m", "structs": {"S": {"docstring": "x", "type": "struct",
    "members": [{"name": "a", "type": "int8", "docstring": "y"}, {"type": "variant<int8,bool>", "name": "b"}]}}})";
  EXPECT_EQ(hash(plain), hash(other_words));
  EXPECT_EQ(hash(plain).size(), 64u);
  EXPECT_NE(hash(plain), hash(one_struct(R"("b": "Variant<int8, bool>", "a": "int8")")));
  EXPECT_NE(hash(one_struct(R"("a": "int8")")), hash(one_struct(R"("a": "uint8")")));
  EXPECT_NE(hash(one_struct(R"("a": "int8")")), hash(one_struct(R"("b": "int8")")));
}

TEST(FastbinSchemaInternal, TheHashOfASchemaNeverChanges) {
  // Generated code carries it: two versions of polycodec must agree.
  EXPECT_EQ(
      fastbin::canonical_text(fastbin::parse_schema(
          R"({"namespace": "n", "enums": {"E": {"type": "int8", "members": {"A": {"value": -1}}}},
                    "structs": {"S": {"members": {"a": "enum:E", "v": "variant<int8, string>"}}}})")),
      "fastbin 1\nenum E:int8 A=-1\nstruct S a:enum:E v:Variant<int8,string>\n");
  EXPECT_EQ(fastbin::schema_hash(fastbin::parse_schema(one_struct(R"("a": "int8")"))),
            "9679ea27ba483b68c653f93f6b4107735cdbc3e3d69a65ebeffb7d0962b68717");
}

TEST(FastbinSchemaInternal, RefusalsNamePathAndLine) {
  EXPECT_EQ(refusal(""), "s.json:1: there is no text");
  EXPECT_EQ(
      refusal(
          "{\n\"namespace\": \"n\",\n\"structs\": {\n\"A\": {\"members\": {\n\"b\": \"int23\"}}}}"),
      "s.json:5: structs.A.members.b: unknown type 'int23'");
  EXPECT_EQ(refusal("{\"namespace\": \"n\",\n \"namespace\": \"m\"}"),
            "s.json:2: namespace: duplicate key 'namespace' (line 2, column 2)");
  EXPECT_EQ(refusal("{\"namespace\": \"n\", \"structs\": {\"A\": {\"members\": {\"a\": "
                    "\"int8\",\n\"a\": \"int8\"}}}}"),
            "s.json:2: structs.A.members.a: duplicate key 'a' (line 2, column 1)");
  EXPECT_EQ(refusal("{\"namespace\": \"n\", \"structs\": {\"A\": {\"members\": [{\"name\": \"a\", "
                    "\"type\": \"int8\"},\n"
                    "{\"name\": \"b\", \"name\": \"c\"}]}}}"),
            "s.json:2: structs.A.members[1].name: duplicate key 'name' (line 2, column 15)");
  EXPECT_EQ(
      refusal("{\"namespace\": \"n\", \"enums\": {\"E\": {\"type\": \"uint64\", \"members\": {\n"
              "\"A\": {\"value\": 18446744073709551616}}}}}"),
      "s.json:2: enums.E.members.A.value: 18446744073709551616 does not fit in uint64");
  EXPECT_EQ(
      refusal(
          "{\"namespace\": \"n\",\n\"structs\": {\n\"A\": {\"members\": {\"a\": \"struct:B\"}},\n"
          "\"B\": {\"members\": {\"x\": \"int8\"}}}}"),
      "s.json:3: structs.A.members.a: 'B' is defined only further down (line 4); structs must be "
      "defined before "
      "they are used");
  EXPECT_EQ(refusal("{\"namespace\": \"n\", \"enums\": {\"E\": {\"type\": \"int8\", \"members\": "
                    "{\n\"A\": {\"value\": 1},\n"
                    "\"B\": {\"value\":\n128\n}}}}}"),
            "s.json:4: enums.E.members.B.value: 128 does not fit in int8");
  EXPECT_EQ(refusal("{\n\n]"),
            "s.json:3: not JSON: expected a string, found ']' (line 3, column 1)");
}

TEST(FastbinSchemaInternal, RefusalsEscapeControlCharacters) {
  const std::string message = refusal(R"({"namespace": "n", "\u001b[2J": 1, "\u001b[2J": 2})");
  EXPECT_EQ(message.find('\x1b'), std::string::npos);
  EXPECT_NE(message.find("'\\u001b[2J'"), std::string::npos) << message;
}

TEST(FastbinSchemaInternal, CyclesAreSeen) {
  EXPECT_EQ(refusal(one_struct(R"("a": "struct:S")")),
            "s.json:1: structs.S.members.a: 'S' would contain itself");
  EXPECT_EQ(refusal(one_struct(R"("a": "vector<struct:S>")")),
            "s.json:1: structs.S.members.a: 'S' would contain itself");
  EXPECT_EQ(refusal(R"({"namespace": "n", "structs": {"A": {"members": {"b": "vector<struct:B>"}},
    "B": {"members": [{"name": "c", "type": "variant<int8, struct:C>"}]}, "C": {"members": {"a": "struct:A"}}}})"),
            "s.json:1: structs.A.members.b: 'A' would contain itself: A -> B -> C -> A");
}

TEST(FastbinSchemaInternal, EveryRuleOfTypesAndNames) {
  const std::pair<const char*, const char*> types[] = {
      {"double", "unknown type 'double'; did you mean 'float64'?"},
      {"", "a type is missing"},
      {"struct:T", "there is no struct 'T'"},
      {"enum:T", "there is no enum 'T'"},
      {"struct", "'struct' must be followed by ':' and a name"},
      {"enum:", "the name after 'enum:' is missing"},
      {"vector", "'vector' must be followed by '<' and the type of its items"},
      {"vector<int8", "'>' is missing after the type of the items"},
      {"vector<int8>x", "'x' follows the type"},
      {"vector<>", "unexpected '>'"},
      {"vector<vector<int8>>", "a vector cannot hold vectors"},
      {"vector<Variant<int8>>", "a vector cannot hold variants; put the variant in a struct"},
      {"Variant<>", "unexpected '>'"},
      {"Variant<int8,>", "unexpected '>'"},
      {"Variant<int8", "'>' is missing after the alternatives"},
      {"Variant<int8, int8>",
       "'int8' occurs twice in the variant: the second could never be chosen"},
      {"Variant<Variant<int8>>", "a variant cannot hold variants"},
      {"Variant<vector<string>>", "a variant cannot hold a vector of strings"},
      {"Variant<vector<struct:S>>",
       "a variant cannot hold a vector of structs; put the vector in a struct"}};
  for (const auto& [type, why] : types)
    EXPECT_EQ(refusal(one_struct("\"a\": \"" + std::string(type) + "\"")),
              std::string("s.json:1: structs.S.members.a: ") + why);

  for (const char* name : {"buffer", "buffer_size", "owns_buffer", "fastbin_size", "S"})
    EXPECT_NE(
        refusal(one_struct("\"" + std::string(name) + "\": \"int8\"")).find("is a reserved name"),
        std::string::npos)
        << name;
  for (const char* name : {"class", "xor", "end", "int8", "default"})
    EXPECT_EQ(refusal(one_struct("\"" + std::string(name) + "\": \"int8\"")), "") << name;
  for (const char* name : {"", "1a", "a-b", "a b", "\\u00e9"})
    EXPECT_NE(refusal(one_struct("\"" + std::string(name) + "\": \"int8\"")), "") << name;
  EXPECT_NE(refusal(R"({"namespace": "a::", "structs": {}})"), "");
  EXPECT_NE(refusal(R"({"namespace": "a.b", "structs": {}})"), "");
  EXPECT_NE(refusal(R"({"namespace": "", "structs": {}})"), "");
  EXPECT_NE(refusal(one_struct("")), "");
  EXPECT_NE(
      refusal(
          R"({"namespace": "n", "structs": {"S": {"members": [{"name": "a", "type": "int8"}, {"name": "a", "type": "int8"}]}}})"),
      "");
  EXPECT_NE(refusal(R"({"namespace": "n", "structs": {"S": {"members": [{"name": "a"}]}}})"), "");
  EXPECT_NE(refusal(R"({"namespace": "n", "structs": {"S": {"members": ["a"]}}})"), "");
  EXPECT_NE(refusal(R"({"namespace": "n", "structs": {"S": {"members": 1}}})"), "");
  EXPECT_NE(refusal(R"({"namespace": "n", "structs": {"S": {}}})"), "");
  EXPECT_NE(refusal(R"([])"), "");
}

TEST(FastbinSchemaInternal, EveryRuleOfEnums) {
  const auto with = [](const std::string& type, const std::string& members) {
    return R"({"namespace": "n", "enums": {"E": {"type": ")" + type + R"(", "members": {)" +
           members + "}}}}";
  };
  for (const char* type : {"byte", "float32", "string", "E"})
    EXPECT_NE(refusal(with(type, R"("A": {"value": 1})")), "");
  for (const char* value : {"128", "-129", "1.5", "null", "\"x\"", "\"010\"", "true"})
    EXPECT_NE(refusal(with("int8", R"("A": {"value": )" + std::string(value) + "}")), "") << value;
  for (const char* value : {"127", "-128", "\"0x7f\"", "\"0b11\"", "\"-5\""})
    EXPECT_EQ(refusal(with("int8", R"("A": {"value": )" + std::string(value) + "}")), "") << value;
  EXPECT_EQ(refusal(with("bool", R"("A": {"value": true}, "B": {"value": 0})")), "");
  EXPECT_NE(refusal(with("bool", R"("A": {"value": 2})")), "");
  EXPECT_EQ(refusal(with("char", R"("A": {"value": "'A'"}, "B": {"value": 255})")), "");
  EXPECT_EQ(refusal(with("uint64", R"("A": {"value": 18446744073709551615})")), "");
  EXPECT_NE(refusal(with("int8", "")), "");
  EXPECT_NE(refusal(with("int8", R"("A": 0)")), "");
  EXPECT_NE(refusal(with("int8", R"("A": {})")), "");
  EXPECT_NE(refusal(with("int8", R"("A": {"value": 0}, "B": {"value": 1, "map": "A"})")), "");
  EXPECT_NE(refusal(with("int8", R"("A": {"value": 0, "map": ["x", "x"]})")), "");
  EXPECT_NE(
      refusal(
          R"({"namespace": "n", "enums": {"S": {"type": "int8", "members": {"A": {"value": 0}}}},
    "structs": {"S": {"members": {"a": "int8"}}}})"),
      "");
}

TEST(FastbinSchemaInternal, ANamespaceIsNotNeeded) {
  const Schema s = fastbin::parse_schema(R"({"structs": {"S": {"members": {"a": "int8"}}}})");
  EXPECT_EQ(s.name_space, "");
  EXPECT_EQ(fastbin::schema_to_json(s).find("namespace"), std::string::npos);
  EXPECT_EQ(fastbin::schema_hash(s),
            fastbin::schema_hash(fastbin::parse_schema(one_struct(R"("a": "int8")"))));
  EXPECT_EQ(fastbin::namespace_problem("a::class"), "");
  EXPECT_NE(fastbin::namespace_problem("a::"), "");
  EXPECT_NE(fastbin::namespace_problem("a.b"), "");
}

TEST(FastbinSchemaInternal, LaterNamesOfAValueAreAliases) {
  const auto with = [](const std::string& members) {
    return fastbin::parse_schema(
        R"({"namespace": "n", "enums": {"E": {"type": "int8", "members": {)" + members +
        R"(}}}, "structs": {"S": {"members": {"e": "enum:E"}}}})");
  };
  const Schema one = with(R"("A": {"value": 1})");
  const Schema two = with(R"("A": {"value": 1}, "B": {"value": 1})");
  const Schema turned = with(R"("B": {"value": 1}, "A": {"value": 1})");
  const fastbin::Enum& e = two.enums[0];
  EXPECT_EQ(e.find(std::uint64_t{1})->name, "A");
  EXPECT_FALSE(e.is_alias(e.members[0]));
  EXPECT_TRUE(e.is_alias(e.members[1]));
  const auto said = [](const Schema& was, const Schema& is) {
    std::string all;
    for (const fastbin::Change& c : fastbin::diff(was, is)) all += c.path + " " + c.what + "; ";
    return all;
  };
  EXPECT_EQ(said(two, two), "");
  EXPECT_EQ(said(one, two), "enums.E.B is new; ");
  EXPECT_EQ(said(two, one), "enums.E.B is called 'A' now; ");
  EXPECT_EQ(said(two, turned), "enums.E.A is called 'B' now; ");
  EXPECT_EQ(
      said(two, with(R"("A": {"value": 1}, "B": {"value": 2})")),
      "enums.E.B has the value 2, had 1: old values mean 'A' now; structs.S uses enums.E, which "
      "cannot be read as it was; ");
}

TEST(FastbinSchemaInternal, NestingIsBounded) {
  // Twenty levels of ten members each would be 10^20 parts.
  std::string text = R"({"namespace": "n", "structs": {"S0": {"members": {"a": "int8"}})";
  for (int i = 1; i < 20; ++i) {
    text += ", \"S" + std::to_string(i) + "\": {\"members\": {";
    for (int m = 0; m < 10; ++m)
      text += (m == 0 ? "\"m" : ", \"m") + std::to_string(m) + "\": \"struct:S" +
              std::to_string(i - 1) + "\"";
    text += "}}";
  }
  EXPECT_NE(refusal(text + "}}").find("more than 65536 parts"), std::string::npos);
  text = R"({"namespace": "n", "structs": {"S0": {"members": {"a": "int8"}})";
  for (int i = 1; i < 100; ++i)
    text += ", \"S" + std::to_string(i) + "\": {\"members\": {\"m\": \"struct:S" +
            std::to_string(i - 1) + "\"}}";
  EXPECT_NE(refusal(text + "}}").find("deeper than 64 levels"), std::string::npos);
  EXPECT_NE(refusal(std::string(100000, '[')).find("nested deeper"), std::string::npos);
}

}  // namespace
}  // namespace polycodec
