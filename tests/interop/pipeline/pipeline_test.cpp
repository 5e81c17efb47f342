// SPDX-License-Identifier: MIT
// Codecs with byte codecs behind them, through the real plugins.
#include <polycodec/compare.hpp>
#include <polycodec/message.hpp>
#include <polycodec/pipeline.hpp>
#include <polycodec/registry.hpp>
#include <polycodec/text.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace polycodec {
namespace {

const Registry& registry() {
  static const Registry all = Registry::open();
  return all;
}

/// Doubles that grow slowly: what shuffling is for.
const Value& smooth() {
  static const std::vector<double> numbers = [] {
    std::vector<double> n(100'000);
    for (std::size_t i = 0; i < n.size(); ++i)
      n[i] = 1000 + std::floor(1e4 * std::sin(1e-3 * static_cast<double>(i)));
    return n;
  }();
  static const Value value =
      Value::build([](Builder& out) { return Builder::array(out.vector(std::span<const double>(numbers))); });
  return value;
}

std::string refusal(const std::string& json, Status status) {
  try {
    (void)Pipeline::parse(registry(), json);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), status) << e.describe();
    return e.message();
  }
  ADD_FAILURE() << "taken: " << json;
  return {};
}

TEST(Pipeline, EveryByteCodecGivesTheValueBack) {
  for (const char* then :
       {R"([])", R"([{"id": "zlib", "level": 1}])", R"([{"id": "zstd"}])", R"([{"id": "lz4"}])",
        R"([{"id": "lz4", "level": 9}])", R"([{"id": "shuffle"}])", R"([{"id": "shuffle", "item_bytes": 3}])",
        R"([{"id": "crc32"}])", R"([{"id": "crc32c"}])", R"([{"id": "xxhash"}])",
        R"([{"id": "shuffle", "item_bytes": 8}, {"id": "zstd", "level": 1}, {"id": "xxhash"}])",
        R"([{"id": "crc32"}, {"id": "zlib"}, {"id": "crc32c"}, {"id": "lz4"}, {"id": "xxhash"}])"}) {
    SCOPED_TRACE(then);
    for (const char* codec : {"dynd", "msgpack-ndarray"}) {
      const Pipeline pipeline = Pipeline::make(registry(), codec, "", then);
      const std::string bytes = pipeline.encode_to_string(smooth().view());
      const Value back = pipeline.decode(Source::owned(bytes));
      EXPECT_TRUE(equal(smooth().view(), back.view()));
      // Any cut is noticed, unless nothing but the codec itself looks.
      if (pipeline.stages().empty()) continue;
      for (const std::size_t size : {std::size_t{0}, std::size_t{3}, bytes.size() / 2, bytes.size() - 1})
        EXPECT_THROW((void)pipeline.decode(Source::owned(bytes.substr(0, size))), Error) << size;
    }
  }
}

TEST(Pipeline, EmptyAndSmallValues) {
  for (const char* text : {"null", "[]", "\"\"", "[1]", "{\"a\": \"b\"}"}) {
    const Value value = parse_text(text);
    const Pipeline pipeline = Pipeline::parse(
        registry(),
        R"({"codec": "msgpack", "then": [{"id": "shuffle"}, {"id": "lz4"}, {"id": "zlib"}, {"id": "zstd"}, {"id": "crc32"}]})");
    const Value back = pipeline.decode(Source::owned(pipeline.encode_to_string(value.view())));
    EXPECT_TRUE(equal(value.view(), back.view())) << text;
  }
}

TEST(Pipeline, ShufflingHelpsTheCompressor) {
  const auto size = [](const char* then) {
    return Pipeline::make(registry(), "dynd", "", then).encode_to_string(smooth().view()).size();
  };
  EXPECT_LT(size(R"([{"id": "shuffle"}, {"id": "zstd"}])"), size(R"([{"id": "zlib"}])"));
}

TEST(Pipeline, ChecksumsFindEveryChangedBit) {
  const Value value = parse_text("[1, 2, 3]");
  for (const char* then : {R"([{"id": "crc32"}])", R"([{"id": "crc32c"}])", R"([{"id": "xxhash"}])"}) {
    const Pipeline pipeline = Pipeline::make(registry(), "msgpack", "", then);
    const std::string good = pipeline.encode_to_string(value.view());
    for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
      std::string bad = good;
      bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
      try {
        (void)pipeline.decode(Source::owned(bad));
        ADD_FAILURE() << then << " bit " << bit;
      } catch (const Error& e) {
        EXPECT_EQ(e.detail(), "checksum");
        EXPECT_EQ(e.offset(), good.size() - (pipeline.stages()[0].info().name == "xxhash" ? 8 : 4));
      }
    }
  }
}

TEST(Pipeline, KnownBytes) {
  const Value value =
      Value::build([](Builder&) { return Builder::bytes_view(std::as_bytes(std::span("123456789", 9))); });
  const auto sum = [&](const char* codec) {
    const std::string bytes = registry().encode_to_string(value.view(), codec);
    EXPECT_EQ(bytes.substr(0, 9), "123456789");
    return bytes.substr(9);
  };
  // The check values of the two polynomials' catalogue entries.
  EXPECT_EQ(sum("crc32"), std::string("\x26\x39\xf4\xcb", 4));
  EXPECT_EQ(sum("crc32c"), std::string("\x83\x92\x06\xe3", 4));
  EXPECT_EQ(sum("xxhash").size(), 8u);
  // HDF5's rule: whole items by planes, the rest as it is.
  const Value items =
      Value::build([](Builder&) { return Builder::bytes_view(std::as_bytes(std::span("aAbBcCz", 7))); });
  const Value two = parse_text(R"({"item_bytes": 2})");
  EXPECT_EQ(registry().encode_to_string(items.view(), "shuffle", two.view()), "abcABCz");
}

