// SPDX-License-Identifier: MIT
// Arrays of every class and dtype from schemas in memory, beside what the vectors have.

#include "read_support.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

namespace polycodec::test {
namespace {

void expect(const std::string& expression, std::string_view expected, const Blobs& blobs = {}) {
  try {
    const Value value = read_schema(expression, blobs);
    EXPECT_EQ("", difference(value.view(), Json::parse(expected))) << expression;
  } catch (const Error& e) {
    ADD_FAILURE() << expression << ": " << e.describe();
  }
}

std::string refused(const std::string& expression, const Blobs& blobs = {}) {
  const auto e = refusal_of([&] { return read_schema(expression, blobs); });
  return e ? e->detail() : "read";
}

std::string call(const std::string& name, const std::string& args) {
  return R"({"call": ["awkward0", ")" + name + R"("], "args": [)" + args + "]}";
}

std::string method(const std::string& name, const std::string& of, const std::string& args) {
  return call(name + R"(", ")" + of, args);
}

TEST(AwkwardArrays, Dtypes) {
  const auto one = [](const std::string& dtype, const std::string& bytes, std::size_t count,
                      std::string_view expected) {
    expect(buffer("x", dtype, count), expected, {{"x", bytes}});
  };
  one(R"("float16")", std::string("\0\x3c\0\xc0", 4), 2, "[1.0, -2.0]");
  one(R"(">u2")", std::string("\1\2\0\3", 4), 2, "[258, 3]");
  one(R"("|b1")", std::string("\0\1", 2), 2, "[false, true]");
  one(R"("?")", std::string("\1", 1), 1, "[true]");
  // Any byte but 0 is true.
  one(R"("bool")", std::string("\2\0\xff", 3), 3, "[true, false, true]");
  one(R"([["a", ["?", [2]]], ["b", "i1"]])", std::string("\5\0\7\0\1\7", 6), 2,
      R"([{"a": [true, false], "b": 7}, {"a": [false, true], "b": 7}])");
  one(R"("|S3")", std::string("ab\0a\0b", 6), 2, R"([{"@bytes": "6162"}, {"@bytes": "610062"}])");
  one(R"("|S3")", std::string("abcdef"), 2, R"([{"@bytes": "616263"}, {"@bytes": "646566"}])");
  one(R"(["|S2", [2]])", std::string("a\0bcd\0\0\0", 8), 2,
      R"([[{"@bytes": "61"}, {"@bytes": "6263"}], [{"@bytes": "64"}, {"@bytes": ""}]])");
  one(R"("<U2")", std::string("a\0\0\0\0\0\0\0\xac\x20\0\0x\0\0\0", 16), 2, R"(["a", "\u20acx"])");
  one(R"(">U1")", std::string("\0\0\0z", 4), 1, R"(["z"])");
  one(R"("timedelta64[s]")", bytes_of<std::int64_t>({5, INT64_MIN}), 2,
      R"([{"@timedelta_us": 5000000}, null])");
  one(R"("datetime64[D]")", bytes_of<std::int64_t>({1}), 1, R"([{"@date": "1970-01-02"}])");
  one(R"("datetime64[25s]")", bytes_of<std::int64_t>({3}), 1, "[3]");
  one(R"("datetime64[ns]")", bytes_of<std::int64_t>({-1, 1500000000}), 2, "[-1, 1500000000]");
  one("null", bytes_of<double>({0.5}), 1, "[0.5]");
  one(R"([["a", "i1"], ["b", ">u2"]])", std::string("\1\0\2\3\0\4", 6), 2,
      R"([{"a": 1, "b": 2}, {"a": 3, "b": 4}])");
  one(R"([["a", "int8"], ["b", [["c", ">u2"], ["d", ["int8", [2]]]]]])",
      std::string("\1\0\2\3\4", 5), 1, R"([{"a": 1, "b": {"c": 2, "d": [3, 4]}}])");
  one(R"([["a", [["x", "i1"]], 2], ["b", "S2"]])", std::string("\1\2z\0\3\4yy", 8), 2,
      R"([{"a": [{"x": 1}, {"x": 2}], "b": {"@bytes": "7a"}}, {"a": [{"x": 3}, {"x": 4}], "b": {"@bytes": "7979"}}])");
  one(R"([[["x", "i1"]], [2]])", std::string("\1\2\3\4"), 2,
      R"([[{"x": 1}, {"x": 2}], [{"x": 3}, {"x": 4}]])");
  one(R"(["i4", 0])", "", 3, "[[], [], []]");
}

TEST(AwkwardArrays, OpaqueDtypesSayWhy) {
  const Value value = read_schema(buffer("x", R"("complex256")", 1), {{"x", std::string(32, 'a')}});
  const polycodec_array& a = node(value).as_array();
  ASSERT_NE(nullptr, a.metadata);
  EXPECT_EQ("complex256", NodeView(a.metadata).at("dtype").as_string());
  EXPECT_NE("", NodeView(a.metadata).at("reason").as_string());
}

TEST(AwkwardArrays, BadDtypes) {
  const auto bad = [](const char* json) {
    return refused(std::string(R"({"dtype": )") + json + "}");
  };
  for (const char* json : {"1", "[]", "{}", R"(["a", "i4"])", R"("float65")", R"("S-1")",
                           R"("datetime64[x]")", R"("i4,f8")"})
    EXPECT_EQ("dtype.unknown", bad(json)) << json;
  EXPECT_EQ("dtype.size", bad(R"(["f8", [65536, 65536]])"));
  EXPECT_EQ("dtype.size", bad(R"("S99999999999")"));
  EXPECT_EQ("dtype.shape", bad(R"(["f8", [-1]])"));
  EXPECT_EQ("dtype.object", bad(R"("|O")"));
  EXPECT_EQ("dtype.field", bad(R"([["a"]])"));
  std::string deep = R"("i1")";
  for (int i = 0; i < 100; ++i) deep = R"([["a", )" + deep + "]]";
  EXPECT_EQ("dtype.depth", bad(deep.c_str()));
}

TEST(AwkwardArrays, Lists) {
  const std::string content = R"({"json": [1, 2, 3]})";
  // Empty lists may have any offsets.
  expect(call("JaggedArray", R"({"json": [0, 9, 2]}, {"json": [2, 9, 3]}, )" + content),
         "[[1, 2], [], [3]]");
  expect(method("JaggedArray", "fromoffsets", R"({"json": [1, 1, 3]}, )" + content),
         "[[], [2, 3]]");
  expect(method("JaggedArray", "fromparents", R"({"json": [1, 1, -1]}, )" + content),
         "[[], [1, 2]]");
  expect(method("JaggedArray", "fromuniques", R"({"json": [7, 7, 4]}, )" + content),
         "[[1, 2], [3]]");
  expect(method("JaggedArray", "fromlocalindex", R"({"json": [0, 0, 1]}, )" + content),
         "[[1], [2, 3]]");
  expect(method("JaggedArray", "fromfolding", content + R"(, {"json": 2})"), "[[1, 2], [3]]");
  expect(method("JaggedArray", "fromfolding", content + R"(, {"json": 3})"), "[[1, 2, 3]]");
  expect(method("JaggedArray", "fromiter", R"({"json": [[1], [], ["x"]]})"), R"([[1], [], ["x"]])");
  EXPECT_EQ("jagged.range",
            refused(method("JaggedArray", "fromoffsets", R"({"json": [0, 4]}, )" + content)));
  EXPECT_EQ("jagged.order",
            refused(method("JaggedArray", "fromparents", R"({"json": [0, 1, 0]}, )" + content)));
  EXPECT_EQ("jagged.range", refused(method("JaggedArray", "fromparents",
                                           R"({"json": [1099511627776]}, )" + content)));
  EXPECT_EQ("jagged.range", refused(method("JaggedArray", "fromcounts",
                                           R"({"json": [9223372036854775807, 1]}, )" + content)));
  EXPECT_EQ("array.not_integers",
            refused(call("JaggedArray", R"({"json": [0.0]}, {"json": [1]}, )" + content)));
  EXPECT_EQ("jagged.shape",
            refused(call("JaggedArray", R"({"json": [0, 0]}, {"json": [1]}, )" + content)));
  // Unsigned numbers above all others are out of range, too.
  EXPECT_EQ("jagged.range", refused(method("JaggedArray", "fromcounts",
                                           buffer("x", R"("uint64")", 1) + ", " + content),
                                    {{"x", bytes_of<std::uint64_t>({UINT64_MAX})}}));
  expect(method("JaggedArray", "fromcounts", buffer("x", R"(">i2")", 2) + ", " + content),
         "[[1], [2, 3]]", {{"x", std::string("\0\1\0\2", 4)}});
}

TEST(AwkwardArrays, Texts) {
  const auto text = [](const std::string& bytes, const std::string& counts,
                       const std::string& encoding) {
    return std::pair(
        method("StringArray", "fromcounts",
               R"({"json": )" + counts + R"(}, {"read": "x"}, {"json": )" + encoding + "}"),
        Blobs{{"x", bytes}});
  };
  const auto check = [&](const std::string& bytes, const std::string& counts,
                         const std::string& encoding, std::string_view expected) {
    const auto [expression, blobs] = text(bytes, counts, encoding);
    expect(expression, expected, blobs);
  };
  check("h\xc3\xa9y", "[3, 1]", R"("utf-8")", R"(["hé", "y"])");
  check("h\xc3\xa9y", "[2, 2]", R"("utf-8")", R"(["h\ufffd", "\ufffdy"])");
  check("\xf0\x9f\x98 \xed\xa0\x80\xc0\xaf", "[4, 5]", R"("UTF_8")",
        R"(["\ufffd ", "\ufffd\ufffd\ufffd\ufffd\ufffd"])");
  check(std::string("a\0\x3d\xd8\0\xde", 6), "[2, 4]", R"("utf-16-le")",
        R"(["a", "\ud83d\ude00"])");
  check(std::string("\0a\xd8\0", 4), "[4]", R"("utf-16-be")", R"(["a\ufffd"])");
  check(std::string("\xfe\xff\0a", 4), "[4]", R"("utf-16")", R"(["a"])");
  check(std::string("a\0\0\0", 4), "[4]", R"("utf-32le")", R"(["a"])");
  check("\xe9\x80", "[2]", R"("latin-1")", R"(["é\u0080"])");
  check("\xe9\x80", "[2]", R"("cp1252")", R"(["é€"])");
  check("a\xe9", "[2]", R"("ascii")", R"(["a\ufffd"])");
  check("\xff", "[1]", "null", R"([{"@bytes": "ff"}])");
  const auto [expression, blobs] = text("a", "[1]", R"("ebcdic")");
  EXPECT_EQ("string.encoding", refused(expression, blobs));
}

TEST(AwkwardArrays, Tables) {
  const std::string base =
      method("Table", "frompairs", R"({"pairs": [["x", {"json": [0, 1, 2, 3]}], ["l",
      {"call": ["awkward0", "JaggedArray", "fromcounts"], "args": [{"json": [1, 0, 1, 1, 0]}, {"json": [7, 8, 9]}]}]]}, {"json": 0})");
  const auto view = [&](const std::string& what) {
    return method("Table", "fromview", what + ", " + base);
  };
  expect(view(R"({"tuple": [{"json": 3}, {"json": -2}, {"json": 2}]})"),
         R"([{"x": 3, "l": [9]}, {"x": 1, "l": []}])");
  expect(view(R"({"tuple": [{"json": 1}, {"json": 1}, {"json": 2}]})"),
         R"([{"x": 1, "l": []}, {"x": 2, "l": [8]}])");
  expect(view(R"({"tuple": [{"json": 2}, {"json": 0}, {"json": 2}]})"),
         R"([{"x": 2, "l": [8]}, {"x": 2, "l": [8]}])");
  expect(view(R"({"tuple": [{"json": 9}, {"json": 1}, {"json": -1}]})"), "[]");
  expect(view(R"({"json": [-1, 0]})"), R"([{"x": 3, "l": [9]}, {"x": 0, "l": [7]}])");
  EXPECT_EQ("table.view_range", refused(view(R"({"json": [-5]})")));
  EXPECT_EQ(
      "table.view_range",
      refused(view(R"({"tuple": [{"json": 1}, {"json": -9223372036854775808}, {"json": 3}]})")));
  EXPECT_EQ("table.duplicate_column",
            refused(method("Table", "frompairs",
                           R"({"pairs": [["x", {"json": [1]}], ["x", {"json": [1]}]]})")));
  expect(call("Table", R"({"json": [1]}, {"json": [2]})"), R"([{"0": 1, "1": 2}])");
  expect(call("Table", R"({"dict": {"a": {"json": [1]}}})"), R"([{"a": 1}])");
  // What our writer says beyond the format.
  expect(
      R"({"call": ["awkward0", "Table", "frompairs"], "args": [{"pairs": [["0", {"json": [1]}], ["1", {"json": [2]}]]}, {"json": 0}],
            "polycodec": {"tuple": true}})",
      R"([{"@tuple": [1, 2]}])");
  const Value named = read_schema(
      R"({"call": ["awkward0", "Table", "frompairs"], "args": [{"pairs": [["a", {"json": [1]}]]}], "rowname": "Point"})");
  EXPECT_EQ("Point", NodeView(named.view().metadata()).at("rowname").as_string());
}

