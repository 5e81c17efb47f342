// SPDX-License-Identifier: MIT
// Values of every kind and form, written and read again; and what the options do.
#include <polycodec/array_view.hpp>
#include <polycodec/kit/corpus.hpp>
#include <polycodec/view.hpp>

#include "support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace polycodec::test {
namespace {

std::string with_options(const Json& options, const Value& value) {
  return encode(codec_with(options), value);
}

// Kinds that change: tuples are JSON arrays, references are followed, attributes of containers have
// no place.
std::string normal(std::string_view name) {
  static const std::string_view changed[] = {"tuples", "shared_reference", "map_of_any_keys",
                                             "record_without_names"};
  for (const std::string_view other : changed)
    if (name == other) return {};
  return std::string(name);
}

TEST(YggdrasilValues, TheWholeCorpusComesBack) {
  std::size_t same = 0;
  for (const auto& entry : kit::corpus()) {
    SCOPED_TRACE(entry.name);
    const Value value = Value::build([&](Builder& out) { return entry.make(out); });
    for (const char* style : {"cpp", "python"}) {
      const auto codec = codec_with({{"style", style}});
      std::string text;
      try {
        Losses lenient;  // of attributes
        text = encode(codec, value, lenient);
      } catch (const Error& e) {
        EXPECT_TRUE(e.code() == Status::unsupported || e.code() == Status::range) << e.describe();
        ADD_FAILURE() << e.describe();
        continue;
      }
      const Value again = decode(codec, text);
      const std::string once_more = encode(codec, again);
      EXPECT_EQ(once_more, text);
      if (normal(entry.name).empty() || entry.name.find("tuple") != std::string_view::npos)
        continue;
      if (std::string(style) == "python" && entry.name == "not_finite") continue;
      EXPECT_EQ(difference(value, again, POLYCODEC_COMPARE_NO_METADATA), "")
          << text.substr(0, 2000);
      ++same;
    }
  }
  EXPECT_GT(same, 80u);
}

TEST(YggdrasilValues, AttributesWithoutAPlaceAreRefusedByNameOrTold) {
  const Value value = Value::build([](Builder& out) {
    const auto noted = [&](const polycodec_node& node, const char* name) {
      return out.annotated(node, out.object({{name, out.string_copy("x")}}));
    };
    return out.object({{"list", noted(out.list({noted(out.list({Builder::null()}), "note"),
                                                noted(out.list({Builder::null()}), "note")}),
                                      "title")},
                       {"layout", noted(out.list({Builder::null()}), "dynd.type")},
                       {"leaf", noted(Builder::real(1.5), "units")}});
  });
  try {
    encode(codec_with(), value);
    ADD_FAILURE() << "not refused";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Status::unsupported);
    EXPECT_EQ(e.detail(), "yggdrasil.lossy");
    EXPECT_EQ(e.path(), "$.list");
    EXPECT_NE(e.message().find("$.list (the attribute 'title'); $.list[*] (the attribute 'note')"),
              std::string::npos)
        << e.message();
    EXPECT_EQ(e.message().find("layout"), std::string::npos) << e.message();
    EXPECT_EQ(e.message().find("units"), std::string::npos) << e.message();
  }
  Losses call;
  const std::string body = encode(codec_with(), value, call);  // which the value views
  const Value again = decode(codec_with(), body);
  EXPECT_EQ(call.all, (std::vector<std::string>{"$.list: the attribute 'title'",
                                                "$.list[*]: the attribute 'note'"}));
  EXPECT_EQ(node(again).at("leaf").metadata()->at("units").as_string(), "x");
}

