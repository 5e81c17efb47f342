// SPDX-License-Identifier: MIT
// Values and their text, one by one.
#include "core/text/text.hpp"

#include <polycodec/array_view.hpp>

#include "core/io/sink.hpp"
#include "core/value/value.hpp"
#include "value_fixture.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace polycodec {
namespace {

class TextTest : public ValueTest {
 protected:
  static std::string print(const polycodec_node& n) { return to_text(NodeView(&n)); }
  static std::string again(std::string_view text) { return to_text(parse_text(text).view()); }
};

/// Text that print_text() writes: it reads back as a valid value that prints the same.
class Canonical : public ::testing::TestWithParam<const char*> {};

TEST_P(Canonical, ReadsAndPrintsTheSame) {
  try {
    const Value value = parse_text(GetParam());
    validate(value.view(), {}, Validation::full);
    EXPECT_EQ(to_text(value.view()), GetParam());
  } catch (const Error& e) {
    FAIL() << e.describe();
  }
}

TEST(Text, MetadataOfWhatNoTypeDescribes) {
  // So many fields that the inferred type is `any`.
  const Value value = Value::build([](Builder& out) {
    ObjectBuilder object = out.object();
    for (int i = 0; i < 60000; ++i) object.push("x" + std::to_string(i), Builder::null());
    ObjectBuilder metadata = out.object();
    metadata.push("units", Builder::string_view("m"));
    return out.annotated(object, metadata);
  });
  const std::string text = to_text(value.view());
  EXPECT_TRUE(text.starts_with(R"({"type": "annotated[any, units='m']", "value": {"x0": null,)"));
  EXPECT_TRUE(equal(View(parse_text(text).view()), View(value.view())));
}

INSTANTIATE_TEST_SUITE_P(
    Texts, Canonical,
    ::testing::Values(
        R"({"type": "null", "value": null})", R"({"type": "bool", "value": true})",
        R"({"type": "int8", "value": -128})",
        R"({"type": "uint64", "value": 18446744073709551615})",
        R"({"type": "int128", "value": -170141183460469231731687303715884105728})",
        R"({"type": "uint128", "value": 340282366920938463463374607431768211455})",
        R"({"type": "float16", "value": 0.1})", R"({"type": "float32", "value": 0.1})",
        R"({"type": "float64", "value": -0.0})", R"({"type": "float64", "value": 1e+300})",
        R"({"type": "float64", "value": 5e-324})",
        R"({"type": "float64", "value": {"$float": "-inf"}})",
        R"({"type": "float64", "value": {"$float": "nan:0x7ff00000000007a2"}})",
        R"({"type": "float32", "value": {"$float": "nan:0xffc00000"}})",
        R"({"type": "float128", "value": {"$float": "0x3fff8000000000000000000000000001"}})",
        R"({"type": "complex[float16]", "value": {"$complex": [1.0, {"$float": "nan"}]}})",
        R"({"type": "complex[float32]", "value": {"$complex": [1.5, -0.0]}})",
        R"({"type": "string", "value": "\u0000\u001b\u007f\u0085 é😀\"\\\n"})",
        R"({"type": "string", "value": {"$string": "/w=="}})",
        R"({"type": "bytes", "value": {"$bytes": ""}})",
        R"({"type": "fixed_bytes[3]", "value": {"$bytes": "AQID"}})",
        R"({"type": "fixed_string[5, 'utf16']", "value": "a😀"})",
        R"T({"type": "()", "value": {"$tuple": []}})T", R"({"type": "{}", "value": {}})",
        R"({"type": "0 * any", "value": []})", R"({"type": "map[any, any]", "value": {}})",
        R"({"type": "{'$a': int64, '': null}", "value": {"$$a": 1, "": null}})",
        R"({"type": "map[string, int64]", "value": {"b": 1, "$$a": 2}})",
        R"({"type": "map[string, int64]", "value": {"$map": [["b", 1], ["b", 2]]}})",
        R"({"type": "map[?int64, string]", "value": {"$map": [[1, "x"], [null, "y"]]}})",
        R"T({"type": "(int64, string)", "value": [1, "a"]})T",
        R"T({"type": "(int64, int64)", "value": {"$tuple": [1, 2]}})T",
        R"({"type": "3 * ?int64", "value": [1, null, 3]})",
        R"({"type": "2 * 3 * uint8", "value": [[1, 2, 3], [4, 5, 6]]})",
        R"({"type": "0 * 3 * uint8", "value": []})",
        R"({"type": "2 * 0 * uint8", "value": [[], []]})",
        R"({"type": "2 * var * ?{x: int32, y: ?float64}", "value": [[{"x": 1, "y": null}, null], []]})",
        R"({"type": "2 * {x: 2 * string, y: var * bytes}", "value": [{"x": ["a", "b"], "y": []}, {"x": ["", "c"], "y": [{"$bytes": "AA=="}]}]})",
        R"T({"type": "2 * (int8, string)", "value": [{"$tuple": [1, "a"]}, {"$tuple": [2, "b"]}]})T",
        R"T({"type": "2 * (int8, string)", "value": [{"$tuple": [1, "a"]}, [2, "b"]]})T",
        R"({"type": "2 * string", "value": ["a", {"$string": "gA=="}]})",
        R"({"type": "2 * union[int32, string]", "value": [{"$union": [1, "x"]}, {"$union": [0, 5]}]})",
        R"({"type": "union[void, string]", "value": {"$union": [1, "x"]}})",
        R"({"type": "2 * ?70 * int8", "value": [null, null]})",
        R"({"type": "17 * any", "value": [null, true, 1, 18446744073709551615, 1.5, "s", [1, "a"], {"$tuple": [1]}, {"a": {"$float": "inf"}}, {"$map": [[1, 2]]}, {"$bytes": "AQ=="}, {"$ext": ["x", 1]}, {"$union": [0, null]}, {"$value": {"type": "int8", "value": 1}}, {"$value": {"type": "2 * int8", "value": [1, 2]}}, {"$datetime": "2020-01-02"}, {"$timedelta": [1, "s"]}]})",
        R"({"type": "extension['msgpack.ext', {code: int64, data: bytes}]", "value": {"$ext": ["msgpack.ext", {"code": 5, "data": {"$bytes": "AQID"}}]}})",
        R"({"type": "annotated[2 * float64, units='cm', title='x', '$json:ok'='true']", "value": [1.0, 2.0]})",
        R"({"type": "2 * {x: annotated[float64, units='cm']}", "value": [{"x": 1.0}, {"x": 2.0}]})",
        R"({"type": "2 * annotated[var * int8, units='cm']", "value": [[1], [2]]})",
        R"({"type": "2 * datetime[unit='s']", "value": [{"$datetime": "NaT"}, {"$datetime": "2020-01-02T03:04:05.500000000Z"}]})",
        R"({"type": "datetime", "value": {"$datetime": [5]}})",
        R"({"type": "timedelta[unit='W']", "value": {"$timedelta": ["NaT", "W"]}})"));

