// SPDX-License-Identifier: MIT
// Expressions: kinds, ids and references, several arrays in a store, options, and errors with their
// path.
#include "read_support.hpp"

#include <gtest/gtest.h>

namespace polycodec::test {
namespace {

const Blobs data = {{"i", bytes_of<std::int64_t>({2, 0, 1})},
                    {"d", bytes_of<double>({1.5, 2.5, 3.5})}};

void expect(std::string_view expression, std::string_view expected, const Blobs& blobs = data) {
  try {
    const Value value = read_schema(expression, blobs);
    EXPECT_EQ("", difference(value.view(), Json::parse(expected))) << expression;
  } catch (const Error& e) {
    ADD_FAILURE() << expression << ": " << e.describe();
  }
}

std::string refused(std::string_view expression, const Limits& limits = {}) {
  const auto e =
      refusal_of([&] { return read_schema(expression, data, "{}", {.limits = limits}); });
  return e ? e->detail() + " " + e->path() : "read";
}

TEST(AwkwardExpressions, Kinds) {
  expect(R"({"json": {"a": [1, 2.5, null, true, "x"]}})", R"({"a": [1, 2.5, null, true, "x"]})");
  expect(R"({"list": [{"json": 1}, {"json": "x"}]})", R"([1, "x"])");
  expect(R"({"tuple": [{"json": 1}, {"json": 2}]})", R"({"@tuple": [1, 2]})");
  expect(R"({"dict": {"b": {"json": 1}, "a": {"json": 2}}})", R"({"b": 1, "a": 2})");
  expect(R"({"pairs": [["x", {"json": 1}]]})", R"([{"@tuple": ["x", 1]}])");
  expect(R"({"read": "b"})", R"({"@bytes": "6162"})", {{"b", "ab"}});
  expect(R"({"python": "gASVCgAAAAAAAABHQARmZmZmZmYu"})", "2.55");
  expect(R"({"python": "gASVCgAAAAAAAABHf/AAAAAAAAAu"})", R"({"@float": "inf"})");
  expect(buffer("d", R"("float64")", 3), "[1.5, 2.5, 3.5]");
  expect(
      R"({"call": ["numpy", "frombuffer"], "args": [{"read": "d"}], "kwargs": {"count": {"json": 2}}})",
      "[1.5, 2.5]");
  expect(
      R"({"call": ["numpy", "frombuffer"], "args": [{"read": "d"}, {"dtype": "f8"}, {"json": 1}, {"json": 8}]})",
      "[2.5]");
}

TEST(AwkwardExpressions, OldNames) {
  for (const char* name :
       {R"(["awkward", "numpy", "frombuffer"])", R"(["awkward.util", "frombuffer"])",
        R"(["awkward0.util", "frombuffer"])"})
    expect(std::string(R"({"call": )") + name + R"(, "args": [{"read": "d"}]})", "[1.5, 2.5, 3.5]");
  expect(
      R"({"call": ["awkward", "JaggedArray", "fromcounts"], "args": [{"read": "i"}, {"read": "d"}]})",
      "[[1.5, 2.5], [], [3.5]]");
  const Value old = read_store({{".json", R"({"awkward": "0.8", "schema": {"json": [1]}})"}});
  EXPECT_EQ("", difference(old.view(), Json::parse("[1]")));
}

TEST(AwkwardExpressions, References) {
  expect(
      R"({"list": [{"json": 7, "id": 0}, {"ref": 0}, {"json": "x", "id": "n"}, {"ref": "n"}, {"json": null, "id": 2},
                      {"ref": 2}]})",
      R"([7, 7, "x", "x", null, null])");
  // Forward, to a dtype and to a scalar.
  expect(
      R"({"list": [{"call": ["numpy", "frombuffer"], "args": [{"read": "d"}, {"ref": 5}, {"ref": 6}]},
                      {"json": 2, "id": 6}, {"call": ["numpy", "frombuffer"], "args": [{"read": "d"}, {"dtype": "f8", "id": 5}]}]})",
      "[[1.5, 2.5], 2, [1.5, 2.5, 3.5]]");
  // To a function: what it would make, items stay.
  expect(
      R"({"list": [{"call": ["awkward0", "ObjectArray"], "args": [{"json": [1]}, {"function": ["m", "C"], "id": 1}]},
                      {"call": ["awkward0", "ObjectArray"], "args": [{"json": [2]}, {"ref": 1}]}]})",
      "[[1], [2]]");
}