TEST(YggdrasilValues, LossesInsideOfLeavesAreNamedWithAllOthers) {
  const Value value = Value::build([](Builder& out) {
    const auto noted = [&](const char* name) {
      return out.annotated(out.list({Builder::null()}), out.object({{name, out.string_copy("x")}}));
    };
    return out.object(
        {{"schema", out.extension("yggdrasil.schema", out.object({{"a", noted("first")}}))},
         {"text", out.annotated(out.string_copy("x"), out.object({{"units", noted("second")}}))},
         {"list", noted("third")}});
  });
  EXPECT_EQ(encode_refusal(codec_with(), value), "yggdrasil.lossy $.schema.a");
  std::string message;
  try {
    encode(codec_with(), value);
  } catch (const Error& error) {
    message = error.message();
  }
  EXPECT_NE(message.find("$.schema.a (the attribute 'first'); $.text (the attribute "
                         "'second'); $.list (the attribute 'third')"),
            std::string::npos)
      << message;
}

TEST(YggdrasilValues, StringsThatLookLikeTypedValuesSurvive) {
  for (const char* text : {"-YGG--YGG-", "-YGG-x-YGG-", "-YGG-e30=-YGG-AA==-YGG-"}) {
    SCOPED_TRACE(text);
    const Value value = Value::build([&](Builder& out) { return out.string_copy(text); });
    for (const char* dialect : {"current", "document", "legacy-1.8"}) {
      const auto codec = codec_with({{"dialect", dialect}});
      const std::string body = encode(codec, value);
      EXPECT_EQ(node(decode(codec, body)).as_string(), text) << dialect << body;
    }
  }
  const Value shorter = Value::build([&](Builder& out) { return out.string_copy("-YGG-"); });
  EXPECT_EQ(encode(codec_with(), shorter), "\"-YGG-\"");
}

TEST(YggdrasilValues, EveryTypeAndWidthOfScalarsAndArrays) {
  const auto check = [](auto sample, std::uint32_t dtype) {
    using T = decltype(sample);
    const T numbers[6] = {T(1), T(2), T(3), T(4), T(5), T(6)};
    for (const std::vector<std::int64_t>& shape :
         {std::vector<std::int64_t>{6}, {2, 3}, {1, 2, 3}, {}, {0}, {0, 3}, {2, 0}}) {
      std::int64_t count = 1;
      for (const std::int64_t extent : shape) count *= extent;
      const Value value = Value::build([&](Builder& out) {
        const auto bytes =
            bytes_of(kept(out, numbers)).substr(0, static_cast<std::size_t>(count) * sizeof(T));
        return Builder::array(out.ndarray(bytes, dtype, sizeof(T), shape));
      });
      for (const char* style : {"cpp", "python"}) {
        const std::string body = with_options({{"style", style}}, value);
        const Value again = decode(codec_with(), body);
        EXPECT_EQ(difference(value, again, POLYCODEC_COMPARE_NO_METADATA), "") << body;
        EXPECT_EQ(with_options({{"style", style}}, again), body);
        if (!shape.empty()) {
          const ArrayView array = node(again).as_array();
          EXPECT_TRUE(
              std::equal(shape.begin(), shape.end(), array.shape().begin(), array.shape().end()));
        }
      }
    }
  };
  check(std::int8_t{}, POLYCODEC_DTYPE_INT8);
  check(std::int16_t{}, POLYCODEC_DTYPE_INT16);
  check(std::int32_t{}, POLYCODEC_DTYPE_INT32);
  check(std::int64_t{}, POLYCODEC_DTYPE_INT64);
  check(std::uint8_t{}, POLYCODEC_DTYPE_UINT8);
  check(std::uint16_t{}, POLYCODEC_DTYPE_UINT16);
  check(std::uint32_t{}, POLYCODEC_DTYPE_UINT32);
  check(std::uint64_t{}, POLYCODEC_DTYPE_UINT64);
  check(std::uint16_t{}, POLYCODEC_DTYPE_FLOAT16);
  check(float{}, POLYCODEC_DTYPE_FLOAT32);
  check(double{}, POLYCODEC_DTYPE_FLOAT64);
  check(std::complex<float>{}, POLYCODEC_DTYPE_COMPLEX64);
  check(std::complex<double>{}, POLYCODEC_DTYPE_COMPLEX128);
}