TEST_F(TextTest, PrintsFloatsAsShortestDecimals) {
  const std::pair<double, const char*> cases[] = {
      {0.0, "0.0"},
      {-0.0, "-0.0"},
      {1.0, "1.0"},
      {0.1, "0.1"},
      {100000.0, "100000.0"},
      {1e15, "1000000000000000.0"},
      {1e16, "1e+16"},
      {123456789012345680.0, "1.2345678901234568e+17"},
      {0.0001, "0.0001"},
      {0.00001, "1e-05"},
      {9007199254740993.0, "9007199254740992.0"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
      {-1.5e-7, "-1.5e-07"},
      {1234.5678, "1234.5678"}};
  for (const auto& [value, text] : cases) {
    std::string out;
    const polycodec_node n = Builder::real(value);
    print_text(NodeView(&n), out, {.plain = true});
    EXPECT_EQ(out, text);
  }
}

TEST_F(TextTest, EveryHalfReadsBack) {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const polycodec_node n = Builder::real16(static_cast<std::uint16_t>(bits));
    const Value back = parse_text(to_text(NodeView(&n)));
    ASSERT_EQ(back.view().node()->as.u64, bits);
  }
}

TEST_F(TextTest, PrintsTimesInTheFormOfTheirUnit) {
  struct Case {
    std::int64_t count;
    std::uint32_t nanoseconds, unit;
    const char* text;
  };
  const Case cases[] = {
      {50, 0, POLYCODEC_UNIT_YEAR, "2020"},
      {-1971, 0, POLYCODEC_UNIT_YEAR, "-000001"},
      {8030, 0, POLYCODEC_UNIT_YEAR, "+010000"},
      {-1, 0, POLYCODEC_UNIT_MONTH, "1969-12"},
      {-1, 0, POLYCODEC_UNIT_WEEK, "1969-12-25"},
      {18262 + 59, 0, POLYCODEC_UNIT_DAY, "2020-02-29"},
      {-1, 0, POLYCODEC_UNIT_HOUR, "1969-12-31T23Z"},
      {1, 0, POLYCODEC_UNIT_MINUTE, "1970-01-01T00:01Z"},
      {1577934245, 0, POLYCODEC_UNIT_SECOND, "2020-01-02T03:04:05Z"},
      {1577934245, 7000000, POLYCODEC_UNIT_MILLISECOND, "2020-01-02T03:04:05.007Z"},
      {1577934245, 123456789, POLYCODEC_UNIT_NANOSECOND, "2020-01-02T03:04:05.123456789Z"},
      {-62167219200 - 1, 999999999, POLYCODEC_UNIT_NANOSECOND, "-000001-12-31T23:59:59.999999999Z"},
      {253402300800, 0, POLYCODEC_UNIT_SECOND, "+010000-01-01T00:00:00Z"},
      {-1, 0, POLYCODEC_UNIT_ATTOSECOND, "1969-12-31T23:59:59.999999999999999999Z"},
      {INT64_MAX, 0, POLYCODEC_UNIT_YEAR, "+9223372036854777777"}};
  for (const Case& c : cases) {
    const polycodec_node n = b.timestamp(c.count, c.nanoseconds, c.unit);
    const std::string text = print(n);
    EXPECT_NE(text.find(std::string("\"$datetime\": \"") + c.text + "\""), text.npos) << text;
    const polycodec_time time = parse_text(text).view().as_time();
    EXPECT_EQ(time.count, c.count) << text;
    EXPECT_EQ(time.nanoseconds, c.nanoseconds) << text;
    EXPECT_EQ(time.unit, c.unit) << text;
  }
}

