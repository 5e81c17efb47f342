// SPDX-License-Identifier: MIT
// Every vector that the original's generated code wrote, both ways, with the schema in both
// spellings.

#include "fastbin/schema/parse.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

namespace polycodec {
namespace {

using test::fastbin_codec;
using test::fastbin_vectors;
using test::FastbinVector;

Value expected_value(const FastbinVector& v) {
  const fastbin::Schema schema = fastbin::parse_schema(v.schema);
  return Value::build([&](Builder& out) {
    return test::build_struct(out, schema, *schema.find_struct(v.root), v.json.at("value"));
  });
}

TEST(FastbinVectors, DecodeToWhatTheJsonSays) {
  const auto all = fastbin_vectors("");
  ASSERT_GE(all.size(), 84u);
  for (const FastbinVector& v : all) {
    SCOPED_TRACE(v.name);
    const Value wanted = expected_value(v);
    for (const std::string* schema : {&v.schema, &v.readme_schema}) {
      const Value value = test::decode(fastbin_codec(*schema, v.root), v.bytes);
      EXPECT_EQ(test::difference(value, wanted), "");
    }
  }
}

TEST(FastbinVectors, ValuesEncodeToTheSameBytes) {
  unsigned count = 0;
  for (const FastbinVector& v : fastbin_vectors("")) {
    if (!v.json.at("canonical").get<bool>()) continue;
    SCOPED_TRACE(v.name);
    const auto codec = fastbin_codec(v.schema, v.root);
    const Value documents = expected_value(v);
    EXPECT_EQ(test::encode(codec, documents), v.bytes);
    const Value decoded = test::decode(codec, v.bytes);
    EXPECT_EQ(test::encode(codec, decoded), v.bytes);
    // The text notation keeps all that the buffer says.
    const Value read = Value::parse(decoded.text());
    EXPECT_EQ(test::encode(codec, read), v.bytes);
    ++count;
  }
  EXPECT_GE(count, 80u);
}

TEST(FastbinVectors, WhatIsNotCanonicalBecomesSo) {
  unsigned count = 0;
  for (const FastbinVector& v : fastbin_vectors("")) {
    if (v.json.at("canonical").get<bool>()) continue;
    SCOPED_TRACE(v.name);
    const auto codec = fastbin_codec(v.schema, v.root);
    const std::string bytes = test::encode(codec, test::decode(codec, v.bytes));
    EXPECT_NE(bytes, v.bytes);
    EXPECT_EQ(test::difference(test::decode(codec, bytes), expected_value(v)), "");
    ++count;
  }
  EXPECT_GT(count, 3u);
}

}  // namespace
}  // namespace polycodec
