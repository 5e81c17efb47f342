// SPDX-License-Identifier: MIT
// What values come to and what they are made of: views, columns, options, and what does not fit.
#include <polycodec/array_view.hpp>

#include "error_of.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

namespace polycodec {
namespace {

using test::decode;
using test::encode;
using test::fastbin_codec;
using test::refusal;

constexpr const char* schema = R"({"namespace": "n", "enums": {
    "Side": {"type": "uint8", "members": {"Sell": {"value": 0, "map": ["SELL", "S"]}, "Buy": {"value": 1}}},
    "Far": {"type": "int16", "members": {"Low": {"value": -5}, "High": {"value": 700}}}},
  "structs": {
    "Point": {"members": {"x": "float32", "ok": "bool", "side": "enum:Side"}},
    "Line": {"members": {"a": "struct:Point", "far": "enum:Far"}},
    "Note": {"members": {"text": "string", "n": "int16", "data": "vector<uint16>"}},
    "Any": {"members": {"v": "Variant<int32, string, struct:Note, struct:Point, vector<uint16>, enum:Far>"}},
    "All": {"members": {"id": "int64", "lines": "vector<struct:Line>", "notes": "vector<struct:Note>",
                        "flags": "vector<bool>", "fars": "vector<enum:Far>", "sides": "vector<enum:Side>",
                        "names": "vector<string>", "anys": "vector<struct:Any>", "any": "struct:Any"}},
    "Tree": {"members": {"groups": "vector<struct:All>"}}}})";

constexpr const char* all_text = R"({"id": 7,
  "lines": [{"a": {"x": 1.5, "ok": true, "side": "Buy"}, "far": "Low"}, {"a": {"x": -0.0, "ok": false, "side": "Sell"}, "far": "High"}],
  "notes": [{"text": "", "n": -3, "data": []}, {"text": "longer than a word", "n": 4, "data": [1, 2, 65535]}],
  "flags": [true, false, true], "fars": ["High", "Low", "High"], "sides": ["Buy", "Buy"], "names": ["", "a", "eight ch", "nine char"],
  "anys": [{"v": {"$union": [0, -1]}}, {"v": {"$union": [1, "t"]}}, {"v": {"$union": [0, null]}}, {"v": {"$union": [2, {"text": "x", "n": 1, "data": [9]}]}},
           {"v": {"$union": [3, {"x": 2.0, "ok": true, "side": "Sell"}]}}, {"v": {"$union": [4, [5, 6, 7]]}}, {"v": {"$union": [5, "High"]}}, {"v": {"$union": [2, null]}}, {"v": {"$union": [1, ""]}}],
  "any": {"v": {"$union": [3, null]}}})";

std::string difference(const Value& a, const Value& b) {
  return test::difference(a, b, POLYCODEC_COMPARE_NUMBERS);
}

Node document_of(const View& v, Builder& out) {
  std::byte bits[16];
  std::vector<Node> items;
  switch (v.kind()) {
    case POLYCODEC_KIND_NULL:
      return Builder::null();
    case POLYCODEC_KIND_BOOLEAN:
      return Builder::boolean(v.as_bool());
    case POLYCODEC_KIND_SIGNED:
      return Builder::integer(v.as_int64(), static_cast<std::uint8_t>(v.dtype()));
    case POLYCODEC_KIND_UNSIGNED:
      return Builder::unsigned_integer(v.as_uint64(), static_cast<std::uint8_t>(v.dtype()));
    case POLYCODEC_KIND_FLOAT:
      if (v.copy_bits(bits) == 4) return Builder::real32(static_cast<float>(v.as_double()));
      return Builder::real(v.as_double());
    case POLYCODEC_KIND_STRING: {
      std::string scratch;
      return out.text_copy(v.as_string(scratch));
    }
    case POLYCODEC_KIND_UNION:
      return out.tagged(v.tag(), document_of(v.child(), out));
    default:
      break;
  }
  for (std::uint64_t i = 0; i < v.size(); ++i) items.push_back(document_of(v.child(i), out));
  if (!v.is_object()) return out.list(items);
  ObjectBuilder object = out.object();
  for (std::uint64_t i = 0; i < v.size(); ++i) object.push(v.name(i), items[i]);
  return object;
}