TEST(AwkwardExpressions, Cycles) {
  // A table with a column that is the list of its own rows, named before it is made.
  expect(
      R"({"call": ["awkward0", "JaggedArray"], "id": 0, "args": [{"json": [0, 2]}, {"json": [2, 2]},
     {"call": ["awkward0", "Table", "frompairs"], "args": [{"pairs": [["v", {"json": [10, 20]}], ["sub",
       {"call": ["awkward0", "IndexedMaskedArray"], "args": [{"json": [1, -1]}, {"ref": 0}, {"json": -1}]}]]}, {"json": 0}]}]})",
      R"([[{"v": 10, "sub": []}, {"v": 20, "sub": null}], []])");
  // The column itself is the reference.
  expect(
      R"({"call": ["awkward0", "JaggedArray"], "id": 0, "args": [{"json": [1, 2]}, {"json": [2, 2]},
     {"call": ["awkward0", "Table", "frompairs"], "args": [{"pairs": [["v", {"json": [10, 20]}], ["sub", {"ref": 0}]]}, {"json": 0}]}]})",
      R"([[{"v": 20, "sub": []}], []])");
  const std::string indexed =
      R"({"call": ["awkward0", "IndexedArray"], "id": 0, "args": [{"json": [1, 0]}, {"ref": 0}]})";
  EXPECT_EQ("expression.endless $.schema", refused(indexed));
  EXPECT_EQ(
      "index.range $.schema",
      refused(
          R"({"call": ["awkward0", "JaggedArray"], "id": 0, "args": [{"json": [0, 0]}, {"json": [5, 0]}, {"ref": 0}]})"));
  // A list in itself is a reference to it, an expression that is nothing but itself no value.
  const Value list =
      read_schema(R"({"list": [{"json": 7}, {"dict": {"back": {"ref": 0}}}], "id": 0})");
  View level(list.view());
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(7, level.child(0).as_int64());
    level = level.child(1).find("back")->target();
  }
  EXPECT_EQ(
      "expression.cycle $.schema.args[0]",
      refused(
          R"({"call": ["awkward0", "IndexedArray"], "id": 0, "args": [{"ref": 0}, {"json": [1]}]})"));
  // Rows in a ring: each can be reached, and no walk ends. They are references.
  const Value ring = read_schema(
      R"({"call": ["awkward0", "Table", "frompairs"], "id": 0, "args": [{"pairs": [["v", {"json": [1, 2]}], ["next",
         {"call": ["awkward0", "IndexedMaskedArray"], "args": [{"json": [1, 0]}, {"call": ["awkward0", "MaskedArray"],
           "args": [{"json": [false, false]}, {"ref": 0}]}]}]]}, {"json": 0}]})");
  View row = ring.view().child(0);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(i % 2 + 1, row.find("v")->as_int64());
    row = row.find("next")->target();
  }
}

/// A list of rows, around which is `rest`.
std::string list_of_itself(const std::string& reference, const std::string& rest) {
  return R"({"call": ["awkward0", "JaggedArray"], "id": 0, "args": [{"json": [1, 2]}, {"json": [2, 2]},
     {"call": ["awkward0", "Table", "frompairs"], "args": [{"pairs": [["v", {"json": [10, 20]}], ["sub", )" +
         reference + "]]}, {\"json\": 0}]}]" + rest + "}";
}

TEST(AwkwardExpressions, CyclesPassThroughReferencesWithAttributes) {
  const std::string unit = R"("polycodec": {"attributes": {"json": {"units": "cm"}}})";
  expect(list_of_itself(R"({"ref": 0, )" + unit + "}", ""), R"([[{"v": 20, "sub": []}], []])");
  expect(list_of_itself(R"({"ref": 0})", ", " + unit), R"([[{"v": 20, "sub": []}], []])");
}

// Where rows cannot become nodes, nothing takes the place of a reference.
TEST(AwkwardExpressions, CyclesAreRefusedInWhatIsNoRow) {
  const auto with = [](const std::string& rest) { return list_of_itself(R"({"ref": 0})", rest); };
  EXPECT_EQ("expression.cycle $.schema",
            refused(with(R"(, "polycodec": {"attributes": {"dict": {"a": {"ref": 0}}}})")));
  EXPECT_EQ(
      "expression.cycle $.schema",
      refused(list_of_itself(R"({"list": [{"json": null}, {"tuple": [{"json": "x"}, {"ref": 0}],
                                       "polycodec": {"kind": "extension"}}]})",
                             "")));
  // Only the functions of this plugin know what the reference is.
  EXPECT_EQ("expression.cycle $.schema.args[2].args[0].pairs[1][1]",
            refused(list_of_itself(R"({"call": ["awkward0", "VirtualArray"], "args": [
                {"function": ["other", "function"]}, {"tuple": [{"ref": 0}]}]})",
                                   "")));
}