TEST_F(TextTest, ReadsArraysIntoColumns) {
  const Value numbers = parse_text(R"({"type": "2 * 2 * int16", "value": [[1, 2], [3, -4]]})");
  const ArrayView leaf = numbers.view().as_array();
  ASSERT_EQ(leaf.layout(), POLYCODEC_LAYOUT_NDARRAY);
  EXPECT_EQ(leaf.ndim(), 2u);
  const auto elements = leaf.elements<std::int16_t>();
  ASSERT_TRUE(elements);
  EXPECT_EQ(std::vector<std::int16_t>(elements->begin(), elements->end()),
            (std::vector<std::int16_t>{1, 2, 3, -4}));

  const Value rows = parse_text(
      R"({"type": "2 * {b: string, a: int8}", "value": [{"a": 1, "b": "x"}, {"b": "y", "a": 2}]})");
  const ArrayView record = rows.view().as_array();
  ASSERT_EQ(record.layout(), POLYCODEC_LAYOUT_RECORD);
  EXPECT_EQ(record.column("b")->text(1), "y");

  EXPECT_EQ(parse_text(R"({"type": "{a: int8}", "value": {"a": 1}})").view().at("a").dtype(),
            POLYCODEC_DTYPE_INT8);
}

TEST_F(TextTest, PrintsStridesAndByteOrder) {
  const std::uint8_t bytes[] = {0, 1, 0, 2, 0, 3, 0, 4};
  const auto buffer = bytes_of(std::span(bytes));
  const auto* a =
      b.strided(buffer, bytes + 4, 2, -4, POLYCODEC_DTYPE_INT16, 2, POLYCODEC_BIG_ENDIAN);
  EXPECT_EQ(print(Builder::array(a)), R"({"type": "2 * int16", "value": [3, 1]})");
}