/// The same without columns.
Value as_documents(const Value& value) {
  return Value::build([&](Builder& out) { return document_of(value.view(), out); });
}

/// The path and message of the refusal to encode a text.
std::string encode_refusal(const char* root, const std::string& text,
                           const test::Json& more = test::Json::object()) {
  try {
    static_cast<void>(encode(fastbin_codec(schema, root, more), Value::parse(text)));
    return {};
  } catch (const Error& e) {
    return e.path() + ": " + e.message();
  }
}

TEST(FastbinValues, EverythingThereIsComesBackAlone) {
  const auto codec = fastbin_codec(schema, "All");
  const Value value = Value::parse(all_text);
  const std::string bytes = encode(codec, value);
  const Value back = decode(codec, bytes);
  EXPECT_EQ(difference(value, back), "");
  EXPECT_EQ(encode(codec, back), bytes);
  EXPECT_EQ(encode(codec, Value::parse(back.text())), bytes);
  EXPECT_EQ(encode(codec, as_documents(back)), bytes);
}

TEST(FastbinValues, VectorsOfVariableStructsAreColumnsAtEveryDepth) {
  const auto codec = fastbin_codec(schema, "Tree");
  const std::string one(all_text);
  const Value value = Value::parse("{\"groups\": [" + one + "," + one + "," + one + "]}");
  const std::string bytes = encode(codec, value);
  const Value back = decode(codec, bytes);
  const NodeView groups = test::node(back).at("groups");
  ASSERT_TRUE(groups.is_array());
  EXPECT_EQ(groups.as_array().layout, POLYCODEC_LAYOUT_RECORD);
  EXPECT_EQ(difference(value, back), "");
  EXPECT_EQ(encode(codec, back), bytes);
  EXPECT_EQ(encode(codec, as_documents(back)), bytes);
}

TEST(FastbinValues, NumbersAndFixedStructsAreViews) {
  const std::string text =
      R"({"namespace": "n", "structs": {"P": {"members": {"a": "int8", "b": "float64"}},
    "R": {"members": {"v": "vector<float64>", "p": "vector<struct:P>"}}}})";
  const auto codec = fastbin_codec(text, "R");
  const Value value =
      Value::parse(R"({"v": [1.0, 2.0, 3.0], "p": [{"a": 1, "b": 0.5}, {"a": -2, "b": 1.5}]})");
  if (test::is_isolated()) GTEST_SKIP() << "another process has no view of our memory";
  const std::string bytes = encode(codec, value);
  const Value back = codec.decode(Source::view(bytes));
  const auto inside = [&](const void* p) {
    return p >= bytes.data() && p < bytes.data() + bytes.size();
  };
  EXPECT_TRUE(inside(test::node(back).at("v").as_array().data));
  const ArrayView points = test::node(back).at("p").as_array();
  for (std::uint32_t i = 0; i < 2; ++i) {
    EXPECT_TRUE(inside(points.child(i).data()));
    EXPECT_EQ(points.child(i).strides()[0], 16);
  }
}

TEST(FastbinValues, TakesNoTimeForWhatIsInVectors) {
  // The nodes and columns of a decoded value are as many for a million items as for one.
  const std::string text =
      R"({"namespace": "n", "structs": {"P": {"members": {"a": "int8", "b": "float64"}},
    "R": {"members": {"v": "vector<float64>", "p": "vector<struct:P>"}}}})";
  const auto codec = fastbin_codec(text, "R");
  const auto arena_size = [&](std::uint64_t n) {
    std::vector<double> numbers(n);
    std::vector<std::int8_t> small(n);
    const Value value = Value::build([&](Builder& out) {
      const polycodec_array* columns[] = {out.vector(test::kept(out, small)),
                                          out.vector(test::kept(out, numbers))};
      const std::string_view names[] = {"a", "b"};
      return out.object({{"v", Builder::array(out.vector(test::kept(out, numbers)))},
                         {"p", Builder::array(out.record(n, names, columns))}});
    });
    const std::string bytes = encode(codec, value);
    CallOptions call;
    call.limits.max_memory_bytes = 16384;
    const Value back = decode(codec, bytes, call);
    return test::node(back).at("p").as_array().length;
  };
  EXPECT_EQ(arena_size(1), 1u);
  EXPECT_EQ(arena_size(1000000), 1000000u);
}