TEST(AwkwardArrays, MasksUnionsAndIndices) {
  expect(call("MaskedArray", R"({"json": [true, false]}, {"json": [1, 2, 3]})"), "[null, 2]");
  expect(call("MaskedArray", R"({"json": [0, 3]}, {"json": [1, 2]}, {"json": false})"),
         "[null, 2]");
  expect(call("MaskedArray", R"({"json": [0.0, 0.5]}, {"json": [1, 2]})"), "[1, null]");
  expect(call("BitMaskedArray",
              R"({"read": "m"}, {"json": [1, 2, 3]}, {"json": false}, {"json": true})"),
         "[1, null, 3]", {{"m", "\x05"}});
  expect(call("IndexedMaskedArray", R"({"json": [1, 0]}, {"json": [5, 6]}, {"json": 0})"),
         "[6, null]");
  EXPECT_EQ("index.range",
            refused(call("IndexedMaskedArray", R"({"json": [-2]}, {"json": [5, 6]})")));
  EXPECT_EQ("index.range",
            refused(call("IndexedMaskedArray", R"({"json": [2]}, {"json": [5, 6]})")));
  EXPECT_EQ("mask.length", refused(call("BitMaskedArray",
                                        R"({"read": "m"}, {"json": [1, 2, 3, 4, 5, 6, 7, 8, 9]})"),
                                   {{"m", "x"}}));
  expect(
      call(
          "UnionArray",
          R"({"json": [1, 0, 1]}, {"json": [0, 1, 0]}, {"list": [{"json": [1, 2]}, {"json": [0.5]}]})"),
      "[0.5, 2, 0.5]");
  expect(method("UnionArray", "fromtags", R"({"json": []}, {"list": []})"), "[]");
  EXPECT_EQ("union.index", refused(method("UnionArray", "fromtags",
                                          R"({"json": [0, 0]}, {"list": [{"json": [1]}]})")));
  EXPECT_EQ("union.tag", refused(method("UnionArray", "fromtags",
                                        R"({"json": [-1]}, {"list": [{"json": [1]}]})")));
}

