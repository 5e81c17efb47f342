// SPDX-License-Identifier: MIT
// Filters that several threads share: the same bytes, values and errors as of one.
#include "same.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace polycodec;
using namespace polycodec::test;

Codec filtered(const char* filter) {
  return codecs().codec_with_json("dynd", "", "[" + std::string(filter) + "]");
}

class ParallelFilters : public testing::TestWithParam<const char*> {};

TEST_P(ParallelFilters, GiveWhatOneThreadGives) {
  const Codec codec = filtered(GetParam());
  const auto data = numbers(700'001);  // 5.6 MB
  const Value value = vector_of(data);
  const std::string bytes =
      same([&](std::uint32_t threads) { return written(codec, value.view(), threads); });
  const auto read = [&](const std::string& text) {
    return same(
        [&](std::uint32_t threads) { return outcome_of(codec, Source::view(text), threads); });
  };
  EXPECT_TRUE(read(bytes) == written(codecs().codec("msgpack-ndarray"), value.view(), 1));
  EXPECT_NE(read(bytes + "x").find(" bytes"), bytes.npos);
  for (const std::size_t size : {std::size_t{3}, bytes.size() / 2, bytes.size() - 1})
    read(bytes.substr(0, size));
  for (const std::size_t place : {std::size_t{5}, bytes.size() / 3, bytes.size() - 2}) {
    std::string bad = bytes;
    bad[place] = static_cast<char>(bad[place] ^ 0x55);
    read(bad);
  }
}

TEST_P(ParallelFilters, ShareTheWork) {
  std::uint64_t tasks = 0;
  const Registry own = Registry::open(counting_tasks(tasks));
  const Codec codec = own.codec_with_json("dynd", "", "[" + std::string(GetParam()) + "]");
  const auto data = numbers(700'001);
  const std::string bytes = codec.encode_to_string(vector_of(data).view());
  EXPECT_GE(tasks, 10u);
  tasks = 0;
  codec.decode(Source::view(bytes));
  // A zlib stream is read from its start on.
  EXPECT_GE(tasks, std::string(GetParam()).find("zlib") == std::string::npos ? 10u : 0u);
}

INSTANTIATE_TEST_SUITE_P(All, ParallelFilters,
                         testing::Values(R"({"id": "shuffle"})",
                                         R"({"id": "shuffle", "item_bytes": 3})",
                                         R"({"id": "lz4"})", R"({"id": "lz4", "level": 9})",
                                         R"({"id": "zlib", "level": 1})", R"({"id": "zlib"})"));

}  // namespace