TEST(FastbinValues, MembersComeInAnyOrderAndMustBeThose) {
  const auto codec = fastbin_codec(schema, "Note");
  const std::string ordered = encode(codec, Value::parse(R"({"text": "a", "n": 1, "data": [2]})"));
  EXPECT_EQ(encode(codec, Value::parse(R"({"data": [2], "text": "a", "n": 1})")), ordered);
  EXPECT_EQ(encode_refusal("Note", R"({"text": "a", "n": 1})"), "$.data: the member is missing");
  EXPECT_EQ(encode_refusal("Note", R"({"text": "a", "n": 1, "data": [], "more": 1})"),
            "$.more: struct Note has no such member");
  EXPECT_EQ(encode_refusal("Note", R"({"text": "a", "n": 1, "date": []})"),
            "$.data: the member is missing");
  EXPECT_EQ(encode_refusal("Note", "[1]"), "$: expected an object for struct Note, found list");
}

TEST(FastbinValues, WhatDoesNotFitIsRefusedWithItsPath) {
  EXPECT_EQ(encode_refusal("Note", R"({"text": 1, "n": 1, "data": []})"),
            "$.text: expected a string, found integer");
  EXPECT_EQ(encode_refusal("Note", R"({"text": "", "n": 40000, "data": []})"),
            "$.n: the number does not fit in int16");
  EXPECT_EQ(encode_refusal("Note", R"({"text": "", "n": 1.5, "data": []})"),
            "$.n: expected int16, found float64");
  EXPECT_EQ(encode_refusal("Note", R"({"text": "", "n": 1, "data": [1, -1]})"),
            "$.data[1]: the number does not fit in uint16");
  EXPECT_EQ(encode_refusal("Note", R"({"text": "", "n": 1, "data": 5})"),
            "$.data: expected a list, found integer");
  EXPECT_EQ(encode_refusal("Line",
                           R"({"a": {"x": 0.123456789, "ok": true, "side": "Buy"}, "far": "Low"})"),
            "$.a.x: the number does not fit in float32");
  EXPECT_EQ(encode_refusal("Line", R"({"a": {"x": 1, "ok": 1, "side": "Buy"}, "far": "Low"})"),
            "$.a.ok: expected bool, found int64");
  EXPECT_EQ(
      encode_refusal("Line", R"({"a": {"x": 1, "ok": true, "side": "Nobody"}, "far": "Low"})"),
      "$.a.side: enum Side has no member 'Nobody'");
  EXPECT_EQ(encode_refusal("Any", R"({"v": {"$union": [6, 1]}})"), "$.v: alternative 6 of 6");
  EXPECT_EQ(encode_refusal("Any", R"({"v": {"$union": [0, "x"]}})"),
            "$.v: expected int32, found string");
  EXPECT_NE(encode_refusal("Any", R"({"v": 1})"), "") << "int64 is none of the alternatives";
}

TEST(FastbinValues, DecimalsFitTheFloatThatPrintsLikeThem) {
  const auto codec = fastbin_codec(schema, "Point");
  const auto encoded = [&](const std::string& x) {
    return encode(codec, Value::parse("{\"x\": " + x + ", \"ok\": true, \"side\": \"Buy\"}"));
  };
  for (const char* x : {"0.1", "-16777216.0", "3.4028235e+38", "1e-45", "1.1754944e-38"}) {
    const std::string typed =
        R"({"type": "{x: float32, ok: bool, side: string}", "value": {"x": )" + std::string(x) +
        R"(, "ok": true, "side": "Buy"}})";
    EXPECT_EQ(encoded(x), encode(codec, Value::parse(typed))) << x;
  }
  for (const char* x : {"0.10000000001", "3.5e38", "1e-46", "16777217.0"}) {
    EXPECT_EQ(
        encode_refusal("Point", "{\"x\": " + std::string(x) + ", \"ok\": true, \"side\": \"Buy\"}"),
        "$.x: the number does not fit in float32")
        << x;
  }
}