TEST(Pipeline, ShufflingIsItsOwnInverseForEveryWidthAndLength) {
  for (const int width : {1, 2, 3, 4, 5, 8, 12, 16, 17, 255}) {
    const std::string options = R"({"item_bytes": )" + std::to_string(width) + "}";
    const Codec codec = registry().codec_with_json("shuffle", options);
    for (const std::size_t size : {0u, 1u, 15u, 16u, 31u, 128u, 255u, 4096u, 70'001u}) {
      std::string bytes(size, '\0');
      for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 2654435761u >> 13);
      const Value value =
          Value::build([&](Builder&) { return Builder::bytes_view(std::as_bytes(std::span(bytes))); });
      const std::string planes = codec.encode_to_string(value.view());
      ASSERT_EQ(planes.size(), size);
      const std::size_t n = size / static_cast<std::size_t>(width);
      for (std::size_t i = 0; i < n * static_cast<std::size_t>(width); ++i)
        ASSERT_EQ(planes[i % static_cast<std::size_t>(width) * n + i / static_cast<std::size_t>(width)], bytes[i]);
      const Value back = codec.decode(Source::owned(planes));
      ASSERT_TRUE(equal(back.view(), value.view())) << width << " x " << size;
    }
  }
}

TEST(Pipeline, IsCheckedWhenItIsMade) {
  EXPECT_NE(refusal(R"({"codec": "zlib"})", Status::option).find("byte codec"), std::string::npos);
  EXPECT_NE(refusal(R"({"codec": "dynd", "then": [{"id": "ply"}]})", Status::option).find("no byte codec"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"codec": "dynd", "then": [{"id": "zlip"}]})", Status::not_found).find("zlib"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"codec": "dynd", "then": [{"id": "zlib", "level": 10}]})", Status::option).find("level"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"codec": "dynd", "then": [{"id": "zlib", "livel": 1}]})", Status::option).find("level"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"codec": "dynd", "than": []})", Status::option).find("then"), std::string::npos);
  refusal(R"({"codec": "dynd", "then": [{"level": 1}]})", Status::option);
  refusal(R"({"codec": "dynd", "then": [{"id": "../zlib"}]})", Status::option);
  std::string many = R"({"id": "crc32"})";
  for (std::size_t i = 0; i < max_pipeline_stages; ++i) many += R"(, {"id": "crc32"})";
  refusal(R"({"codec": "dynd", "then": [)" + many + "]}", Status::option);
}

TEST(Pipeline, RatioHoldsForAllStagesTogether) {
  const std::string zeros(std::size_t{64} << 20, '\0');
  const Value value = Value::build([&](Builder&) { return Builder::bytes_view(std::as_bytes(std::span(zeros))); });
  // Each stage alone is within the ratio; together they are a bomb of more than a million to one.
  const Pipeline twice =
      Pipeline::make(registry(), "msgpack", "", R"([{"id": "zlib", "level": 9}, {"id": "zlib", "level": 9}])");
  const std::string bomb = twice.encode_to_string(value.view());
  ASSERT_LT(bomb.size(), 1000u);
  for (const char* then : {R"([{"id": "zstd"}])", R"([{"id": "zstd"}, {"id": "lz4"}])"}) {
    const Pipeline pipeline = Pipeline::make(registry(), "msgpack", "", then);
    const std::string packed = pipeline.encode_to_string(value.view());
    try {
      (void)pipeline.decode(Source::owned(packed));
      ADD_FAILURE() << then;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), Status::limit) << e.describe();
    }
  }
  try {
    (void)twice.decode(Source::owned(bomb));
    ADD_FAILURE() << "decoded the bomb";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Status::limit);
    EXPECT_EQ(e.detail(), "ratio");
  }
  CallOptions trusting;
  trusting.limits = Limits();
  trusting.limits->max_ratio = UINT64_MAX;
  EXPECT_TRUE(equal(twice.decode(Source::owned(bomb), trusting).view(), value.view()));
}

TEST(Pipeline, AMessageNamesItAndIsDecodedByItsHeaderAlone) {
  const Pipeline pipeline = Pipeline::parse(
      registry(), R"({"codec": "dynd", "then": [{"id": "shuffle"}, {"id": "zstd"}, {"id": "crc32c"}]})");
  const std::string body = pipeline.encode_to_string(smooth().view());
  Header header;
  header.id = "x";
  pipeline.describe(header);
  const std::string message = build_frame(header, body.size()) + body;
  EXPECT_EQ(registry().choose(Source::view(message)).codec->name, "dynd");
  const Value back = registry().decode(Source::view(message));
  EXPECT_TRUE(equal(smooth().view(), back.view()));

  // What a header says is not trusted: an unknown stage, or one that the policy refuses, ends the call.
  RegistryOptions strict;
  strict.policy.deny_codecs = {{"zstd"}};
  try {
    (void)Registry::open(strict).decode(Source::view(message));
    ADD_FAILURE() << "a denied byte codec was used";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Status::denied) << e.describe();
  }
}

TEST(Pipeline, JsonTellsItAgain) {
  const std::string json =
      R"({"codec": "dynd", "options": {"type": "3 * int8"}, "then": [{"id": "zlib", "level": 2}]})";
  const Pipeline pipeline = Pipeline::parse(registry(), json);
  EXPECT_EQ(Pipeline::parse(registry(), pipeline.to_json()).to_json(), pipeline.to_json());
  const Value value = parse_text(R"({"type": "3 * int8", "value": [1, 2, 3]})");
  EXPECT_TRUE(equal(pipeline.decode(Source::owned(pipeline.encode_to_string(value.view()))).view(), value.view()));
}

}  // namespace
}  // namespace polycodec