TEST_F(TextTest, UnionsMayCountTheirItems) {
  polycodec_array* a =
      wrap(POLYCODEC_LAYOUT_UNION, 4, {leaf<std::int32_t>({1, 2}), texts({"x", "y"})});
  a->tags = Builder::column(stored<std::int8_t>({1, 0, 1, 0}));
  EXPECT_EQ(
      print(Builder::array(a)),
      R"({"type": "4 * union[int32, string]", "value": [{"$union": [1, "x"]}, {"$union": [0, 1]}, {"$union": [1, "y"]}, {"$union": [0, 2]}]})");
}

TEST_F(TextTest, ReferencesKeepTheirTargetAndPlainCyclesAreRefused) {
  polycodec_node* items;
  const polycodec_node* shared = b.store(Builder::integer(7));
  polycodec_node list = b.list(2, &items);
  items[0] = items[1] = Builder::reference(shared);
  EXPECT_EQ(print(list),
            R"({"type": "2 * int64", "value": {"$list": [{"$ref": [1, 7]}, {"$ref": 1}]}})");
  polycodec_node* inside;
  const polycodec_node around = b.list(1, &inside);
  inside[0] = list;
  items[1] = Builder::reference(inside);
  const std::string text = print(around);
  EXPECT_NE(text.find(R"([{"$id": [1, [{"$ref": [2, 7]}, {"$ref": 1}]]}])"), std::string::npos)
      << text;
  const Value back = parse_text(text);
  const polycodec_node* cycle = back.view().raw()->as.nodes;
  EXPECT_EQ(cycle, cycle->as.nodes[1].as.node);
  EXPECT_EQ(to_text(back.view()), text);
  polycodec_node* root = b.store(list);
  items[1] = Builder::reference(root);
  try {
    to_text(NodeView(root), {.plain = true});
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Status::limit);
  }
}

TEST_F(TextTest, ANullWithMetadataIsNotMissing) {
  const polycodec_node units = b.object({{"units", Builder::string_view("cm")}});
  const polycodec_node list = b.list({Builder::null(), b.annotated(Builder::null(), units)});
  const Value back = parse_text(print(list));
  EXPECT_EQ(back.view().raw()->as.nodes[0].kind, POLYCODEC_KIND_NULL);
  EXPECT_EQ(back.view().raw()->as.nodes[1].kind, POLYCODEC_KIND_ANNOTATED);
}

TEST_F(TextTest, ListsAndArraysStayWhatTheyAre) {
  const polycodec_array* array = leaf<std::int64_t>({1, 2});
  const polycodec_node list = b.list({Builder::integer(1), Builder::integer(2)});
  const polycodec_node both = b.list({Builder::array(array), list});
  const Value back = parse_text(print(both));
  ASSERT_EQ(back.view().raw()->kind, POLYCODEC_KIND_LIST);
  EXPECT_EQ(back.view().raw()->as.nodes[0].kind, POLYCODEC_KIND_ARRAY);
  EXPECT_EQ(back.view().raw()->as.nodes[1].kind, POLYCODEC_KIND_LIST);
}

TEST_F(TextTest, PlainTextHasNoMarks) {
  const polycodec_node list = b.list({Builder::integer(1), Builder::integer(2)});
  EXPECT_EQ(to_text(NodeView(&list), {.plain = true}), "[1, 2]");
}