TEST(YggdrasilValues, StridesAndByteOrdersAreStraightened) {
  std::vector<std::int32_t> numbers(20000);
  std::iota(numbers.begin(), numbers.end(), 0);
  const Value value = Value::build([&](Builder& out) {
    const auto all = kept(out, numbers);
    auto* array = out.strided(bytes_of(all), all.data() + 1, 9999, 8, POLYCODEC_DTYPE_INT32, 4,
                              POLYCODEC_BIG_ENDIAN);
    return Builder::array(array);
  });
  const std::string text = encode(codec_with(), value);
  const Value again = decode(codec_with(), text);
  EXPECT_EQ(difference(value, again), "");
  EXPECT_EQ(node(again).as_array().byte_order, POLYCODEC_LITTLE_ENDIAN);
  EXPECT_EQ(node(again).as_array().strides[0], 4);
}

TEST(YggdrasilValues, TypedStringsInEveryEncoding) {
  for (const char* encoding : {"ASCII", "UTF8", "UTF16", "UTF32", "UCS4"}) {
    SCOPED_TRACE(encoding);
    const std::string text =
        std::string(encoding) == "ASCII" ? "plain" : "h\xc3\xa9llo \xf0\x9f\x98\x80";
    const Value value = Value::build([&](Builder& out) {
      return out.annotated(out.string_copy(text),
                           out.object({{"encoding", out.string_copy(encoding)}}));
    });
    const std::string body = encode(codec_with(), value);
    const Value again = decode(codec_with(), body);
    EXPECT_EQ(again.view().as_string(), text);
    EXPECT_EQ(node(again).metadata()->at("encoding").as_string(), encoding);
    EXPECT_EQ(encode(codec_with(), again), body);
  }
  const Value wrong = Value::build([&](Builder& out) {
    return out.annotated(out.string_copy("\xc3\xa9"),
                         out.object({{"encoding", out.string_copy("ASCII")}}));
  });
  EXPECT_THROW(encode(codec_with(), wrong), Error);
}

TEST(YggdrasilValues, WordsOfSchemasAreKept) {
  for (
      const char* schema :
      {R"({"type":"int","precision":4})", R"({"type":"uint","precision":4})",
       R"({"type":"float","precision":4})", R"({"type":"unicode","precision":4})",
       R"({"type":"bytes","precision":4})",
       R"({"type":"scalar","subtype":"unicode","precision":4})",
       R"({"type":"scalar","subtype":"bytes","precision":4})",
       R"({"type":"1darray","subtype":"int","precision":2,"shape":[2]})",
       R"({"type":"ndarray","subtype":"string","precision":4,"shape":[1],"encoding":"UTF32"})",
       R"({"type":"ndarray","subtype":"string","precision":2,"shape":[2],"encoding":"ASCII"})",
       R"({"type":"ndarray","subtype":"string","precision":4,"shape":[1],"encoding":"UTF16"})",
       R"({"type":"scalar","subtype":"int","precision":4,"units":"","title":"x","extra":{"a":[1,2.5,null]}})",
       R"({"type":"quantum","any":1})",
       R"({"type":"ndarray","subtype":"int","precision":4,"shape":[1],"table":true})"}) {
    SCOPED_TRACE(schema);
    const std::string body = leaf_text(schema, std::string_view("a\0\0\0", 4));
    const Value value = decode(codec_with(), body);
    EXPECT_EQ(encode(codec_with(), value), body);
  }
}

TEST(YggdrasilValues, AttributesWithNamesOfTheSchema) {
  const Value value = Value::build([&](Builder& out) {
    return out.annotated(Builder::integer(5, POLYCODEC_DTYPE_INT32),
                         out.object({{"type", out.string_copy("uchar")},
                                     {"shape", Builder::integer(3)},
                                     {"polycodec:x", out.list({Builder::real32(1.5f)})}}));
  });
  const std::string text = encode(codec_with(), value);
  EXPECT_EQ(difference(value, decode(codec_with(), text)), "") << text;
}