// No step of the walk is free, however often lists share their items.
TEST(AwkwardExpressions, CyclesBesideSharedListsEndAtTheLimit) {
  std::string lists = R"({"list": [{"json": 1}], "id": "l0"})";
  for (int i = 1; i < 40; ++i) {
    const std::string before = "{\"ref\": \"l" + std::to_string(i - 1) + "\"}";
    lists +=
        ", {\"list\": [" + before + ", " + before + "], \"id\": \"l" + std::to_string(i) + "\"}";
  }
  CallOptions call;
  call.limits.max_work = 10'000'000;
  const auto e = refusal_of([&] {
    return read_schema(R"({"list": [)" + list_of_itself(R"({"ref": 0})", "") + ", " + lists + "]}",
                       data, "{}", call);
  });
  ASSERT_TRUE(e);
  EXPECT_EQ(e->code(), Status::limit);
}

TEST(AwkwardExpressions, ErrorsSayWhere) {
  EXPECT_EQ("expression.two_kinds $.schema", refused(R"({"json": 1, "ref": 0})"));
  EXPECT_EQ("expression.no_kind $.schema.list[1]", refused(R"({"list": [{"json": 1}, {"x": 1}]})"));
  EXPECT_EQ("expression.duplicate_id $.schema.list[0].id",
            refused(R"({"list": [{"json": 1, "id": 0}, {"json": 1, "id": 0}]})"));
  EXPECT_EQ("expression.dangling_reference $.schema.list[0].ref",
            refused(R"({"list": [{"ref": 9}]})"));
  EXPECT_EQ("expression.id $.schema.id", refused(R"({"json": 1, "id": [1]})"));
  EXPECT_EQ("expression.python $.schema.python", refused(R"({"python": "gARLKi4="})"));
  EXPECT_EQ("expression.python $.schema.python",
            refused(R"({"python": "gASVCgAAAAAAAABHQARmZmZmZmYv"})"));
  EXPECT_EQ("dtype.unknown $.schema.dtype[0][1]", refused(R"({"dtype": [["a", "nope"]]})"));
  EXPECT_EQ("dtype.duplicate_field $.schema.dtype",
            refused(R"({"dtype": [["a", "i4"], ["a", "i4"]]})"));
  EXPECT_EQ("dtype.unknown $.schema.dtype", refused(R"({"dtype": ["i4"]})"));
  EXPECT_EQ("store.no_such_blob $.schema.read", refused(R"({"read": "none"})"));
  EXPECT_EQ("store.unsafe_name $.schema.read", refused(R"({"read": "../i", "absolute": true})"));
  EXPECT_EQ("read.absolute $.schema.absolute", refused(R"({"read": "i", "absolute": 1})"));
  EXPECT_EQ("function.arguments $.schema.args",
            refused(R"({"call": ["zlib", "decompress"], "args": []})"));
  EXPECT_EQ("function.arguments $.schema.args",
            refused(R"({"call": ["zlib", "decompress"], "args": [{"json": 1}, {"json": 1}]})"));
  EXPECT_EQ(
      "function.arguments $.schema.kwargs",
      refused(
          R"({"call": ["zlib", "decompress"], "args": [{"read": "i"}], "kwargs": {"x": {"json": 1}}})"));
  EXPECT_EQ("function.argument_kind $.schema.args[0]",
            refused(R"({"call": ["zlib", "decompress"], "args": [{"json": 1}]})"));
  EXPECT_EQ(
      "function.argument_kind $.schema.kwargs.count",
      refused(
          R"({"call": ["numpy", "frombuffer"], "args": [{"read": "d"}], "kwargs": {"count": {"json": "2"}}})"));
  EXPECT_EQ(
      "call.kwargs $.schema.kwargs[\"polycodec.unchecked\"]",
      refused(
          R"({"call": ["zlib", "decompress"], "kwargs": {"polycodec.unchecked": {"json": true}}})"));
  EXPECT_EQ("call.flag $.schema.cacheable",
            refused(R"({"call": ["zlib", "decompress"], "cacheable": 1})"));
  EXPECT_TRUE(refused(R"({"json": 1, "json": 2})").starts_with("json.duplicate_key"));
  Limits shallow;
  shallow.max_depth = 4;
  EXPECT_EQ("awkward.limit $.schema.list[0].list[0].list[0].list[0]",
            refused(R"({"list": [{"list": [{"list": [{"list": [{"json": 1}]}]}]}]})", shallow));
}