TEST_F(TextTest, PlainTextHasEachKeyAsItIs) {
  // Keys that share memory, by turns with others at nearly the same place.
  const std::string_view memory = b.copy_text("abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmn");
  const auto quoted = [](std::string_view key) { return '"' + std::string(key) + "\": "; };
  const std::pair<std::string_view, std::string> keys[] = {
      {memory.substr(0, 1), quoted("a")},
      {memory.substr(0, 8), quoted("abcdefgh")},
      {memory.substr(0, 20), quoted("abcdefghijklmnopqrst")},
      {memory.substr(0, 21), quoted("abcdefghijklmnopqrstu")},
      {memory.substr(32, 3), quoted("678")},
      {memory.substr(32, 4), quoted("6789")},
      {memory.substr(0, 0), quoted("")},
      {memory, quoted(memory)},
      {"$", quoted("$$")},
      {"$list", quoted("$$list")},
      {"\"", "\"\\\"\": "},
      {"a\\", "\"a\\\\\": "},
      {"\x7f", "\"\\u007f\": "},
      {"\xc3\xa4", quoted("\xc3\xa4")},
      {"\xc2\x80", "\"\\u0080\": "},
  };
  std::vector<polycodec_node> rows;
  std::string expected = "[";
  const auto add = [&](const std::vector<std::size_t>& chosen) {
    std::vector<Member> members;
    expected += rows.empty() ? "{" : ", {";
    for (const std::size_t i : chosen) {
      expected += (members.empty() ? "" : ", ") + keys[i].second + std::to_string(i);
      members.push_back({keys[i].first, Builder::integer(static_cast<std::int64_t>(i))});
    }
    expected += '}';
    rows.push_back(b.object(std::span<const Member>(members)));
  };
  const std::size_t n = std::size(keys);
  for (int round = 0; round < 2; ++round)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) i == j ? add({i}) : add({i, j});
  expected += ']';
  const polycodec_node list = b.list(std::span<const polycodec_node>(rows));
  EXPECT_EQ(to_text(NodeView(&list), {.plain = true}), expected);
}

TEST_F(TextTest, PlainTextIsADocument) {
  EXPECT_EQ(
      again(R"([1, 2.0, {"$schema": "s", "b": {"$bytes": "AQ=="}}])"),
      R"T({"type": "(int64, float64, {'$schema': string, b: bytes})", "value": [1, 2.0, {"$$schema": "s", "b": {"$bytes": "AQ=="}}]})T");
  EXPECT_EQ(
      again(R"({"type": "int8", "value": 1, "more": 2})"),
      R"({"type": "{type: string, value: int64, more: int64}", "value": {"type": "int8", "value": 1, "more": 2}})");
}

TEST_F(TextTest, PrettyTextIsTheSameValue) {
  const Value value = parse_text(R"([{"x": 1, "y": [1, 2]}, {"x": 2, "y": [3, 4]}])");
  EXPECT_EQ(to_text(value.view(), {.plain = true, .indent = 2}),
            "[\n  {\n    \"x\": 1,\n    \"y\": [1, 2]\n  },\n  {\n    \"x\": 2,\n    \"y\": [3, "
            "4]\n  }\n]");
}

TEST_F(TextTest, PrintsToAWriter) {
  std::vector<double> numbers(100000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i) / 7;
  const polycodec_node n = Builder::array(b.vector(std::span<const double>(numbers)));
  SegmentSink sink;
  Writer writer(sink.abi());
  print_text(NodeView(&n), writer);
  writer.flush();
  EXPECT_EQ(sink.to_string(), print(n));
}

TEST_F(TextTest, ElementsThatNoMemoryStandsBehindAreNotPrintedWithoutEnd) {
  const auto refused = [](const polycodec_array* a) {
    const auto root = Builder::array(a);
    try {
      return to_text(NodeView(&root)).substr(0, 40);
    } catch (const Error& e) {
      return e.detail();
    }
  };
  const std::int64_t shape[] = {2, std::int64_t{1} << 38};
  EXPECT_EQ("text.limit", refused(b.ndarray({}, POLYCODEC_DTYPE_FIXED_BYTES, 0, shape)));
  auto* repeated = leaf<double>({1.5});
  repeated->length = std::uint64_t{1} << 40;
  const std::int64_t extent = std::int64_t{1} << 40;
  const std::int64_t stride = 0;
  repeated->shape = &extent;
  repeated->strides = &stride;
  EXPECT_EQ("text.limit", refused(repeated));
  const std::int64_t few[] = {3, 2};
  EXPECT_EQ(R"({"type": "3 * 2 * bytes", "value": {"$la)",
            refused(b.ndarray({}, POLYCODEC_DTYPE_FIXED_BYTES, 0, few)));
}