TEST(YggdrasilValues, TablesAreColumns) {
  const std::vector<double> x{1, 2, 3};
  const std::vector<std::int32_t> y{4, 5, 6};
  const Value value = Value::build([&](Builder& out) {
    const polycodec_array* const columns[] = {out.vector(kept(out, x)), out.vector(kept(out, y))};
    const std::string_view names[] = {"x", "\xc3\xa9"};
    return Builder::array(out.record(3, names, columns));
  });
  const std::string text = encode(codec_with(), value);
  EXPECT_TRUE(text.starts_with("[\"-YGG-"));
  const Value again = decode(codec_with(), text);
  EXPECT_EQ(node(again).as_array().layout, POLYCODEC_LAYOUT_RECORD);
  EXPECT_EQ(difference(value, again), "");
}

TEST(YggdrasilValues, NumbersAsTheLibrariesWriteThem) {
  const std::tuple<double, const char*, const char*> cases[] = {
      {1e30, "1e30", "1e+30"},
      {1e-7, "1e-7", "1e-07"},
      {1e20, "100000000000000000000.0", "1e+20"},
      {1e21, "1e21", "1e+21"},
      {1e16, "10000000000000000.0", "1e+16"},
      {1e15, "1000000000000000.0", "1000000000000000.0"},
      {0.0001, "0.0001", "0.0001"},
      {0.00001, "0.00001", "1e-05"},
      {1.5e-6, "0.0000015", "1.5e-06"},
      {-0.0, "-0.0", "-0.0"},
      {123456.789, "123456.789", "123456.789"},
      {5e-324, "5e-324", "5e-324"},
      {1.7976931348623157e308, "1.7976931348623157e308", "1.7976931348623157e+308"},
      {12345678.5, "12345678.5", "12345678.5"}};
  for (const auto& [number, cpp, python] : cases) {
    const double n = number;
    const Value value = Value::build([&](Builder&) { return Builder::real(n); });
    EXPECT_EQ(encode(codec_with(), value), cpp);
    EXPECT_EQ(with_options({{"style", "python"}}, value), python);
    EXPECT_EQ(node(decode(codec_with(), cpp)).as_double(), n);
    EXPECT_EQ(std::signbit(node(decode(codec_with(), cpp)).as_double()), std::signbit(n));
  }
}

TEST(YggdrasilValues, IntegersOfAnySize) {
  for (const char* text :
       {"9223372036854775808", "-9223372036854775809", "170141183460469231731687303715884105728",
        "340282366920938463463374607431768211456", "-170141183460469231731687303715884105729"}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(encode(codec_with(), decode(codec_with(), text)), text);
  }
}

TEST(YggdrasilValues, OptionsDoWhatTheySay) {
  EXPECT_EQ(encode(codec_with(), decode(codec_with(), R"({"a":1,"b":2,"a":3})")),
            R"({"a":1,"b":2,"a":3})");
  EXPECT_EQ(encode(codec_with(),
                   decode(codec_with({{"duplicate_keys", "last"}}), R"({"a":1,"b":2,"a":3})")),
            R"({"a":3,"b":2})");
  EXPECT_EQ(refusal(codec_with({{"duplicate_keys", "refuse"}}), R"({"a":1,"b":2,"a":3})"),
            "json.duplicate_key");
  EXPECT_EQ(encode(codec_with(), decode(codec_with(), R"("x YGG_MSG_HEAD YGG")")),
            R"("x \u0059GG_MSG_HEAD YGG")");
  EXPECT_EQ(with_options({{"separator", "keep"}}, decode(codec_with(), R"("YGG_MSG_HEAD")")),
            R"("YGG_MSG_HEAD")");
  const std::string bad = "\"a\xff\"";
  const Value lenient = decode(codec_with({{"utf8", "lenient"}}), bad);
  EXPECT_EQ(with_options({{"utf8", "lenient"}}, lenient), bad);
  EXPECT_THROW(encode(codec_with(), lenient), Error);
  const Value nan = Value::build(
      [](Builder&) { return Builder::real(std::numeric_limits<double>::quiet_NaN()); });
  EXPECT_EQ(with_options({{"nonfinite", "bare"}}, nan), "NaN");
  EXPECT_TRUE(encode(codec_with(), nan).starts_with("\"-YGG-"));
  const Value map = Value::build([](Builder& out) {
    polycodec_node* nodes;
    return out.map(0, &nodes);
  });
  EXPECT_THROW(with_options({{"foreign", "refuse"}}, map), Error);
  EXPECT_THROW(codec_with({{"style", "other"}}), Error);
}

