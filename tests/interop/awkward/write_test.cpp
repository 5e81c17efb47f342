// SPDX-License-Identifier: MIT
// What the writer writes, read by a second reader that insists on the canonical form.
#include <polycodec/kit/corpus.hpp>

#include "canonical_reader.hpp"
#include "error_of.hpp"
#include "read_support.hpp"

#include <gtest/gtest.h>

namespace polycodec::test {
namespace {

/// The blobs of a value. `options`: text notation without types.
Blobs written(const Value& value, const std::string& options = "{}") {
  return rewritten(value, options);
}

Blobs written(const std::string& text, const std::string& options = "{}") {
  return written(Value::parse(text), options);
}

struct Case {
  const char* type;
  const char* value;
  std::set<std::string> calls;
  const char* expected = nullptr;  ///< where tolist() gives something else
};

class Write : public testing::TestWithParam<Case> {};

TEST_P(Write, IsCanonicalAndHasTheValue) {
  const Case& c = GetParam();
  const Blobs blobs =
      written(std::string(R"({"type": ")") + c.type + R"(", "value": )" + c.value + "}");
  CanonicalReader reader(blobs);
  EXPECT_EQ(reader.read(".json"), Json::parse(c.expected != nullptr ? c.expected : c.value));
  EXPECT_EQ(reader.called(), c.calls);
  EXPECT_EQ(blobs.back().first, ".json") << "the schema is the last blob";
}

constexpr const char* frombuffer = "numpy.frombuffer";

INSTANTIATE_TEST_SUITE_P(
    Values, Write,
    testing::Values(
        Case{"3 * float64", "[1.0, 2.5, -0.0]", {frombuffer}},
        Case{"2 * 3 * int16", "[[1, 2, 3], [4, 5, 6]]", {frombuffer}},
        Case{"3 * bool", "[true, false, true]", {frombuffer}},
        Case{"0 * int32", "[]", {frombuffer}},
        Case{"3 * var * int32", "[[1, 2], [], [3]]", {frombuffer, "JaggedArray.fromcounts"}},
        Case{"0 * var * int32", "[]", {frombuffer, "JaggedArray"}},
        Case{"2 * var * var * float32",
             "[[[1.0], []], [[2.0, 3.0]]]",
             {frombuffer, "JaggedArray.fromcounts"}},
        Case{"3 * string",
             R"(["one", "", "dr\u00fcei \ud83c\udfb2"])",
             {frombuffer, "StringArray.fromcounts"}},
        Case{"0 * string", "[]", {frombuffer, "StringArray"}},
        Case{"2 * bytes",
             R"([{"$bytes": "aGk="}, {"$bytes": ""}])",
             {frombuffer, "StringArray.fromcounts"},
             R"([{"$bytes": "6869"}, {"$bytes": ""}])"},
        Case{"2 * {x: int64, y: var * string}",
             R"([{"x": 1, "y": ["a"]}, {"x": 2, "y": []}])",
             {frombuffer, "Table.frompairs", "JaggedArray.fromcounts", "StringArray.fromcounts"}},
        Case{"2 * (int8, string)",
             R"([{"$tuple": [1, "a"]}, {"$tuple": [2, "b"]}])",
             {frombuffer, "Table.frompairs", "StringArray.fromcounts"},
             R"([[1, "a"], [2, "b"]])"},
        Case{"2 * {}", "[{}, {}]", {"Table.frompairs", "Table.fromview"}},
        Case{"4 * ?int64", "[1, null, 3, null]", {frombuffer, "MaskedArray"}},
        Case{"3 * ?{x: int64}",
             R"([{"x": 1}, null, {"x": 3}])",
             {frombuffer, "MaskedArray", "Table.frompairs"}},
        Case{"4 * union[int64, string]",
             R"([{"$union": [0, 1]}, {"$union": [1, "a"]}, {"$union": [0, 2]},
             {"$union": [1, ""]}])",
             {frombuffer, "UnionArray.fromtags", "StringArray.fromcounts"},
             R"([1, "a", 2, ""])"},
        Case{"0 * union[int64, string]", "[]", {frombuffer}}));

TEST(WriteDocuments, ListsOfLikeItemsAreArraysAndTheRestIsJson) {
  CanonicalReader reader(
      written(R"({"name": "run", "version": 3, "ok": true, "none": null, "half": 0.5,
    "table": [{"x": 1, "tags": ["a", "b"]}, {"x": 2, "tags": []}], "odd": [1, "a", null], "empty": [], "object": {}})"));
  EXPECT_EQ(reader.read(".json"),
            Json::parse(R"({"name": "run", "version": 3, "ok": true, "none": null, "half": 0.5,
    "table": [{"x": 1, "tags": ["a", "b"]}, {"x": 2, "tags": []}], "odd": [1, "a", null], "empty": [], "object": {}})"));
  EXPECT_TRUE(reader.called().contains("Table.frompairs"));
  EXPECT_EQ(reader.schema()["schema"]["dict"]["odd"], Json::parse(R"({"json": [1, "a", null]})"));
}

TEST(WriteDocuments, ReferencesStayReferences) {
  const Value value = Value::build([](Builder& out) {
    const Node* inside = out.store(out.list({Builder::integer(1), out.string_copy("a")}));
    const Node* outside = out.store(out.object({{"x", Builder::integer(2)}}));
    return out.list(
        {Builder::reference(outside), Builder::reference(outside), out.list({*inside})});
  });
  CanonicalReader reader(written(value));
  EXPECT_EQ(reader.read(".json"), Json::parse(R"([{"x": 2}, {"x": 2}, [[1, "a"]]])"));
  EXPECT_EQ(reader.schema()["schema"]["list"][1], Json::parse(R"({"ref": 0})"));

  // A cycle: a list in a list, which holds itself.
  const Value cycle = Value::build([](Builder& out) {
    Node* items = nullptr;
    Node* outer = nullptr;
    const Node whole = out.list(1, &outer);
    outer[0] = out.list(2, &items);
    items[0] = Builder::integer(7);
    items[1] = Builder::reference(outer);
    return whole;
  });
  EXPECT_EQ(Json::parse(blob(written(cycle), ".json"))["schema"],
            Json::parse(R"({"list": [{"list": [{"json": 7}, {"ref": 0}], "id": 0}]})"));
}

TEST(WriteDocuments, NumbersOfDifferentWidthsShareAColumn) {
  const Value list = Value::build([](Builder& out) {
    return out.list({Builder::integer(1, POLYCODEC_DTYPE_INT8),
                     Builder::unsigned_integer(300, POLYCODEC_DTYPE_UINT16),
                     Builder::integer(-70000, POLYCODEC_DTYPE_INT32)});
  });
  CanonicalReader reader(written(list));
  EXPECT_EQ(reader.read(".json"), Json::parse("[1, 300, -70000]"));
  EXPECT_EQ(reader.schema()["schema"]["args"][1]["dtype"], "int64");
}

/// What a view leaves out is not written.
TEST(WriteViews, AreCompacted) {
  std::vector<double> numbers(1000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
  using Numbers = std::vector<std::int64_t>;
  const auto size_of = [](const Blobs& blobs) {
    std::size_t size = 0;
    for (const auto& [name, content] : blobs) size += name == ".json" ? 0 : content.size();
    return size;
  };
  const auto made = [&](const auto& make) {
    return Value::build(
        [&](Builder& out) { return Builder::array(make(out, out.vector(kept(out, numbers)))); });
  };
  const auto check = [&](const char* value, std::size_t bytes, const auto& make) {
    const Blobs blobs = written(made(make));
    CanonicalReader reader(blobs);
    EXPECT_EQ(reader.read(".json"), Json::parse(value));
    EXPECT_EQ(size_of(blobs), bytes);
  };
  check("[[500.0, 501.0], [], [502.0, 503.0, 504.0]]", 3 * 8 + 5 * 8,
        [](Builder& out, const polycodec_array* leaf) {
          return out.list_offsets(kept(out, Numbers{500, 502, 502, 505}), leaf);
        });
  const auto view_of = [](Builder& out, const polycodec_array* leaf, const Numbers& starts,
                          const Numbers& stops) {
    auto* view = out.with_children(POLYCODEC_LAYOUT_LIST_VIEW, starts.size(), {{leaf}});
    view->index = Builder::column(kept(out, starts));
    view->stops = Builder::column(kept(out, stops));
    return view;
  };
  check("[[900.0, 901.0], [], [10.0]]", 3 * 8 + 3 * 8,
        [&](Builder& out, const polycodec_array* leaf) {
          return view_of(out, leaf, {900, 3, 10}, {902, 3, 11});
        });
  check("[7.0, 999.0, 7.0]", 3 * 8 + 2 * 8, [](Builder& out, const polycodec_array* leaf) {
    auto* picked = out.with_children(POLYCODEC_LAYOUT_INDEXED, 3, {{leaf}});
    picked->index = Builder::column(kept(out, Numbers{7, 999, 7}));
    return picked;
  });
  // Lists that overlap are not taken apart.
  const Value overlapping = made([&](Builder& out, const polycodec_array* leaf) {
    return view_of(out, leaf, Numbers(3, 0), Numbers(3, 1000));
  });
  EXPECT_EQ(size_of(written(overlapping, R"({"compression": false})")), 6 * 8 + 8000u);
  // What stands in two places is written once.
  const Blobs shared = written(made([](Builder& out, const polycodec_array* leaf) {
    const std::string_view names[] = {"a", "b"};
    const polycodec_array* columns[] = {leaf, leaf};
    return out.record(1000, names, columns);
  }));
  EXPECT_EQ(size_of(shared), 8000u);
  EXPECT_EQ(CanonicalReader(shared).read(".json")[999], Json::parse(R"({"a": 999.0, "b": 999.0})"));
}

// The machine need not have them in memory: docs/command-line.md, "Larger than the memory".
TEST(WriteViews, GatheredColumnsAreMemoryOfTheCall) {
  const std::string rows(std::size_t{16} << 18, 'x');
  const Value table = read_schema(
      R"({"call": ["numpy", "frombuffer"], "args": [{"read": "rows"}, {"dtype": [["a", "<f8"], ["b", "<f8"]]}]})",
      {{"rows", rows}});
  const Blobs blobs = written(table);
  EXPECT_EQ(blobs.at(0).second, rows.substr(0, rows.size() / 2));
  if (is_isolated()) return;  // the process of the plugin has memory of its own
  CallOptions call;
  call.limits.max_memory_bytes = 1 << 20;
  const TemporaryDirectory directory;
  StoreChange change = StoreChange::create(registry(), (directory.path() / "limited.zip").string());
  EXPECT_EQ(error_of([&] { awkward_codec().encode(table, change, call); }).code(), Status::limit);
}

TEST(WriteValues, EachOfTheCorpusIsCanonical) {
  for (const kit::CorpusEntry& entry : kit::corpus()) {
    SCOPED_TRACE(entry.name);
    const Value value = Value::build([&](Builder& out) { return entry.make(out); });
    EXPECT_NO_THROW({
      try {
        const Blobs blobs = written(value);
        CanonicalReader(blobs).read(".json");
      } catch (const Error& e) {
        // Refusals say where.
        EXPECT_TRUE(e.code() == Status::unsupported || e.code() == Status::range) << e.describe();
        EXPECT_TRUE(e.path().starts_with("$")) << e.describe();
      }
    });
  }
}

std::string names_of(const Blobs& blobs) {
  std::string names;
  for (const auto& [name, content] : blobs) names += name + " ";
  return names;
}

TEST(WriteNames, FollowTheContainer) {
  const std::string text = R"({"type": "1 * var * int8", "value": [[1]]})";
  EXPECT_EQ(names_of(written(text)), "1.raw 2.raw .json ");
  EXPECT_EQ(names_of(written(text, R"({"array": "evt"})")), "evt-1.raw evt-2.raw evt.json ");
  EXPECT_EQ(names_of(written(text, R"({"array": "evt", "container": "hdf5"})")),
            "evt/1 evt/2 evt/schema.json ");
  EXPECT_EQ(names_of(written(text, R"({"array": "evt", "container": "plain"})")),
            "evt-1 evt-2 evt ");
  EXPECT_EQ(
      names_of(written(
          text, R"({"array": "a", "delimiter": "_", "suffix": ".bin", "schema_suffix": ".s"})")),
      "a_1.bin a_2.bin a.s ");
  EXPECT_EQ(names_of(written(text, R"({"first_id": 7})")), "8.raw 9.raw .json ");
  EXPECT_EQ(names_of(written(R"({"a": [1], "b": [2]})", R"({"members": true})")),
            "a-0.raw a.json b-0.raw b.json ");
  EXPECT_THROW(written(text, R"({"container": "hdf5"})"), Error) << "a group needs a name";
  CanonicalReader reader(written(text, R"({"array": "evt"})"));
  EXPECT_EQ(reader.read("evt.json"), Json::parse("[[1]]"));
}

TEST(WriteRefusals, SayWhere) {
  const Value value = Value::build([](Builder& out) {
    return out.object({{"a", out.list({Builder::integer(1), out.text_copy("\xff")})}});
  });
  try {
    written(value);
    FAIL() << "a text that is not UTF-8";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Status::unsupported);
    EXPECT_EQ(e.path(), "$.a[1]");
  }
}

TEST(WriteRefusals, AMemberThatOccursTwice) {
  // In a list that is one JSON document, which no reader would take.
  const Value value = Value::build([](Builder& out) {
    const auto one = Builder::integer(1);
    const auto list =
        out.list({out.object({{"b", one}, {"c", one}}), out.object({{"b", one}, {"b", one}}),
                  out.object({{"b", one}, {"c", one}})});
    return out.object({{"a", list}});
  });
  try {
    written(value);
    FAIL() << "a member occurs twice";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Status::unsupported);
    EXPECT_NE(e.message().find("occurs twice"), std::string::npos) << e.message();
  }
}

