// SPDX-License-Identifier: MIT
// Values of any make: which type they get, and that only their content decides the bytes.
#include <base/varint.hpp>
#include <polycodec/array_view.hpp>

#include "error_of.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace polycodec {
namespace {

/// The type at the start of what the codec writes in any form, and the data as hex.
std::string encoded(const Value& value) {
  test::Losses call;
  const std::string bytes = test::encode(test::dynd_codec(), value, call);
  const Value back = test::decode(test::dynd_codec(), bytes);
  EXPECT_EQ(test::to_hex(test::encode(test::dynd_codec(), back)), test::to_hex(bytes));
  const Varint size =
      decode_varint(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  return bytes.substr(size.size, size.value) + " = " +
         test::to_hex(bytes.substr(size.size + size.value));
}

std::string encoded(std::string_view text) {
  return encoded(Value::parse(text));
}

TEST(DyndValues, TypesOfDocuments) {
  EXPECT_EQ(encoded("[1, 2, 3]"), "3 * int64 = 010000000000000002000000000000000300000000000000");
  EXPECT_EQ(encoded("[true, null]"), "2 * ?bool = 0102");
  EXPECT_EQ(encoded(R"(["a", null])"), "2 * ?string = 01016100");
  EXPECT_EQ(encoded("[[true], []]"), "2 * var * bool = 010100");
  EXPECT_EQ(encoded("[[true], [false]]"), "2 * 1 * bool = 0100");
  EXPECT_EQ(encoded("[true, \"a\"]"), "(bool, string) = 010161");
  EXPECT_EQ(encoded("null"), "void = ");
  EXPECT_EQ(encoded("[]"), "0 * void = ");
  EXPECT_EQ(encoded(R"({"b": true, "a": null})"), "{b: bool, a: void} = 01");
  EXPECT_EQ(encoded(R"([{"x": true}, {"x": null}])"), "2 * {x: ?bool} = 0102");
  std::string mixed = "[";
  for (int i = 0; i < 17; ++i) mixed += i == 16 ? "\"a\"]" : "true, ";
  EXPECT_TRUE(encoded(mixed).starts_with("17 * array[Any] = 04626f6f6c0104626f6f6c01"))
      << encoded(mixed);
}

TEST(DyndValues, AnOptionalNanGetsAPrefix) {
  EXPECT_EQ(encoded(R"([{"$float": "nan"}, null])"),
            "2 * ?pointer[float64] = 01000000000000f87f00");
  EXPECT_EQ(encoded("[-9223372036854775808, null]"), "2 * ?pointer[int64] = 01000000000000008000");
  const Value value =
      Value::parse(R"({"type": "2 * ?float64", "value": [{"$float": "nan"}, null]})");
  EXPECT_THROW(test::encode(test::dynd_codec("2 * ?float64"), value), Error);
}

TEST(DyndValues, StandIns) {
  EXPECT_EQ(encoded(R"({"$map": [[true, "a"]]})"), "{'$map': 1 * (bool, string)} = 010161");
  EXPECT_EQ(encoded(R"({"$ext": ["n", true]})"), "{'$ext': (string, bool)} = 016e01");
  EXPECT_EQ(encoded(R"({"$timedelta": [3, "s"]})"),
            "{'$timedelta': (int64, string)} = 03000000000000000173");
}

TEST(DyndValues, LayoutDoesNotMatter) {
  const std::vector<std::int32_t> c{1, 2, 3, 4, 5, 6};
  const std::vector<std::int32_t> f{1, 4, 2, 5, 3, 6};
  const std::int64_t shape[] = {2, 3};
  const auto build = [&](const std::vector<std::int32_t>& from, std::int64_t s0, std::int64_t s1) {
    return Value::build([&](Builder& b) {
      polycodec_array* a =
          b.ndarray(bytes_of(test::kept(b, from)), POLYCODEC_DTYPE_INT32, 4, shape);
      auto* strides = const_cast<std::int64_t*>(a->strides);
      strides[0] = s0, strides[1] = s1;
      return Builder::array(a);
    });
  };
  const std::string expected = "2 * 3 * int32 = 010000000200000003000000040000000500000006000000";
  EXPECT_EQ(encoded(build(c, 12, 4)), expected);
  EXPECT_EQ(encoded(build(f, 4, 8)), expected);
  // Backwards and big-endian.
  const std::vector<std::uint8_t> big{0, 6, 0, 5, 0, 4};
  const Value backwards = Value::build([&](Builder& b) {
    const auto kept = test::kept(b, big);
    return Builder::array(b.strided(bytes_of(kept), kept.data() + 4, 3, -2, POLYCODEC_DTYPE_UINT16,
                                    2, POLYCODEC_BIG_ENDIAN));
  });
  EXPECT_EQ(encoded(backwards), "3 * uint16 = 040005000600");
}

TEST(DyndValues, LargeStridedArraysAreTransposedInBlocks) {
  constexpr std::int64_t rows = 300, columns = 2000;
  std::vector<double> from(rows * columns);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<double>(i);
  const std::int64_t shape[] = {rows, columns};
  const Value value = Value::build([&](Builder& b) {
    polycodec_array* a =
        b.ndarray(bytes_of(test::kept(b, from)), POLYCODEC_DTYPE_FLOAT64, 8, shape);
    auto* strides = const_cast<std::int64_t*>(a->strides);
    strides[0] = 8, strides[1] = 8 * rows;
    return Builder::array(a);
  });
  const std::string bytes = test::encode(test::dynd_codec("300 * 2000 * float64"), value);
  ASSERT_EQ(bytes.size(), 8 * from.size());
  bool right = true;
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < columns; ++c) {
      double d = 0;
      std::memcpy(&d, bytes.data() + 8 * (r * columns + c), 8);
      right = right && d == static_cast<double>(c * rows + r);
    }
  EXPECT_TRUE(right);
}

TEST(DyndValues, ArraysAreViewsAndReferencesAreNotCopies) {
  std::string data(80000, 'x');
  if (test::is_isolated()) GTEST_SKIP() << "another process has no view of our memory";
  const Codec codec = test::dynd_codec("10000 * float64");
  const Value value = codec.decode(Source::view(data));
  EXPECT_EQ(value.view().array()->data, data.data());
  Sink sink;
  codec.encode(value, sink);
  const auto segments = sink.segments();
  ASSERT_EQ(segments.size(), 1u);
  EXPECT_EQ(segments[0].data, data.data());
}

TEST(DyndValues, RecordsOfFixedWidthAreViews) {
  std::string data;
  for (char i = 0; i < 5; ++i) data += std::string(1, i) + std::string(8, i) + std::string(4, i);
  const auto codec = test::dynd_codec("5 * {a: int8, b: 2 * int32, c: (float32)}");
  const Value value = codec.decode(Source::view(data));
  const ArrayView record = test::node(value).as_array();
  ASSERT_EQ(record.layout(), POLYCODEC_LAYOUT_RECORD);
  const ArrayView b = *record.column("b");
  if (!test::is_isolated()) {
    EXPECT_EQ(static_cast<const void*>(b.data()), data.data() + 1);
  }
  EXPECT_EQ(b.strides()[0], 13);
  EXPECT_EQ(record.column("c")->child().strides()[0], 13);
  EXPECT_EQ(test::encode(codec, value), data);
}

TEST(DyndValues, InferredTypesAreThoseOfTheData) {
  for (const char* type :
       {"3 * float64", "2 * 2 * int8", "2 * var * string", "1 * ?int32", "2 * ?float64",
        "2 * {x: int8, y: var * ?string}", "1 * fixed_bytes[4]", "1 * ?var * int8", "int128", "()",
        "{a: 2 * bool, b: (string, bytes)}", "fixed_string[2]", "0 * int16"}) {
    SCOPED_TRACE(type);
    std::string data;
    if (std::string_view(type) == "2 * var * string") {
      data = std::string("\1\1a\0", 4);
    } else if (std::string_view(type) == "2 * {x: int8, y: var * ?string}") {
      data = std::string("\1\1\1\1a\2\0", 7);
    } else if (std::string_view(type) == "{a: 2 * bool, b: (string, bytes)}") {
      data = std::string("\1\0\0\0", 4);
    } else if (std::string_view(type) == "1 * ?var * int8") {
      data = std::string("\1\1\5", 3);
    } else {
      data = std::string(std::string_view(type) == "3 * float64" ? 24 : 0, '\0');
      for (std::size_t size = 0; data.empty() && size < 40; ++size)
        if (test::refusal(test::dynd_codec(type), std::string(size, '\0')).empty()) {
          data = std::string(size, '\0');
          break;
        }
    }
    const Value value = test::decode(test::dynd_codec(type), data);
    EXPECT_EQ(value.type(), type);
  }
  const Value list = test::decode(test::dynd_codec("var * int8"), "\1\5");
  EXPECT_EQ(list.type(), "annotated[1 * int8, 'dynd.type'='var * int8']");
}

TEST(DyndValues, NumbersFitOrAreRefused) {
  const auto fits = [](const char* text, const char* type) {
    try {
      return test::to_hex(test::encode(test::dynd_codec(type), Value::parse(text)));
    } catch (const Error& e) {
      return e.detail();
    }
  };
  EXPECT_EQ(fits("5", "int8"), "05");
  EXPECT_EQ(fits("-1", "int128"), std::string(32, 'f'));
  EXPECT_EQ(fits("128", "int8"), "dynd.range");
  EXPECT_EQ(fits("-1", "uint64"), "dynd.range");
  EXPECT_EQ(fits("255", "uint8"), "ff");
  EXPECT_EQ(fits("2", "float32"), "00000040");
  EXPECT_EQ(fits("1.5", "float128"), "0000000000000000000000000080ff3f");
  EXPECT_EQ(fits("0.1", "float32"), "dynd.range");
  EXPECT_EQ(fits("9007199254740993", "float64"), "dynd.range");
  EXPECT_EQ(fits("1.5", "int32"), "dynd.type_mismatch");
  EXPECT_EQ(fits("true", "int32"), "dynd.type_mismatch");
  EXPECT_EQ(fits("\"abc\"", "char"), "dynd.type_mismatch");
  EXPECT_EQ(fits("\"\\u20ac\"", "char['ascii']"), "dynd.utf8");
  EXPECT_EQ(fits("\"\\u20ac\"", "fixed_string[2, 'utf16']"), "ac200000");
  EXPECT_EQ(fits("[1, 2]", "3 * int8"), "dynd.type_mismatch");
  EXPECT_EQ(fits("\"3*int\"", "type"), test::to_hex("\x09"
                                                    "3 * int32"));
  EXPECT_EQ(fits(R"({"y": 2, "x": 1})", "{x: int8, y: int8}"), "0102");
}

TEST(DyndValues, MembersThatMayBeMissingMayBeAbsent) {
  constexpr std::string_view type = "var * {time: int64, cover: ?float64, kind: ?string}";
  const auto codec = test::dynd_codec(type);
  const auto encode_with = [&](const Codec& with, const char* json) {
    return test::encode(with, Value::parse(json));
  };
  const std::string whole = encode_with(
      codec,
      R"([{"time": 1, "cover": null, "kind": "rain"}, {"time": 2, "cover": 0.5, "kind": null}])");
  EXPECT_EQ(encode_with(codec, R"([{"kind": "rain", "time": 1}, {"time": 2, "cover": 0.5}])"),
            whole);
  EXPECT_EQ(
      encode_with(test::dynd_codec("{a: ?{b: ?int8}, c: ?int8}"), "{}"),
      encode_with(test::dynd_codec("{a: ?{b: ?int8}, c: ?int8}"), R"({"a": null, "c": null})"));
  const auto refused = [](const Codec& with, const char* json) {
    const Error e = test::error_of([&] { test::encode(with, Value::parse(json)); });
    return e.message() + " in " + e.path();
  };
  EXPECT_EQ(
      refused(codec, R"([{"time": 1}, {"cover": 1.5, "kind": "x"}])"),
      "expected {time: int64, cover: ?float64, kind: ?string}, and the member 'time' is missing, "
      "which only ?T may be in $[1]");
  EXPECT_EQ(
      refused(codec, R"([{"time": 1, "covers": 2}])"),
      "expected {time: int64, cover: ?float64, kind: ?string}, which has no member 'covers' in "
      "$[0]");
  const auto cbor = test::cbor_codec({{"type", "{a: int64, b: int64}"}});
  EXPECT_EQ(
      refused(cbor, R"({"a": 1})"),
      "expected {a: int64, b: int64}, and the member 'b' is missing, which only ?T may be in ");
}

TEST(DyndValues, TypeOptionIsChecked) {
  EXPECT_THROW(test::dynd_codec("3 * flout"), Error);
  EXPECT_THROW(test::dynd_codec("N * int8"), Error);
  EXPECT_THROW(test::dynd_codec("map[string, int8]"), Error);
  // The README says why.
  for (const char* type :
       {"storage[3 * 5 * float64, axis=[1, 0]]", "storage[3 * 5 * float64, order='F']"}) {
    const Error e = test::error_of([&] { test::dynd_codec(type); });
    EXPECT_NE(e.message().find("unknown type 'storage'"), std::string::npos) << type << e.message();
    EXPECT_NE(e.message().find("C order"), std::string::npos) << e.message();
  }
}

TEST(DyndValues, AnyFormOfAGivenType) {
  const auto codec = [](std::string_view type, std::string_view form) {
    return test::shipped("dynd", {{"type", type}, {"form", form}});
  };
  const auto hex = [&](std::string_view type, std::string_view text) {
    const Value value = Value::parse(text);
    const std::string bytes = test::encode(codec(type, "any"), value);
    // The type is read from the bytes, and must be this one.
    EXPECT_EQ(test::encode(codec(type, "any"), test::decode(codec(type, "any"), bytes)), bytes);
    EXPECT_EQ(test::encode(test::dynd_codec(), test::decode(test::dynd_codec(), bytes)), bytes);
    EXPECT_EQ(test::refusal(codec("int16", "any"), bytes), "dynd.type_mismatch");
    EXPECT_EQ(bytes.substr(1, type.size()), type);
    return test::to_hex(bytes.substr(1 + type.size()));
  };
  EXPECT_EQ(hex("?int8", "null"), "80");
  EXPECT_EQ(hex("?int8", "5"), "05");
  EXPECT_EQ(hex("var * int8", "[1, 2]"), "020102");
  EXPECT_EQ(hex("char", R"("a")"), "61");
  EXPECT_EQ(hex("pointer[?int8]", "null"), "80");
  EXPECT_EQ(hex("array[Any]", "true"), "04626f6f6c01");
  EXPECT_EQ(test::to_hex(test::encode(codec("int8", "data"), Value::parse("5"))), "05");
  // Data alone of the type that is found: who reads it must know the type.
  const auto bare = test::shipped("dynd", {{"form", "data"}});
  EXPECT_EQ(test::to_hex(test::encode(bare, Value::parse("[true, null]"))), "0102");
  EXPECT_THROW(test::decode(bare, "\1\2"), Error);
  // What the value declares itself gives way.
  const std::string bytes = test::encode(codec("var * int8", "any"), Value::parse("[1, 2]"));
  const Value declared = test::decode(codec("var * int8", "any"), bytes);
  EXPECT_EQ(test::to_hex(test::encode(codec("2 * int16", "any"), declared)).substr(20), "01000200");
}

TEST(DyndValues, ItemsThatNoMemoryStandsBehindAreRefusedAtOnce) {
  // 2^40 times one row: the output would be 8 TiB.
  const Value value = Value::build([](Builder& out) {
    const double* one = out.store(1.5);
    const polycodec_array* content[] = {out.vector(std::span<const double>(one, 1))};
    polycodec_array* a =
        out.with_children(POLYCODEC_LAYOUT_INDEXED, std::uint64_t{1} << 40, content);
    a->index = {out.store(std::int64_t{0}), 0, POLYCODEC_DTYPE_INT64, 0};
    return Builder::array(a);
  });
  Sink sink(std::uint64_t{1} << 30);
  try {
    test::dynd_codec().encode(value, sink);
    FAIL() << "written";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Status::limit) << e.describe();
  }
  EXPECT_LT(sink.size(), 1000u);
}

