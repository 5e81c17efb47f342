// SPDX-License-Identifier: MIT
// Codecs with filters after them, through the real plugins.

#include "codecs.hpp"
#include "core/frame/message.hpp"
#include "core/text/text.hpp"
#include "core/value/value.hpp"
#include "registry/codec/registry.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace polycodec {
namespace {

/// Doubles that grow slowly: what shuffling is for.
const Value& smooth() {
  static const std::vector<double> numbers = [] {
    std::vector<double> n(100'000);
    for (std::size_t i = 0; i < n.size(); ++i)
      n[i] = 1000 + std::floor(1e4 * std::sin(1e-3 * static_cast<double>(i)));
    return n;
  }();
  static const Value value = Value::build(
      [](Builder& out) { return Builder::array(out.vector(std::span<const double>(numbers))); });
  return value;
}

std::string refusal(const std::string& json, Status status) {
  try {
    (void)registry().codec_from_json(json);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), status) << e.describe();
    return e.message();
  }
  ADD_FAILURE() << "taken: " << json;
  return {};
}

TEST(Pipeline, EveryFilterGivesTheValueBack) {
  for (
      const char* filters :
      {R"([])", R"([{"id": "zlib", "level": 1}])", R"([{"id": "zstd"}])", R"([{"id": "lz4"}])",
       R"([{"id": "lz4", "level": 9}])", R"([{"id": "shuffle"}])",
       R"([{"id": "shuffle", "item_bytes": 3}])", R"([{"id": "crc32"}])", R"([{"id": "crc32c"}])",
       R"([{"id": "xxhash"}])",
       R"([{"id": "shuffle", "item_bytes": 8}, {"id": "zstd", "level": 1}, {"id": "xxhash"}])",
       R"([{"id": "crc32"}, {"id": "zlib"}, {"id": "crc32c"}, {"id": "lz4"}, {"id": "xxhash"}])"}) {
    SCOPED_TRACE(filters);
    for (const char* codec : {"dynd", "msgpack-ndarray"}) {
      const Codec pipeline = registry().codec_with_json(codec, "", filters);
      const std::string bytes = pipeline.encode_to_string(smooth().view());
      const Value back = pipeline.decode(Source::owned(bytes));
      EXPECT_TRUE(equal(smooth().view(), back.view()));
      // Any cut is noticed, unless nothing but the codec itself looks.
      if (pipeline.filters().empty()) continue;
      for (const std::size_t size :
           {std::size_t{0}, std::size_t{3}, bytes.size() / 2, bytes.size() - 1})
        EXPECT_THROW((void)pipeline.decode(Source::owned(bytes.substr(0, size))), Error) << size;
    }
  }
}

TEST(Pipeline, EmptyAndSmallValues) {
  for (const char* text : {"null", "[]", "\"\"", "[1]", "{\"a\": \"b\"}"}) {
    const Value value = parse_text(text);
    const Codec pipeline = registry().codec_from_json(
        R"({"codec": "msgpack", "filters": [{"id": "shuffle"}, {"id": "lz4"}, {"id": "zlib"}, {"id": "zstd"}, {"id": "crc32"}]})");
    const Value back = pipeline.decode(Source::owned(pipeline.encode_to_string(value.view())));
    EXPECT_TRUE(equal(value.view(), back.view())) << text;
  }
}

TEST(Pipeline, ShufflingHelpsTheCompressor) {
  const auto size = [](const char* filters) {
    return registry().codec_with_json("dynd", "", filters).encode_to_string(smooth().view()).size();
  };
  EXPECT_LT(size(R"([{"id": "shuffle"}, {"id": "zstd"}])"), size(R"([{"id": "zlib"}])"));
}

TEST(Pipeline, ChecksumsFindEveryChangedBit) {
  const Value value = parse_text("[1, 2, 3]");
  for (const char* filters :
       {R"([{"id": "crc32"}])", R"([{"id": "crc32c"}])", R"([{"id": "xxhash"}])"}) {
    const Codec pipeline = registry().codec_with_json("msgpack", "", filters);
    const std::string good = pipeline.encode_to_string(value.view());
    for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
      std::string bad = good;
      bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
      try {
        (void)pipeline.decode(Source::owned(bad));
        ADD_FAILURE() << filters << " bit " << bit;
      } catch (const Error& e) {
        EXPECT_EQ(e.detail(), "filter.checksum");
        EXPECT_EQ(e.offset(), good.size() - (pipeline.filters()[0]->name == "xxhash" ? 8 : 4));
      }
    }
  }
}