TEST(AwkwardExpressions, SeveralArraysPrefixesAndOptions) {
  const auto store = Blobs(
      {{"a-1", bytes_of<double>({1, 2, 3})},
       {"a.json",
        R"({"awkward0": "x", "prefix": "a-", "schema": )" + buffer("1", R"("f8")", 3) + "}"},
       {"b.json",
        R"({"awkward0": "x", "prefix": "b-", "schema": {"call": ["awkward0", "Table", "frompairs"], "args": [{"pairs":
        [["x", {"json": [1, 2]}], ["y", {"call": ["numpy", "frombuffer"], "args": [{"read": "none"}]}],
         ["z", {"call": ["numpy", "frombuffer"], "args": [{"read": "a-1", "absolute": true}]}]]}, {"json": 0}]}})"}});
  const auto read = [&](std::string_view options) {
    const auto e = refusal_of([&] { return read_store(store, options); });
    return e ? e->detail() : "read";
  };
  EXPECT_EQ("store.no_such_blob", read("{}"));
  EXPECT_EQ("array.not_found", read(R"({"array": "c"})"));
  const Value a = read_store(store, R"({"array": "a"})");
  EXPECT_EQ("", difference(a.view(), Json::parse("[1.0, 2.0, 3.0]")));
  const Value same = read_store(store, R"({"array": "a.json"})");
  EXPECT_EQ("", difference(same.view(), Json::parse("[1.0, 2.0, 3.0]")));
}

TEST(AwkwardExpressions, BuffersAreViewed) {
  const std::string bytes = bytes_of<std::int64_t>({2, 0, 1}) + bytes_of<double>({1, 2, 3});
  const OpenedStore store = OpenedStore::of(
      {{"x", bytes},
       {".json",
        R"({"awkward0": "x", "schema": {"call": ["awkward0", "JaggedArray", "fromoffsets"], "args": [{"json": [0, 3]},
        {"call": ["numpy", "frombuffer"], "args": [{"read": "x"}, {"dtype": "f8"}, {"json": 3}, {"json": 24}]}]}})"}});
  if (is_isolated()) GTEST_SKIP() << "another process has no view of our memory";
  const Value value = awkward_codec().decode(Source::of(store.raw()));
  polycodec_bytes content{};
  border::call(store.raw()->read, store.raw(), static_cast<polycodec_call*>(nullptr),
               std::uint64_t{0}, std::uint64_t{0}, UINT64_MAX, &content);
  EXPECT_EQ(to_string_view(content).data() + 24,
            static_cast<const char*>(node(value).as_array().children[0]->data));
}

TEST(AwkwardExpressions, NamesInNestedGroupsAreRelativeToTheGroupOfTheWriter) {
  const auto schema = [](const std::string& prefix, const char* more = "") {
    return R"({"awkward0": "0.15.5", "schema": {"read": "1")" + std::string(more) +
           R"(}, "prefix": ")" + prefix + "\"}";
  };
  const auto read = [&](const std::string& name, const std::string& text) {
    const auto store = Blobs({{name + "/schema.json", text},
                              {"1", "root"},
                              {"evt/1", "top"},
                              {"run/1", "absolute"},
                              {"run/evt/1", "nested"},
                              {"run/run/1", "twice"}});
    const Value value = read_store(store, R"({"array": ")" + name + "\"}");
    // The listing names the blob that is read.
    const Value listed = awkward_codec().list(store_of(store));
    const NodeView blobs = node(listed).value(0).at("blobs");
    const auto bytes = value.view().as_bytes();
    EXPECT_EQ(blobs[1].at("bytes").as_uint64(), bytes.size()) << name << text;
    return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  EXPECT_EQ(read("evt", schema("evt/")), "top");
  EXPECT_EQ(read("evt", schema("")), "root");
  EXPECT_EQ(read("run/evt", schema("evt/")), "nested") << "written to f['run']";
  EXPECT_EQ(read("run/evt", schema("run/evt/")), "nested") << "written to f as 'run/evt'";
  EXPECT_EQ(read("run/evt", schema("evt/", R"(, "absolute": true)")), "absolute");
  EXPECT_EQ(read("run/run", schema("run/run/")), "twice");
  EXPECT_EQ(read("run/run", schema("run/")), "twice");
}

}  // namespace
}  // namespace polycodec::test
