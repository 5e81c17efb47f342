// SPDX-License-Identifier: MIT
// Bytes that mean harm: every vector cut, every word of it spoiled, and sizes that lie. Buffers end
// where memory ends (the sanitizers see what reads on).
#include "support.hpp"

#include <gtest/gtest.h>

#include <random>

namespace polycodec {
namespace {

using test::fastbin_codec;
using test::fastbin_vectors;

/// Whatever comes out must be valid, which the library checks.
void try_decode(const Codec& codec, const std::string& bytes) {
  try {
    static_cast<void>(test::decode(codec, bytes));
  } catch (const Error& e) {
    EXPECT_NE(e.detail(), "");
    EXPECT_FALSE(e.path().empty());
    EXPECT_LE(e.offset(), bytes.size());
  }
}

TEST(FastbinHostile, CutAnywhere) {
  for (const auto& v : fastbin_vectors("")) {
    SCOPED_TRACE(v.name);
    const auto codec = fastbin_codec(v.schema, v.root);
    const std::size_t step = v.bytes.size() / (test::is_isolated() ? 15 : 400) + 1;
    for (std::size_t size = 0; size < v.bytes.size(); size += step)
      try_decode(codec, v.bytes.substr(0, size));
  }
}

TEST(FastbinHostile, EveryWordReplaced) {
  const std::uint64_t words[] = {0,
                                 1,
                                 7,
                                 8,
                                 16,
                                 24,
                                 0x0700000000000008,
                                 0x0800000000000010,
                                 0x00fffffffffffff8,
                                 0x00ffffffffffffff,
                                 0x0100000000000000,
                                 0x7ffffffffffffff8,
                                 0x8000000000000000,
                                 0xfffffffffffffff0,
                                 0xfffffffffffffff8,
                                 0xffffffffffffffff};
  for (const auto& v : fastbin_vectors("")) {
    SCOPED_TRACE(v.name);
    const auto codec = fastbin_codec(v.schema, v.root);
    std::string bytes = v.bytes;
    const std::size_t step = (bytes.size() / 8 / (test::is_isolated() ? 4 : 60) + 1) * 8;
    for (std::size_t at = 0; at + 8 <= bytes.size(); at += step) {
      for (const std::uint64_t word : words) {
        std::memcpy(bytes.data() + at, &word, 8);
        try_decode(codec, bytes);
      }
      std::memcpy(bytes.data() + at, v.bytes.data() + at, 8);
    }
  }
}

TEST(FastbinHostile, BitsFlippedWithAllLeniency) {
  std::mt19937 random(7);
  for (const auto& v : fastbin_vectors("")) {
    SCOPED_TRACE(v.name);
    const auto codec = fastbin_codec(v.schema, v.root, {{"slack", "lenient"}, {"absent", "null"}});
    for (int round = 0; round < test::rounds(200) && !v.bytes.empty(); ++round) {
      std::string bytes = v.bytes;
      for (int flips = 0; flips < 3; ++flips) {
        const std::size_t bit = random() % (bytes.size() * 8);
        bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
      }
      try_decode(codec, bytes);
    }
  }
}

TEST(FastbinHostile, CountsAreNotBelieved) {
  const std::string schema = R"({"namespace": "n", "structs": {"V": {"members": {"s": "string"}},
    "R": {"members": {"v": "vector<struct:V>"}}, "T": {"members": {"t": "vector<string>"}},
    "P": {"members": {"x": "int8"}}, "F": {"members": {"p": "vector<struct:P>"}}}})";
  const auto buffer = [](std::initializer_list<std::uint64_t> words) {
    return std::string(reinterpret_cast<const char*>(words.begin()), words.size() * 8);
  };
  for (const std::uint64_t count : {std::uint64_t{1}, std::uint64_t{1} << 60, UINT64_MAX}) {
    const std::string bytes = buffer({24, 16, count});
    for (const char* root : {"R", "T", "F"}) {
      SCOPED_TRACE(std::string(root) + " " + std::to_string(count));
      EXPECT_NE(test::refusal(fastbin_codec(schema, root), bytes), "");
    }
  }
  // 2^61 * 8 wraps to 0, which would agree with the size.
  EXPECT_EQ(test::refusal(fastbin_codec(schema, "F"), buffer({24, 16, std::uint64_t{1} << 61})),
            "fastbin.bad_count");
}

TEST(FastbinHostile, MemoryIsBounded) {
  for (const auto& v : fastbin_vectors("")) {
    const auto codec = fastbin_codec(v.schema, v.root);
    for (const std::uint64_t memory : {1u, 64u, 500u, 4000u}) {
      CallOptions call;
      call.limits.max_memory_bytes = memory;
      try {
        static_cast<void>(test::decode(codec, v.bytes, call));
      } catch (const Error& e) {
        EXPECT_TRUE(e.code() == Status::limit || e.code() == Status::memory)
            << v.name << ": " << e.message();
      }
    }
  }
}

}  // namespace
}  // namespace polycodec