TEST(FastbinValues, ErrorsInColumnsNameTheRow) {
  const auto codec = fastbin_codec(schema, "All");
  Value value = Value::parse(all_text);
  const Value wide = Value::build(
      [&](Builder& out) {
        const std::int64_t sides[] = {0, 1, 256};
        const std::int16_t fars[] = {1, 2, 3};
        const float xs[] = {1, 2, 3};
        const bool oks[] = {true, false, true};
        const polycodec_array* inner[] = {out.vector(test::kept(out, xs)),
                                          out.vector(test::kept(out, oks)),
                                          out.vector(test::kept(out, sides))};
        const std::string_view inner_names[] = {"x", "ok", "side"};
        const polycodec_array* outer[] = {out.record(3, inner_names, inner),
                                          out.vector(test::kept(out, fars))};
        const std::string_view outer_names[] = {"a", "far"};
        std::vector<Member> members;
        const NodeView all = test::node(value);
        for (std::uint64_t i = 0; i < all.size(); ++i)
          members.push_back({all.key(i).as_string(), *all.value(i).raw()});
        members[1].value = Builder::array(out.record(3, outer_names, outer));
        return out.object(members);
      },
      {value});
  try {
    static_cast<void>(encode(codec, wide));
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.path(), "$.lines[2].a.side");
    EXPECT_EQ(e.code(), Status::range);
  }
}

TEST(FastbinValues, PlainValuesChooseTheAlternativeThatTheyLookLike) {
  const auto codec = fastbin_codec(schema, "Any");
  const auto same = [&](const std::string& plain, const std::string& tagged) {
    EXPECT_EQ(encode(codec, Value::parse("{\"type\": \"{v: " + plain)),
              encode(codec, Value::parse(tagged)));
  };
  same(R"(int32}", "value": {"v": 5}})", R"({"v": {"$union": [0, 5]}})");
  same(R"(string}", "value": {"v": "High"}})", R"({"v": {"$union": [1, "High"]}})");
  same(R"(3 * uint16}", "value": {"v": [1, 2, 3]}})", R"({"v": {"$union": [4, [1, 2, 3]]}})");
  same(
      R"({text: string, n: int16, data: 0 * uint16}}", "value": {"v": {"text": "", "n": 1, "data": []}}})",
      R"({"v": {"$union": [2, {"text": "", "n": 1, "data": []}]}})");
}

TEST(FastbinValues, EnumsTakeNamesTextsAndNumbers) {
  const auto codec = fastbin_codec(schema, "Point");
  const auto side = [&](const std::string& word) {
    return encode(codec, Value::parse("{\"x\": 0, \"ok\": false, \"side\": " + word + "}")).at(16);
  };
  EXPECT_EQ(side("\"Buy\""), 1);
  EXPECT_EQ(side("\"SELL\""), 0);
  EXPECT_EQ(side("\"S\""), 0);
  EXPECT_EQ(side("9"), 9);
  const std::string unknown("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x09\0\0\0\0\0\0\0", 24);
  EXPECT_EQ(test::node(decode(codec, unknown)).at("side").as_uint64(), 9u);
  const test::Json known{{"unknown_enum", "refuse"}};
  Error error(Status::ok, "");
  EXPECT_EQ(refusal(fastbin_codec(schema, "Point", known), unknown, &error), "fastbin.bad_enum");
  EXPECT_EQ(error.offset(), 16u);
  EXPECT_EQ(error.path(), "$.side");
  EXPECT_NE(encode_refusal("Point", R"({"x": 0, "ok": false, "side": 9})", known), "");
}