TEST(DyndValues, WhatHasNoTypeIsRefusedOrStoodInForAndTold) {
  const struct {
    const char* text;
    const char* path;
  } rows[] = {
      {R"({"a": {"$map": [[1, 2]]}})", "$.a"},
      {R"({"type": "map[string, int64]", "value": {"$object": [["a", 1], ["a", 2]]}})", "$"},
      {R"([[{"$ext": ["x", 1]}], [2]])", "$[*][*]"},
      {R"({"type": "1 * datetime[unit='s']", "value": [{"$datetime": "2020-01-02T03:04:05Z"}]})",
       "$"},
      {R"({"type": "1 * union[int8, string]", "value": [{"$union": [1, "x"]}]})", "$"},
      {R"({"type": "{x: annotated[2 * int8, units='cm']}", "value": {"x": [1, 2]}})", "$.x"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.text);
    const Value value = Value::parse(row.text);
    try {
      test::encode(test::dynd_codec(), value);
      ADD_FAILURE() << "encoded";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), Status::unsupported) << e.describe();
      EXPECT_EQ(e.path(), row.path);
    }
    test::Losses call;
    test::encode(test::dynd_codec(), value, call);
    ASSERT_EQ(call.all.size(), 1u);
    EXPECT_TRUE(call.all[0].starts_with(std::string(row.path) + ": ")) << call.all[0];
  }
  // What was given as a type is not missed.
  const Value map = Value::parse(R"({"$map": [[true, false]]})");
  EXPECT_EQ(test::to_hex(test::encode(test::dynd_codec("{'$map': 1 * (bool, bool)}"), map)),
            "0100");
}

TEST(DyndValues, CyclesAreRefused) {
  const Value cycle = Value::build([](Builder& b) {
    polycodec_node* nodes = nullptr;
    const polycodec_node* root = b.root(b.list(1, &nodes));
    nodes[0] = Builder::reference(root);
    return *root;
  });
  try {
    test::encode(test::dynd_codec(), cycle);
    FAIL() << "a cycle was encoded";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Status::limit);
  }
}

}  // namespace
}  // namespace polycodec
