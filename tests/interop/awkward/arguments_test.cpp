// SPDX-License-Identifier: MIT
// What may stand for an array, an id or a type in a file, and what an option of reading may ask
// for.
#include "read_support.hpp"

#include <gtest/gtest.h>

namespace polycodec::test {
namespace {

const Blobs data = {{"i", bytes_of<std::int64_t>({2, 0, 3})},
                    {"d", bytes_of<double>({1, 2, 3, 4, 5})}};
const std::string five = buffer("d", R"("float64")", 5);

std::string call(const std::string& name, const std::string& args) {
  return R"({"call": ["awkward0", )" + name + R"(], "args": [)" + args + "]}";
}

void expect(const std::string& expression, std::string_view expected,
            std::string_view options = "{}") {
  try {
    const Value value = read_schema(expression, data, options);
    EXPECT_EQ("", difference(value.view(), Json::parse(expected))) << expression;
  } catch (const Error& e) {
    ADD_FAILURE() << expression << ": " << e.describe();
  }
}

std::string refused(const std::string& expression, std::string_view options = "{}") {
  const auto e = refusal_of([&] { return read_schema(expression, data, options); });
  return e ? e->detail() + " " + e->path() : "read";
}

const std::string table =
    call(R"("Table", "frompairs")",
         R"({"pairs": [["x", )" + five + R"(], ["y", {"json": [1, 2, 3]}]]}, {"json": 0})");

TEST(AwkwardArguments, ListsInListsAreArraysOfSeveralDimensions) {
  expect(call(R"("JaggedArray")",
              R"({"json": [[0, 1], [2, 3]]}, {"json": [[1, 2], [3, 5]]}, )" + five),
         "[[[1.0], [2.0]], [[3.0], [4.0, 5.0]]]");
  expect(call(R"("JaggedArray", "fromcounts")", R"({"json": [[2], [0], [1]]}, )" + five),
         "[[[1.0, 2.0]], [[]], [[3.0]]]");
  expect(call(R"("IndexedArray")", R"({"json": [[4, 0], [1, 2]]}, )" + five),
         "[[5.0, 1.0], [2.0, 3.0]]");
  expect(call(R"("IndexedArray")", R"({"json": [1]}, {"json": [[1.5, 2], [3, 4]]})"),
         "[[3.0, 4.0]]");
  EXPECT_EQ("array.not_integers $.schema.args[0]",
            refused(call(R"("IndexedArray")", R"({"json": [[4, 0], [1]]}, )" + five)));
  EXPECT_EQ("array.not_integers $.schema.args[0]",
            refused(call(R"("IndexedArray")", R"({"json": [[0.5]]}, )" + five)));
}

TEST(AwkwardArguments, OnlyATupleIsAViewByStartStepAndLength) {
  expect(call(R"("Table", "fromview")",
              R"({"tuple": [{"json": 2}, {"json": -1}, {"json": 2}]}, )" + table),
         R"([{"x": 3.0, "y": 3}, {"x": 2.0, "y": 2}])");
  expect(call(R"("Table", "fromview")", R"({"json": [2, -1, 2]}, )" + table),
         R"([{"x": 3.0, "y": 3}, {"x": 3.0, "y": 3}, {"x": 3.0, "y": 3}])");
  expect(call(R"("Table", "fromview")", R"({"json": [1]}, )" + table), R"([{"x": 2.0, "y": 2}])");
  EXPECT_EQ("table.view_range $.schema.args[0]",
            refused(call(R"("Table", "fromview")", R"({"json": [0, 1, 3]}, )" + table)));
}

TEST(AwkwardArguments, IdsThatAreEqualInPythonAreOne) {
  expect(R"({"list": [{"json": "a", "id": 1.0}, {"ref": 1}, {"ref": true}]})",
         R"(["a", "a", "a"])");
  expect(
      R"({"list": [{"json": "a", "id": false}, {"ref": 0}, {"json": "b", "id": 0.5}, {"ref": 0.5}]})",
      R"(["a", "a", "b", "b"])");
  EXPECT_TRUE(refused(R"({"list": [{"json": 1, "id": 1}, {"json": 2, "id": true}]})")
                  .starts_with("expression.duplicate_id"));
  EXPECT_TRUE(refused(R"({"list": [{"json": 1, "id": [1]}]})").starts_with("expression.id"));
}

TEST(AwkwardArguments, ErrorsNameTheId) {
  const auto dangling = refusal_of([] { return read_schema(R"({"list": [{"ref": 99}]})"); });
  ASSERT_TRUE(dangling);
  EXPECT_NE(std::string::npos, dangling->message().find("id 99")) << dangling->describe();
  const auto twice = refusal_of(
      [] { return read_schema(R"({"list": [{"json": 1, "id": "n"}, {"json": 2, "id": "n"}]})"); });
  ASSERT_TRUE(twice);
  EXPECT_NE(std::string::npos, twice->message().find("id 'n'; the other is $.schema.list["))
      << twice->describe();
}

TEST(AwkwardArguments, JsonErrorsHaveAPath) {
  EXPECT_EQ("json.duplicate_key $.schema.list[1].json.a",
            refused(R"({"list": [{"json": 1}, {"json": {"a": 1, "b": 2, "a": 3}}]})"));
  EXPECT_EQ("json.number $.schema.dict.x.json[2]",
            refused(R"({"dict": {"x": {"json": [1, 2, 36893488147419103232]}}})"));
}

TEST(AwkwardArguments, NamesOfDtypes) {
  for (const char* name : {"int_", "intp", "longlong", "long", "p"})
    expect(buffer("i", "\"" + std::string(name) + "\"", 3), "[2, 0, 3]");
  expect(buffer("d", R"("float_")", 2), "[1.0, 2.0]");
}

TEST(AwkwardArguments, Utf7) {
  const auto decoded = [](const std::string& bytes) {
    const std::string counts = R"({"json": [)" + std::to_string(bytes.size()) + "]}";
    const Value value = read_schema(
        call(R"("StringArray", "fromcounts")", counts + R"(, {"read": "t"}, {"json": "utf-7"})"),
        {{"t", bytes}});
    std::string scratch;
    return std::string(value.view().child(0).as_string(scratch));
  };
  EXPECT_EQ("Hi Mom \u263a!", decoded("Hi Mom +Jjo-!"));
  EXPECT_EQ("\u65e5\u672c\u8a9e", decoded("+ZeVnLIqe-"));
  EXPECT_EQ("1 + 1 = \U0001f600", decoded("1 +- 1 +AD0 +2D3eAA"));
  EXPECT_EQ("a\ufffdb", decoded("a\xff"
                                "b"));
  EXPECT_EQ("\ufffd", decoded("+2D0-")) << "half a pair";
  EXPECT_EQ("\ufffdx", decoded("+ x"));
}

TEST(AwkwardArguments, TypesOfVirtualArrays) {
  const auto declared = [](const std::string& type) {
    return R"({"call": ["awkward0", "VirtualArray"], "args": [{"function": ["numpy", "frombuffer"]},
               {"tuple": [{"read": "d"}]}, {"dict": {}}], "cacheable": true, "kwargs": {"type":
               {"call": ["awkward0.persist", "json2type"], "args": [{"json": )" +
           type + R"(}], "whitelistable": true}}})";
  };
  const char* all = "[1.0, 2.0, 3.0, 4.0, 5.0]";
  expect(declared(R"({"takes": 5, "to": {"dtype": "float64"}})"), all);
  expect(declared(R"({"set": "T0", "as": {"takes": 5, "to": {"dtype": "float64"}}})"), all);
  expect(declared(R"({"set": "T0", "as": {"takes": 5, "to": {"ref": "T0"}}})"), all);
  for (const char* other :
       {R"({"set": "T0", "as": {"takes": 6, "to": {"dtype": "float64"}}})",
        R"({"dtype": "float64"})",
        R"({"takes": 5, "to": {"possibilities": [{"dtype": "float64"}, {"dtype": "int64"}]}})"})
    EXPECT_EQ("virtual.type $.schema.kwargs.type", refused(declared(other))) << other;
}

TEST(AwkwardArguments, GroupsBelowGroupsAreReadByName) {
  const std::string schema = R"({"awkward0": "1", "schema": {"json": [1, 2]}})";
  const Blobs store{{"a/schema.json", schema}, {"b/c/schema.json", schema}};
  // As the Python library lists them.
  const Value all = read_store(store), one = read_store(store, R"({"array": "b/c"})");
  EXPECT_EQ("", difference(all.view(), Json::parse(R"({"a": [1, 2]})")));
  EXPECT_EQ("", difference(one.view(), Json::parse("[1, 2]")));
  const Value listed = awkward_codec().list(store_of(store));
  EXPECT_TRUE(listed.view().find("b/c"));
}

TEST(AwkwardArguments, AStoreWithoutArraysIsReported) {
  plugin_log().take();
  const Value value = read_store({});
  EXPECT_EQ(0u, value.view().size());
  const std::vector<std::string> logged = plugin_log().take();
  ASSERT_EQ(1u, logged.size());
  EXPECT_NE(std::string::npos, logged[0].find("no array"));
}

}  // namespace
}  // namespace polycodec::test