TEST_F(TextTest, EqualItemsOfALongListMakeOneType) {
  polycodec_node* items;
  const polycodec_node list = b.list(1000000, &items);
  for (int i = 0; i < 1000000; ++i) items[i] = i % 3 == 0 ? Builder::null() : Builder::integer(i);
  EXPECT_TRUE(print(list).starts_with(
      R"({"type": "1000000 * ?int64", "value": {"$list": [null, 1, 2, null)"));
}

struct Refused {
  const char* text;
  Status status;
  const char* path;
};

class BadText : public ::testing::TestWithParam<Refused> {};

TEST_P(BadText, IsRefusedWithItsPlace) {
  try {
    parse_text(GetParam().text);
    FAIL() << "accepted " << GetParam().text;
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), GetParam().status) << e.describe();
    EXPECT_EQ(e.path(), GetParam().path) << e.describe();
    EXPECT_NE(e.offset(), Error::no_offset);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Texts, BadText,
    ::testing::Values(
        Refused{"", Status::truncated, "$"}, Refused{"[1, 2", Status::truncated, "$[1]"},
        Refused{"[1] 2", Status::trailing, "$"}, Refused{"[01]", Status::malformed, "$[0]"},
        Refused{"[1,]", Status::malformed, "$[1]"},
        Refused{"[\"\\ud800\"]", Status::malformed, "$[0]"},
        Refused{"[\"\n\"]", Status::malformed, "$[0]"}, Refused{"\"\xff\"", Status::malformed, ""},
        Refused{R"({"a": 1, "a": 2})", Status::malformed, "$"},
        Refused{"[1e999]", Status::range, "$[0]"},
        Refused{R"({"type": "int9", "value": 1})", Status::malformed, "$.type"},
        Refused{R"({"type": "N * int8", "value": [1]})", Status::type, "$.type"},
        Refused{R"({"type": "int8", "value": 128})", Status::range, "$.value"},
        Refused{R"({"type": "uint8", "value": -1})", Status::range, "$.value"},
        Refused{R"({"type": "int8", "value": 1.0})", Status::type, "$.value"},
        Refused{R"({"type": "float32", "value": 1e39})", Status::range, "$.value"},
        Refused{R"({"type": "bool", "value": 1})", Status::type, "$.value"},
        Refused{R"({"type": "4 * {x: int8}", "value": [{"x": 1}, {"x": 2}, {"x": 3}, {"x": "a"}]})",
                Status::type, "$.value[3].x"},
        Refused{R"({"type": "2 * {x: int8}", "value": [{"x": 1}, {}]})", Status::type,
                "$.value[1]"},
        Refused{R"({"type": "1 * {x: int8}", "value": [{"x": 1, "x": 1}]})", Status::malformed,
                "$.value[0].x"},
        Refused{R"({"type": "{x: int8}", "value": {"y": 1}})", Status::type, "$.value[0]"},
        Refused{R"({"type": "3 * int8", "value": [1, 2]})", Status::type, "$.value"},
        Refused{R"({"type": "2 * 2 * int8", "value": [[1, 2], [3, 4, 5]]})", Status::type,
                "$.value[1][2]"},
        Refused{R"({"type": "2 * fixed_string[2]", "value": ["ab", "abc"]})", Status::range,
                "$.value[1]"},
        Refused{R"({"type": "fixed_bytes[1000000000000]", "value": {"$bytes": "AA=="}})",
                Status::limit, "$.value"},
        Refused{R"({"type": "fixed_string[1000000000]", "value": "a"})", Status::limit, "$.value"},
        Refused{R"({"type": "1000000000000 * int8", "value": [1]})", Status::type, "$.value"},
        Refused{R"({"type": "2 * ?1000000000000 * int8", "value": [null, [1]]})", Status::type,
                "$.value[1]"},
        Refused{R"({"type": "union[int8]", "value": {"$union": [1, 1]}})", Status::range,
                "$.value[0]"},
        Refused{
            R"({"type": "2 * int8", "value": {"$layout": {"layout": "indexed", "length": 2, "index": {"type": "1 * int8", "value": [0]}, "children": [{"type": "1 * int8", "value": [1]}]}}})",
            Status::type, "$.value"},
        Refused{
            R"({"type": "1 * int8", "value": {"$layout": {"layout": "indexed", "length": 1, "index": {"type": "1 * int8", "value": [1]}, "children": [{"type": "1 * int8", "value": [1]}]}}})",
            Status::malformed, "$.value"},
        Refused{
            R"({"type": "2 * string", "value": {"$layout": {"layout": "list_view", "length": 2}}})",
            Status::type, "$.value"},
        Refused{
            R"({"type": "1 * int8", "value": {"$layout": {"layout": "list_fixed", "length": 1}}})",
            Status::malformed, "$.value"},
        Refused{R"({"type": "any", "value": {"$ref": 1}})", Status::malformed, "$"},
        Refused{R"({"type": "string", "value": {"$array": "a"}})", Status::type, "$.value"},
        Refused{R"({"type": "map[any, any]", "value": {"$object": [[1, 2]]}})", Status::type,
                "$.value"},
        Refused{R"({"type": "any", "value": {"$nothing": 1}})", Status::malformed, "$.value[0]"},
        Refused{R"({"type": "any", "value": {"$ext": ["", 1]}})", Status::malformed, "$.value[0]"},
        Refused{R"({"type": "bytes", "value": {"$bytes": "A"}})", Status::malformed, "$.value"},
        Refused{R"({"type": "datetime[unit='D']", "value": {"$datetime": "2021-02-29"}})",
                Status::malformed, "$.value"},
        Refused{R"({"type": "datetime[unit='D']", "value": {"$datetime": "2021-02-28T01Z"}})",
                Status::range, "$.value"},
        Refused{R"({"type": "timedelta[unit='D']", "value": {"$timedelta": [1, "s"]}})",
                Status::type, "$.value[1]"}));