TEST(AwkwardArrays, SparseAndChunks) {
  expect(call("SparseArray", R"({"json": 4}, {"json": [1, 1, 9]}, {"json": [5, 6, 7]})"),
         "[0, 5, 0, 0]");
  expect(call("SparseArray", R"({"json": 200}, {"json": [1]}, {"json": [5]}, {"json": null})"),
         Json([] {
           Json all = std::vector<int>(200, 0);
           all[1] = 5;
           return all;
         }())
             .dump());
  expect(
      call(
          "SparseArray",
          R"({"json": 2}, {"json": [1]}, {"call": ["awkward0", "JaggedArray", "fromcounts"], "args": [{"json": [1]}, {"json": [3]}]})"),
      "[[[]], [3]]");
  EXPECT_EQ("sparse.index",
            refused(call("SparseArray", R"({"json": 4}, {"json": [2, 1]}, {"json": [5, 6]})")));
  EXPECT_EQ(
      "awkward.limit",
      refused(call("SparseArray", R"({"json": 4611686018427387904}, {"json": []}, {"json": []})")));
  // As long as this is nothing to hold, and too much to print.
  const Value huge =
      read_schema(call("SparseArray", R"({"json": 1099511627776}, {"json": [7]}, {"json": [5]})"));
  EXPECT_EQ(1099511627776u, huge.view().size());
  EXPECT_EQ(5, huge.view().child(7).as_int64());
  EXPECT_EQ(0, huge.view().child(1099511627775u).as_int64());
  expect(call("ChunkedArray", R"({"list": [{"json": [1, 2, 3]}, {"json": [4]}]}, {"json": [2]})"),
         "[1, 2, 4]");
  expect(call("ChunkedArray", R"({"list": []}, {"json": []})"), "[]");
  EXPECT_EQ("chunk.sizes",
            refused(call("ChunkedArray", R"({"list": [{"json": [1]}]}, {"json": [1, 1]})")));
  expect(call("AppendableArray", R"({"tuple": [{"json": 4}]}, {"dtype": "f8"}, {"list": []})"),
         "[]");
  EXPECT_EQ(
      "chunk.type",
      refused(call("AppendableArray",
                   R"({"tuple": [{"json": 4}]}, {"dtype": "f8"}, {"list": [{"json": [1]}]})")));
}