TEST(FastbinValues, ColumnsOfUnknownEnumsKeepTheNumbers) {
  const std::string text =
      R"({"namespace": "n", "enums": {"E": {"type": "int8", "members": {"A": {"value": 0}, "B": {"value": 1}}}},
    "structs": {"R": {"members": {"e": "vector<enum:E>"}}}})";
  const auto codec = fastbin_codec(text, "R");
  const Value value = Value::parse(R"({"e": ["A", -3, "B", 100]})");
  const std::string bytes = encode(codec, value);
  const Value back = decode(codec, bytes);
  EXPECT_EQ(difference(value, back), "");
  EXPECT_EQ(encode(codec, back), bytes);
  EXPECT_NE(back.text().find(R"(["A", -3, "B", 100])"), std::string::npos) << back.text();
  Error error(Status::ok, "");
  EXPECT_EQ(refusal(fastbin_codec(text, "R", {{"unknown_enum", "refuse"}}), bytes, &error),
            "fastbin.bad_enum");
  EXPECT_EQ(error.path(), "$.e[1]");
  EXPECT_EQ(error.offset(), 17u);
}

TEST(FastbinValues, AliasesOfEnumsAreReadByTheFirstName) {
  const std::string text =
      R"({"enums": {"E": {"type": "uint8", "members": {"Unknown": {"value": 0}, "Second": {"value": 1},
                                          "Third": {"value": 1}}}},
    "structs": {"R": {"members": {"class": "enum:E", "all": "vector<enum:E>"}}}})";
  const auto codec = fastbin_codec(text, "R");
  const std::string bytes =
      encode(codec, Value::parse(R"({"class": "Third", "all": ["Third", "Unknown", "Second"]})"));
  EXPECT_EQ(
      difference(decode(codec, bytes),
                 Value::parse(R"({"class": "Second", "all": ["Second", "Unknown", "Second"]})")),
      "");
}

TEST(FastbinValues, TextsThatAreNotUtf8) {
  const auto codec = fastbin_codec(schema, "Note");
  std::string bytes = encode(codec, Value::parse(R"({"text": "abc", "n": 1, "data": []})"));
  bytes[17] = '\xff';
  const Value back = decode(codec, bytes);
  EXPECT_EQ(test::node(back).at("text").dtype(), POLYCODEC_STRING_LENIENT);
  EXPECT_EQ(encode(codec, back), bytes);
  Error error(Status::ok, "");
  EXPECT_EQ(refusal(fastbin_codec(schema, "Note", {{"utf8", "strict"}}), bytes, &error),
            "fastbin.bad_utf8");
  EXPECT_EQ(error.offset(), 17u);
  // In columns.
  const auto all = fastbin_codec(schema, "All");
  std::string many = encode(all, Value::parse(all_text));
  many[many.find("nine char")] = '\xfe';
  const Value columns = decode(all, many);
  EXPECT_EQ(encode(all, columns), many);
}

TEST(FastbinValues, NewAndOldVersionsOfAStruct) {
  const std::string old_text =
      R"({"namespace": "n", "structs": {"S": {"members": {"a": "string"}}, "R": {"members": {"s": "vector<struct:S>", "z": "string"}}}})";
  const std::string new_text =
      R"({"namespace": "n", "structs": {"S": {"members": {"a": "string", "b": "int32", "c": "vector<int8>"}}, "R": {"members": {"s": "vector<struct:S>", "z": "string"}}}})";
  const auto newer = fastbin_codec(new_text, "R");
  const auto older = fastbin_codec(old_text, "R");
  const std::string old_bytes =
      encode(older, Value::parse(R"({"s": [{"a": "x"}, {"a": ""}], "z": "end"})"));
  const std::string new_bytes =
      encode(newer, Value::parse(R"({"s": [{"a": "x", "b": 1, "c": [2]}], "z": "end"})"));
  EXPECT_EQ(refusal(newer, old_bytes), "fastbin.truncated");
  EXPECT_EQ(refusal(older, new_bytes), "fastbin.size_mismatch");
  const auto reads_old = fastbin_codec(new_text, "R", {{"absent", "null"}});
  const Value of_old = decode(reads_old, old_bytes);
  EXPECT_EQ(
      difference(
          of_old,
          Value::parse(
              R"({"s": [{"a": "x", "b": null, "c": null}, {"a": "", "b": null, "c": null}], "z": "end"})")),
      "");
  EXPECT_EQ(encode(reads_old, of_old), old_bytes);
  const auto reads_new = fastbin_codec(old_text, "R", {{"slack", "lenient"}});
  EXPECT_EQ(
      difference(decode(reads_new, new_bytes), Value::parse(R"({"s": [{"a": "x"}], "z": "end"})")),
      "");
}