TEST_F(TextTest, DeepTextMeetsTheLimit) {
  const std::string open[] = {"[", "{\"a\":", R"({"$tuple":[)", R"({"$ext":["x",)",
                              R"({"$value":{"type":"any","value":)"};
  for (const std::string& one : open) {
    std::string text = R"({"type": "any", "value": )";
    for (int i = 0; i < 100000; ++i) text += one;
    try {
      parse_text(text);
      FAIL();
    } catch (const Error& e) {
      EXPECT_TRUE(e.code() == Status::limit || e.code() == Status::truncated) << e.describe();
    }
    EXPECT_THROW(parse_json(text), Error);
  }
  std::string deep(100000, '(');
  EXPECT_THROW(parse_text(R"({"type": ")" + deep + R"(", "value": 1})"), Error);
}

TEST_F(TextTest, EveryTruncationIsRefused) {
  const std::string text =
      R"({"type": "2 * {x: ?float64, s: string, u: union[int8, bytes]}", "value": [{"x": null, "s": "\u00e9", "u": {"$union": [1, {"$bytes": "AQ=="}]}}, {"x": {"$float": "nan"}, "s": "", "u": {"$union": [0, 1]}}]})";
  ASSERT_NO_THROW(parse_text(text));
  for (std::size_t size = 0; size < text.size(); ++size)
    EXPECT_THROW(parse_text(text.substr(0, size)), Error) << size;
}

}  // namespace
}  // namespace polycodec