TEST(AwkwardArrays, VirtualArraysAreMade) {
  const auto make = [](const std::string& type) {
    return R"({"call": ["awkward0", "VirtualArray"], "cacheable": true, "args": [{"function": ["numpy", "frombuffer"]}, {"tuple": [{"read": "x"}, {"dtype": "i4"}]}, {"dict": {}}],
      "kwargs": {"persistentkey": {"json": "k"}, "type": {"call": ["awkward0.persist", "json2type"], "args": [{"json": )" +
           type + R"(}], "whitelistable": true}}})";
  };
  const Blobs blobs = {{"x", bytes_of<std::int32_t>({1, 2})}};
  expect(make(R"({"takes": 2, "to": {"dtype": "int32"}})"), "[1, 2]", blobs);
  EXPECT_EQ("virtual.type", refused(make(R"({"takes": 3, "to": {"dtype": "int32"}})"), blobs));
  EXPECT_EQ("virtual.type", refused(make(R"({"takes": 2, "to": {"dtype": "float64"}})"), blobs));
  EXPECT_EQ("virtual.type", refused(make(R"({"takes": 2, "to": {"fields": []}})"), blobs));
}

// The keyword of the evaluator would leave the stops unchecked, which point beyond the content.
TEST(AwkwardArrays, VirtualArraysCannotSetKeywordsOfTheEvaluator) {
  const auto make = [](const std::string& keywords) {
    return R"({"call": ["awkward0", "VirtualArray"], "args": [{"function": ["awkward0", "JaggedArray"]},
      {"tuple": [{"json": [0]}, {"json": [1000000]}, {"json": [1, 2]}]}, )" +
           keywords + "]}";
  };
  EXPECT_EQ("jagged.range", refused(make(R"({"dict": {}})")));
  for (const char* keywords :
       {R"({"dict": {"polycodec.unchecked": {"json": true}}})",
        R"({"json": {"polycodec.unchecked": true}})", R"({"json": {"polycodec.size": 1}})"})
    EXPECT_EQ("call.kwargs", refused(make(keywords))) << keywords;
}

TEST(AwkwardArrays, CompressedBuffers) {
  const std::string plain = bytes_of<std::int64_t>({1, 2, 3});
  std::string packed(::compressBound(plain.size()), '\0');
  uLongf size = packed.size();
  ASSERT_EQ(Z_OK, ::compress(reinterpret_cast<Bytef*>(packed.data()), &size,
                             reinterpret_cast<const Bytef*>(plain.data()), plain.size()));
  packed.resize(size);
  const auto unpack = [](const std::string& rest) {
    return R"({"call": ["numpy", "frombuffer"], "args": [{"call": ["zlib", "decompress"], "args": [{"read": "x"}]}, {"dtype": "i8"})" +
           rest + "]}";
  };
  expect(unpack(R"(, {"json": 3})"), "[1, 2, 3]", {{"x", packed}});
  expect(unpack(""), "[1, 2, 3]", {{"x", packed}});
  expect(unpack(R"(, {"json": 1})"), "[1]", {{"x", packed}});
  EXPECT_EQ("buffer.size", refused(unpack(R"(, {"json": 4})"), {{"x", packed}}));
  EXPECT_EQ("buffer.compressed",
            refused(unpack(R"(, {"json": 3})"), {{"x", packed.substr(0, packed.size() - 1)}}));
  EXPECT_EQ("buffer.ratio", refused(unpack(R"(, {"json": 1000000000})"), {{"x", packed}}));
}

}  // namespace
}  // namespace polycodec::test
