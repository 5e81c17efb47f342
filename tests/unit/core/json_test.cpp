// SPDX-License-Identifier: MIT

#include "core/text/text.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace polycodec {
namespace {

TEST(Json, ReadsEveryKind) {
  const Value value = parse_json(
      R"({"a": [1, -2, 18446744073709551615, 1.0, 1e2, "x\u00e9\n", true, null], "b": {}})");
  const NodeView a = value.view().at("a");
  EXPECT_EQ(a[0].as_int64(), 1);
  EXPECT_EQ(a[0].dtype(), POLYCODEC_DTYPE_INT64);
  EXPECT_EQ(a[1].as_int64(), -2);
  EXPECT_EQ(a[2].as_uint64(), UINT64_MAX);
  EXPECT_EQ(a[3].kind(), POLYCODEC_KIND_FLOAT);
  EXPECT_EQ(a[4].as_double(), 100.0);
  EXPECT_EQ(a[5].as_string(), "x\xc3\xa9\n");
  EXPECT_TRUE(a[6].as_bool());
  EXPECT_TRUE(a[7].is_null());
  EXPECT_EQ(to_json(value.view()),
            "{\"a\": [1, -2, 18446744073709551615, 1.0, 100.0, \"x\xc3\xa9\\n\", true, null], "
            "\"b\": {}}");
}

TEST(Json, IntegersNeverPassThroughADouble) {
  const char* numbers[] = {"9007199254740993",
                           "-9223372036854775808",
                           "9223372036854775808",
                           "-9223372036854775809",
                           "170141183460469231731687303715884105727",
                           "-170141183460469231731687303715884105728",
                           "340282366920938463463374607431768211455"};
  for (const char* number : numbers) EXPECT_EQ(to_json(parse_json(number).view()), number);
  EXPECT_THROW(parse_json("340282366920938463463374607431768211456"), Error);
  EXPECT_THROW(parse_json("-170141183460469231731687303715884105729"), Error);
  EXPECT_TRUE(std::signbit(parse_json("-0.0").view().as_double()));
}

TEST(Json, ErrorsSayWhere) {
  try {
    parse_json("{\n  \"a\": tru\n}");
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Status::malformed);
    EXPECT_EQ(e.detail(), "json.syntax");
    EXPECT_EQ(e.offset(), 12u);
    EXPECT_NE(e.message().find("line 2, column 11"), std::string::npos) << e.message();
  }
}

TEST(Json, RefusesWhatIsNoJson) {
  const std::pair<const char*, Status> cases[] = {
      {"", Status::truncated},     {"[1", Status::truncated},
      {"\"a", Status::malformed},  {"1 2", Status::trailing},
      {"[1,]", Status::malformed}, {"{\"a\" 1}", Status::malformed},
      {"nan", Status::malformed},  {"\"\xff\"", Status::malformed},
      {"1e999", Status::range},    {"// x\n1", Status::malformed}};
  for (const auto& [text, status] : cases) {
    try {
      parse_json(text);
      FAIL() << text;
    } catch (const Error& e) {
      EXPECT_TRUE(e.code() == status ||
                  (status == Status::malformed && e.code() == Status::truncated))
          << text << ": " << e.describe();
      EXPECT_NE(e.offset(), Error::no_offset);
    }
  }
}

TEST(Json, DuplicateKeysAreKeptOrRefused) {
  const char* text = R"({"a": 1, "b": {"c": 1, "c": 2}})";
  const Value value = parse_json(text);
  EXPECT_EQ(value.view().at("b").size(), 2u);
  EXPECT_EQ(value.view().at("b").at("c").as_int64(), 1);
  try {
    parse_json(text, {}, DuplicateKeys::refuse);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.detail(), "json.duplicate_key");
  }
}

TEST(Json, LimitsHold) {
  const std::string deep(100000, '[');
  try {
    parse_json(deep);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Status::limit);
    EXPECT_EQ(e.offset(), 513u);
  }
  Limits limits;
  limits.max_nodes = 3;
  EXPECT_NO_THROW(parse_json("[1, 2]", limits));
  EXPECT_THROW(parse_json("[1, 2, 3]", limits), Error);
  limits = {};
  limits.max_input_bytes = 3;
  EXPECT_THROW(parse_json("[1, 2]", limits), Error);
}

TEST(Json, PrintsOnlyPlainDocuments) {
  const Value bytes = Value::build([](Builder& b) {
    return b.object({{"a", b.list({b.bytes_copy({})})}});
  });
  try {
    to_json(bytes.view());
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Status::type);
    EXPECT_EQ(e.path(), "$.a[0]");
  }
  const Value infinite = Value::build([](Builder&) { return Builder::real(INFINITY); });
  EXPECT_THROW(to_json(infinite.view()), Error);
  EXPECT_EQ(to_json(parse_json(R"({"a": [1, {}]})").view(), 2),
            "{\n  \"a\": [\n    1,\n    {}\n  ]\n}");
}

}  // namespace
}  // namespace polycodec
