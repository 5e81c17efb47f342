// SPDX-License-Identifier: MIT
// Every vector that the original's generated code wrote, both ways, with the schema in both
// spellings.
#include <polycodec/text.hpp>
#include <polycodec/value.hpp>

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

std::string difference(NodeView a, NodeView b) {
  const auto found = first_difference(a, b);
  return found ? found->path + ": " + found->reason : std::string();
}

TEST(FastbinVectors, DecodeToWhatTheJsonSays) {
  const auto all = fastbin_vectors("");
  ASSERT_GE(all.size(), 84u);
  for (const FastbinVector& v : all) {
    SCOPED_TRACE(v.name);
    const Value wanted = expected_value(v);
    for (const std::string* schema : {&v.schema, &v.readme_schema}) {
      const Value value = test::decode(fastbin_codec(*schema, v.root), v.bytes);
      EXPECT_EQ(difference(value.view(), wanted.view()), "");
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
    EXPECT_EQ(test::encode(codec, documents.view()), v.bytes);
    const Value decoded = test::decode(codec, v.bytes);
    EXPECT_EQ(test::encode(codec, decoded.view()), v.bytes);
    EXPECT_EQ(codec.encoded_size(test::TestCall(), decoded.view()), v.bytes.size());
    // The text notation keeps all that the buffer says.
    const Value read = parse_text(to_text(decoded.view()));
    EXPECT_EQ(test::encode(codec, read.view()), v.bytes);
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
    const std::string bytes = test::encode(codec, test::decode(codec, v.bytes).view());
    EXPECT_NE(bytes, v.bytes);
    EXPECT_EQ(difference(test::decode(codec, bytes).view(), expected_value(v).view()), "");
    ++count;
  }
  EXPECT_GT(count, 3u);
}

TEST(FastbinVectors, MalformedOnesAreRefusedWithOffsetAndPath) {
  const auto all = fastbin_vectors("bad");
  ASSERT_GE(all.size(), 37u);
  for (const FastbinVector& v : all) {
    SCOPED_TRACE(v.name);
    Error error(Status::ok, "");
    const std::string word = test::refusal(fastbin_codec(v.schema, v.root), v.bytes, &error);
    const auto& expect = v.json.at("expect");
    EXPECT_EQ(word, test::detail_of("fastbin", expect.at("code").get<std::string>()))
        << error.message();
    EXPECT_EQ(error.offset(), expect.at("offset").get<std::uint64_t>());
    const std::string path = expect.at("path").get<std::string>();
    EXPECT_EQ(error.path(), path.empty() ? "$" : "$." + path);
    EXPECT_FALSE(error.message().empty());
  }
}

}  // namespace
}  // namespace polycodec