TEST(YggdrasilValues, BodiesThatTheHeaderDescribes) {
  const Json datatype = Json::parse(R"({"type":"object","properties":{
      "x":{"type":"scalar","subtype":"float","precision":64,"units":"cm"},
      "s":{"type":"unicode","precision":64}, "n":{"type":"array","items":{"type":"int","precision":16}},
      "a":{"type":"ndarray","subtype":"uint","precision":32,"shape":[2,20]},"free":{"type":"1darray","subtype":"int","precision":8}}})");
  std::vector<std::uint32_t> numbers(40, 7);
  const Value value = Value::build([&](Builder& out) {
    const std::int64_t shape[] = {2, 20};
    return out.object(
        {{"x", out.annotated(Builder::real(2.5), out.object({{"units", out.string_copy("cm")}}))},
         {"s", out.annotated(out.string_copy("\xc3\xa9!"),
                             out.object({{"type", out.string_copy("unicode")}}))},
         {"n", out.list({Builder::integer(-3, POLYCODEC_DTYPE_INT16),
                         Builder::integer(4, POLYCODEC_DTYPE_INT16)})},
         {"a", Builder::array(
                   out.ndarray(bytes_of(kept(out, numbers)), POLYCODEC_DTYPE_UINT32, 4, shape))},
         {"plain", out.string_copy("text")}});
  });
  for (const char* dialect : {"document", "legacy-1.8"}) {
    SCOPED_TRACE(dialect);
    const std::string body = with_options({{"dialect", dialect}}, value);
    EXPECT_EQ(body.find("-YGG-"), std::string::npos);
    EXPECT_EQ(body.find("\\n") != std::string::npos, std::string(dialect) == "legacy-1.8") << body;
    const Codec codec = codec_with({{"dialect", dialect}, {"datatype", datatype}});
    const Value again = decode(codec, body);
    EXPECT_EQ(difference(value, again, POLYCODEC_COMPARE_NO_METADATA), "") << body;
    EXPECT_EQ(node(again).at("x").metadata()->at("units").as_string(), "cm");
    EXPECT_EQ(refusal(codec, R"({"a":"AAAA"})"), "yggdrasil.size_mismatch");
    EXPECT_EQ(refusal(codec, R"({"x":"AAAA*AAA"})"), "yggdrasil.bad_base64");
    EXPECT_EQ(node(decode(codec, R"({"free":"AAEC"})")).at("free").as_array().length, 3u);
  }
  // Precision in bits, in the value itself.
  const std::string bits = leaf_text(R"({"type":"scalar","subtype":"uint","precision":8})", "a");
  EXPECT_EQ(node(decode(codec_with({{"dialect", "document"}}), bits)).as_uint64(), 97u);
}

TEST(YggdrasilValues, InstancesAndSchemasStayData) {
  for (const std::string& body :
       {leaf_text(R"({"type":"instance","args":[{"type":"scalar","subtype":"int","precision":1}]})",
                  "{\"class\":\"a:B\",\"args\":[\"\xff\"],\"kwargs\":{}}"),
        leaf_text(R"({"type":"schema"})",
                  R"({"type":"object","properties":{"a":{"type":"float","default":1e-7}}})"),
        leaf_text(R"({"type":"class","title":"t"})", "os:system"),
        leaf_text(R"({"type":"function"})", "local:1:m:<lambda>")}) {
    const Value value = decode(codec_with(), body);
    EXPECT_EQ(encode(codec_with(), value), body);
  }
}

}  // namespace
}  // namespace polycodec::test