TEST(FastbinValues, TrailingBytesAndAlignment) {
  const auto codec = fastbin_codec(schema, "Note");
  const std::string bytes = encode(codec, Value::parse(R"({"text": "abc", "n": 1, "data": []})"));
  static_cast<void>(decode(codec, bytes + "more"));
  EXPECT_EQ(refusal(fastbin_codec(schema, "Note", {{"trailing", "refuse"}}), bytes + "more"),
            "fastbin.trailing");
  const auto aligned = fastbin_codec(schema, "Note", {{"alignment", "word"}});
  if (test::is_isolated()) return;  // its memory is another
  std::vector<std::uint64_t> words(bytes.size() / 8 + 1);
  char* memory = reinterpret_cast<char*>(words.data());
  std::memcpy(memory, bytes.data(), bytes.size());
  const auto at = [&](std::size_t offset) {
    return Source::view(std::string_view(memory + offset, bytes.size()));
  };
  static_cast<void>(aligned.decode(at(0)));
  std::memmove(memory + 1, memory, bytes.size());
  EXPECT_EQ(test::error_of([&] { static_cast<void>(aligned.decode(at(1))); }).detail(),
            "fastbin.bad_alignment");
  static_cast<void>(codec.decode(at(1)));
}

TEST(FastbinValues, OptionsThatDoNotFitEachOther) {
  const auto open = [](const test::Json& options) {
    try {
      static_cast<void>(test::shipped("fastbin", options));
      return std::string();
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), Status::option);
      return e.message();
    }
  };
  EXPECT_EQ(open({}), "");
  EXPECT_NE(open({{"root", "A"}}), "");
  EXPECT_NE(open({{"schema", schema}, {"schema_file", "x"}}), "");
  EXPECT_NE(open({{"schema", schema}, {"root", "Nothing"}}).find("no struct 'Nothing'"),
            std::string::npos);
  EXPECT_EQ(open({{"schema", schema}}), "") << "Tree is used by no other";
  EXPECT_NE(open({{"schema", "{"}}), "");
  EXPECT_NE(open({{"utf8", "maybe"}}), "");
  const std::string file = test::fastbin_directory() / "strings.schema.json";
  EXPECT_EQ(open({{"schema_file", file}, {"root", "One"}}), "");
  EXPECT_EQ(test::refusal(test::shipped("fastbin"), "12345678"), "fastbin.schema");
}

TEST(FastbinValues, LimitsAreHonored) {
  const auto codec = fastbin_codec(schema, "All");
  const Value value = Value::parse(all_text);
  const std::string bytes = encode(codec, value);
  CallOptions call;
  call.limits.max_output_bytes = bytes.size() - 1;
  EXPECT_THROW(static_cast<void>(encode(codec, value, call)), Error);
  // A strided array of stride 0 is as long as it says and takes no memory: its size must not wrap.
  const auto of = [](std::uint64_t length) {
    return Value::build([&](Builder& out) {
      const double* zero = out.store(0.0);
      const auto* leaf =
          out.strided(to_string_view(zero, 8), zero, length, 0, POLYCODEC_DTYPE_FLOAT64, 8);
      return out.object({{"v", Builder::array(leaf)}});
    });
  };
  const auto vectors = fastbin_codec(
      R"({"namespace": "n", "structs": {"R": {"members": {"v": "vector<float64>"}}}})", "R");
  const auto code = [](const auto& body) { return test::error_of(body).code(); };
  EXPECT_EQ(code([&] { encode(vectors, of(std::uint64_t{1} << 40)); }), Status::limit);
  EXPECT_EQ(code([&] { of(std::uint64_t{1} << 61); }), Status::limit);
}

}  // namespace
}  // namespace polycodec