TEST(Pipeline, IsCheckedWhenItIsMade) {
  EXPECT_NE(refusal(R"({"codec": "zlib"})", Status::option).find("filter"), std::string::npos);
  EXPECT_NE(refusal(R"({"codec": "dynd", "filters": [{"id": "ply"}]})", Status::option)
                .find("not a filter"),
            std::string::npos);
  EXPECT_NE(
      refusal(R"({"codec": "dynd", "filters": [{"id": "zlip"}]})", Status::not_found).find("zlib"),
      std::string::npos);
  EXPECT_NE(
      refusal(R"({"codec": "dynd", "filters": [{"id": "zlib", "level": 10}]})", Status::option)
          .find("level"),
      std::string::npos);
  EXPECT_NE(refusal(R"({"codec": "dynd", "filters": [{"id": "zlib", "livel": 1}]})", Status::option)
                .find("level"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"codec": "dynd", "than": []})", Status::option).find("filters"),
            std::string::npos);
  refusal(R"({"codec": "dynd", "filters": [{"level": 1}]})", Status::option);
  refusal(R"({"codec": "dynd", "filters": [{"id": "../zlib"}]})", Status::option);
  std::string many = R"({"id": "crc32"})";
  for (std::size_t i = 0; i < max_filters; ++i) many += R"(, {"id": "crc32"})";
  refusal(R"({"codec": "dynd", "filters": [)" + many + "]}", Status::option);
}

TEST(Pipeline, TheBudgetHoldsForAllFiltersTogether) {
  const std::string zeros(std::size_t{256} << 20, '\0');
  const Value value = Value::build([&](Builder&) { return Builder::bytes_view(zeros); });
  // Each filter alone makes little of little; together they are a bomb of a million to one.
  const Codec twice =
      registry().codec_with_json("msgpack", "", R"([{"id": "zstd"}, {"id": "zlib", "level": 9}])");
  const std::string bomb = twice.encode_to_string(value.view());
  ASSERT_LT(bomb.size(), 1000u);
  for (const char* filters : {R"([{"id": "zstd"}])", R"([{"id": "zstd"}, {"id": "lz4"}])"}) {
    const Codec pipeline = registry().codec_with_json("msgpack", "", filters);
    const std::string packed = pipeline.encode_to_string(value.view());
    try {
      (void)pipeline.decode(Source::owned(packed));
      ADD_FAILURE() << filters;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), Status::limit) << e.describe();
    }
  }
  try {
    (void)twice.decode(Source::owned(bomb));
    ADD_FAILURE() << "decoded the bomb";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Status::limit) << e.describe();
  }
  CallOptions trusting;
  trusting.limits = Limits();
  trusting.limits->max_memory_bytes = trusting.limits->max_output_bytes =
      trusting.limits->max_work = UINT64_MAX;
  EXPECT_TRUE(equal(twice.decode(Source::owned(bomb), trusting).view(), value.view()));
}

TEST(Pipeline, AMessageNamesItAndIsDecodedByItsHeaderAlone) {
  const Codec pipeline = registry().codec_from_json(
      R"({"codec": "dynd", "filters": [{"id": "shuffle"}, {"id": "zstd"}, {"id": "crc32c"}]})");
  const std::string body = pipeline.encode_to_string(smooth().view());
  Header header;
  header.id = "x";
  pipeline.describe(header);
  const std::string message = build_frame(header, body.size()) + body;
  EXPECT_EQ(registry().choose(Source::view(message)).codec->name, "dynd");
  const Value back = registry().decode(Source::view(message));
  EXPECT_TRUE(equal(smooth().view(), back.view()));

  // What a header says is not trusted: an unknown filter, or one that the policy refuses, ends the
  // call.
  RegistryOptions strict;
  strict.policy.deny_codecs = {{"zstd"}};
  try {
    (void)Registry::open(strict).decode(Source::view(message));
    ADD_FAILURE() << "a denied filter was used";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Status::denied) << e.describe();
  }
}

TEST(Pipeline, JsonTellsItAgain) {
  const std::string json =
      R"({"codec": "dynd", "options": {"type": "3 * int8"}, "filters": [{"id": "zlib", "level": 2}]})";
  const Codec pipeline = registry().codec_from_json(json);
  EXPECT_EQ(registry().codec_from_json(pipeline.to_json()).to_json(), pipeline.to_json());
  const Value value = parse_text(R"({"type": "3 * int8", "value": [1, 2, 3]})");
  EXPECT_TRUE(equal(pipeline.decode(Source::owned(pipeline.encode_to_string(value.view()))).view(),
                    value.view()));
}

}  // namespace
}  // namespace polycodec
