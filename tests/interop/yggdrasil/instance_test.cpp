// SPDX-License-Identifier: MIT
// Instances whose arguments are described by schemas of their own.

#include "support.hpp"

#include <gtest/gtest.h>

#include <string>

namespace polycodec::test {
namespace {

using namespace std::string_literals;

/// The arguments of an instance in text notation, without the type.
std::string arguments(const std::string& body) {
  const std::string before = R"({"$ext": ["yggdrasil.instance", )", after = "]}";
  const std::string text = decode(codec_with(), body).text({.plain = true});
  EXPECT_TRUE(text.starts_with(before) && text.ends_with(after)) << text;
  return text.substr(before.size(), text.size() - before.size() - after.size());
}

std::string refused(const std::string& body) {
  try {
    return arguments(body);
  } catch (const Error& e) {
    return e.detail() + " " + e.path();
  }
}

TEST(YggdrasilInstances, ArgumentsAreWhatTheirSchemasSay) {
  const std::string body = leaf_text(
      R"({"type":"instance","args":[{"type":"scalar","subtype":"float","precision":8,"units":"cm"},{"type":"integer"},{"type":"ndarray","subtype":"uint","precision":1,"shape":[3]},{"type":"scalar","subtype":"string","precision":1}],"kwargs":{"c":{"type":"class"},"s":{"type":"string"},"l":{"type":"array","items":[{"type":"scalar","subtype":"int","precision":2}]}}})",
      "{\"class\":\"m:C\",\"args\":[\"\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\xf8?\",5,"
      "\"\\u0001\xff\\n\","
      "\"\xfe\"],"
      "\"kwargs\":{\"c\":\"a:b\",\"s\":\"plain\",\"l\":[\"\xff\xff\"]}}");
  const Value value = decode(codec_with(), body);
  const NodeView payload(node(value).as_extension().payload);
  EXPECT_EQ(payload.at("args")[0].as_double(), 1.5);
  EXPECT_EQ(payload.at("args")[0].metadata()->at("units").as_string(), "cm");
  EXPECT_EQ(
      arguments(body),
      R"({"class": "m:C", "args": [1.5, 5, [1, 255, 10], {"$bytes": "/g=="}], "kwargs": {"c": {"$ext": ["yggdrasil.class", "a:b"]}, "s": "plain", "l": [-1]}})");
  EXPECT_EQ(encode(codec_with(), value), body);
}

TEST(YggdrasilInstances, OneSchemaForAllArguments) {
  const std::string list =
      R"({"type":"array","items":{"type":"scalar","subtype":"int","precision":1}})";
  const std::string object =
      R"({"type":"object","properties":{"a":{"type":"scalar","subtype":"int","precision":1}}})";
  const std::string json =
      R"({"class":"m:C","args":["\u0001","\u0002"],"kwargs":{"a":"\u0003","b":"\u0004"}})";
  const std::string body =
      leaf_text(R"({"type":"instance","args":)" + list + R"(,"kwargs":)" + object + "}", json);
  EXPECT_EQ(arguments(body),
            R"({"class": "m:C", "args": [1, 2], "kwargs": {"a": 3, "b": "\u0004"}})");
  const Value value = decode(codec_with(), body);
  // The schemas are now one for each.
  EXPECT_EQ(difference(decode(codec_with(), encode(codec_with(), value)), value,
                       POLYCODEC_COMPARE_NO_METADATA),
            "");
}

TEST(YggdrasilInstances, TypedArgumentsAreWrittenWithTheirSchemas) {
  const Value value = Value::parse(
      R"({"$ext": ["yggdrasil.instance", {"class": "m:C", "args": [{"$value": {"type": "uint16", "value": 65}}, "x"], "kwargs": {"a": 1, "m": {"$map": [[1, 2]]}, "t": "-YGG-a-YGG-b-YGG-", "n": {"in": {"$value": {"type": "2 * int8", "value": [1, 2]}}}}}]})");
  const std::string body = encode(codec_with(), value);
  EXPECT_TRUE(body.starts_with(
      leaf_text(
          R"({"type":"instance","args":[{"type":"scalar","subtype":"uint","precision":2},{"type":"string"}],"kwargs":{"a":{"type":"integer"},"m":)",
          "")
          .substr(0, 150)))
      << body;
  const Value again = decode(codec_with(), body);
  constexpr std::uint32_t compare = POLYCODEC_COMPARE_NO_METADATA;  // the schemas
  EXPECT_EQ(difference(value, again, compare), "");
  EXPECT_EQ(encode(codec_with(), again), body);
  // What is nested deeply stays the leaves that it is; a name that stands twice does not disturb.
  std::string deep = R"({"$value": {"type": "uint8", "value": 7}})";
  for (int i = 0; i < 300; ++i) deep = "[" + deep + "]";
  for (
      const std::string& text :
      {R"({"$ext": ["yggdrasil.instance", {"class": "m:C", "args": [)" + deep + "]}]}",
       R"({"$ext": ["yggdrasil.instance", {"class": "m:C", "kwargs": {"n": [[1, {"x": []}], {"$bytes": "AA=="}]}}]})"s}) {
    const Value given = Value::parse(text);
    const std::string once = encode(codec_with(), given);
    const Value read = decode(codec_with(), once);
    EXPECT_EQ(difference(given, read, compare), "");
    EXPECT_EQ(encode(codec_with(), read), once);
  }
  const std::string twice =
      leaf_text(R"({"type":"instance","kwargs":{"a":{"type":"string"},"a":{"type":"integer"}}})",
                R"({"class":"m:C","kwargs":{"a":"x","a":1}})");
  const std::string sizes = leaf_text(
      R"({"type":"instance","kwargs":{"a":{"type":"scalar","subtype":"string","precision":1},"a":{"type":"scalar","subtype":"string","precision":3}}})",
      R"({"class":"m:C","kwargs":{"a":"x","a":"xyz"}})");
  EXPECT_EQ(encode(codec_with(), decode(codec_with(), sizes)), sizes);
  EXPECT_EQ(encode(codec_with(), decode(codec_with(), twice)), twice);
  // Where all is plain JSON nothing is described.
  const Value plain = Value::parse(
      R"({"$ext": ["yggdrasil.instance", {"class": "m:C", "args": [1, "x"], "kwargs": {}}]})");
  EXPECT_EQ(encode(codec_with(), plain),
            leaf_text(R"({"type":"instance"})", R"({"class":"m:C","args":[1,"x"],"kwargs":{}})"));
}

TEST(YggdrasilInstances, BadArgumentsAreRefusedWithThePath) {
  const auto with = [](const char* schema, const char* argument) {
    return leaf_text(R"({"type":"instance","args":[{"type":"integer"},)"s + schema + "]}",
                     R"({"class":"m:C","args":[1,)"s + argument + "]}");
  };
  EXPECT_EQ(refused(with(R"({"type":"scalar","subtype":"float","precision":8})", "\"1234567\"")),
            "yggdrasil.size_mismatch $<instance>.args[1]");
  EXPECT_EQ(refused(with(R"({"type":"scalar","subtype":"float","precision":7})", "\"1234567\"")),
            "yggdrasil.bad_precision $<instance>.args[1]");
  EXPECT_EQ(refused(with(R"({"type":"scalar","subtype":"string","encoding":"ASCII"})", "\"\xff\"")),
            "yggdrasil.bad_text $<instance>.args[1]");
  EXPECT_EQ(refused(with(R"({"type":"ndarray","subtype":"int","precision":4})", "\"abc\"")),
            "yggdrasil.size_mismatch $<instance>.args[1]");
  EXPECT_EQ(refused(with(R"({"type":"array","items":{"type":"instance"}})", "[\"\x80pickle\"]")),
            "yggdrasil.pickle $<instance>.args[1][0]");
  EXPECT_EQ(refused(with(R"({"type":"string"})", "\"\xff\"")), "json.utf8 $");
  // Numbers and containers are what they are, whatever the schema says.
  EXPECT_EQ(arguments(with(R"({"type":"scalar","subtype":"float","precision":8})", "2.5")),
            R"({"class": "m:C", "args": [1, 2.5]})");
}

}  // namespace
}  // namespace polycodec::test