// -- compression --

/// Names of blobs that a policy compresses, of an array with integer counts of 16000 bytes and
/// floats of 16000.
std::string compressed(const std::string& policy) {
  const std::vector<double> numbers(2000, 1.5);
  std::vector<std::int64_t> offsets(2001);
  for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] = static_cast<std::int64_t>(i);
  const Value value = Value::build([&](Builder& out) {
    return Builder::array(out.list_offsets(kept(out, offsets), out.vector(kept(out, numbers))));
  });
  const Blobs blobs = written(value, policy);
  CanonicalReader reader(blobs);
  EXPECT_EQ(reader.read(".json").size(), 2000u);
  std::string names;
  for (const auto& [name, content] : blobs)
    if (name != ".json" && content.size() < 16000) names += name + " ";
  return names;
}

TEST(WriteCompression, TheDefaultIsThatOfTheFormat) {
  EXPECT_EQ(compressed("{}"), "1.raw ");  // integers, and no floats
}

TEST(WriteCompression, RulesDecideInOrder) {
  EXPECT_EQ(compressed(R"({"compression": false})"), "");
  EXPECT_EQ(compressed(R"({"compression": []})"), "");
  EXPECT_EQ(compressed(R"({"compression": true})"), "1.raw 2.raw ");
  EXPECT_EQ(compressed(R"({"compression": "zlib"})"), "1.raw 2.raw ");
  EXPECT_EQ(compressed(R"({"compression": {"method": "zlib", "min_size": 16001}})"), "");
  EXPECT_EQ(compressed(R"({"compression": {"minsize": 16000, "types": ["Float"]}})"), "2.raw ");
  EXPECT_EQ(compressed(R"({"compression": {"contexts": "*.content"}})"), "2.raw ");
  EXPECT_EQ(compressed(R"({"compression": {"contexts": ["Jagged*.c?unts", "x"]}})"), "1.raw ");
  EXPECT_EQ(compressed(R"({"compression": [{"method": "none", "types": ["int64"]}, "zlib"]})"),
            "2.raw ");
  EXPECT_EQ(compressed(R"({"compression": ["zlib.compress", ["zlib", "decompress"]]})"),
            "1.raw 2.raw ");
  EXPECT_EQ(
      compressed(
          R"({"compression": [{"pair": ["zlib.compress", ["zlib", "decompress"]], "level": 1}]})"),
      "1.raw 2.raw ");
  EXPECT_EQ(
      compressed(
          R"({"compression": {"enc": "zlib.compress", "dec": ["zlib", "decompress"], "types": "float64"}})"),
      "2.raw ");
  EXPECT_EQ(compressed(R"({"compression": {"types": ["object", "int8"]}})"), "1.raw 2.raw ");
}

TEST(WriteCompression, BadRulesAreOptionsErrors) {
  for (const char* policy :
       {R"("gzip")", R"({"method": "lz4"})", R"({"levle": 3})", R"({"level": 99})",
        R"({"types": ["no such[["]})", R"({"pair": ["zlib.compress", ["lzma", "decompress"]]})",
        R"([["zlib.compress"]])", R"([3])", R"({"enc": "zlib.compress"})",
        R"({"enc": "zlib.compress", "dec": ["lzma", "decompress"]})"}) {
    try {
      written("[1]", std::string(R"({"compression": )") + policy + "}");
      ADD_FAILURE() << policy;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), Status::option) << policy << ": " << e.describe();
    }
  }
}

}  // namespace
}  // namespace polycodec::test
