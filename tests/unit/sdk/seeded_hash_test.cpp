// SPDX-License-Identifier: MIT
// Names that a file made to collide do not collide.
#include <base/seeded_hash.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace {

using namespace polycodec;

TEST(SeededHash,
     IsSipHash) {  // as CPython computes it: PYTHONHASHSEED=0 python3.11 -c 'print(hash(b"a"))'
  constexpr HashKey none{};
  std::string bytes;
  for (char c = 0; c < 64; ++c) bytes += c;
  EXPECT_EQ(siphash(none, "a"), 0x407448d2b89b1813);
  EXPECT_EQ(siphash(none, "abcdefg"), 0x6db12aae9070f506);
  EXPECT_EQ(siphash(none, "abcdefgh"), 0x3f7b849c0b8e35ea);
  EXPECT_EQ(siphash(none, std::string_view(bytes).substr(0, 15)), 0xf30eb725bb91c9ea);
  EXPECT_EQ(siphash(none, bytes), 0x75e05fd5bbc870c6);
  EXPECT_NE(siphash({1, 0}, "a"), siphash(none, "a"));
  EXPECT_NE(siphash({0, 1}, "a"), siphash(none, "a"));
}

TEST(SeededHash, KeysAreDrawn) {
  EXPECT_NE(draw_hash_key(), draw_hash_key());
  EXPECT_NE(detail::hash_key, HashKey{});
  EXPECT_EQ(SeededHash()("name"), siphash(detail::hash_key, "name"));
}

/// Names of 16 bytes with one hash under std::hash of libstdc++, which is MurmurHash64A with a
/// known seed: any first half has a second half that leads to the same state.
std::vector<std::string> colliding_names(std::uint64_t count) {
  constexpr std::uint64_t m = 0xc6a4a7935bd1e995, seed = 0xc70f6907, state = 12345;
  std::uint64_t inverse = 1;
  for (int i = 0; i < 6; ++i) inverse *= 2 - m * inverse;
  const auto mixed = [](std::uint64_t k) {
    k *= m;
    return (k ^ k >> 47) * m;
  };
  const auto unmixed = [&](std::uint64_t k) {
    k *= inverse;
    return (k ^ k >> 47) * inverse;
  };
  std::vector<std::string> names;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t half = ((seed ^ 16 * m) ^ mixed(i)) * m;
    const std::uint64_t words[] = {i, unmixed(half ^ state * inverse)};
    names.emplace_back(reinterpret_cast<const char*>(words), sizeof words);
  }
  return names;
}

template <class Set>
std::size_t longest_bucket(const Set& set) {
  std::size_t longest = 0;
  for (std::size_t i = 0; i < set.bucket_count(); ++i)
    longest = std::max(longest, set.bucket_size(i));
  return longest;
}

TEST(SeededHash, NamesThatWereMadeToCollideDoNot) {
  const std::vector<std::string> names = colliding_names(2000);
  EXPECT_EQ(longest_bucket(std::unordered_set<std::string>(names.begin(), names.end())), 2000u)
      << "this library hashes in another way, so the names show nothing";
  EXPECT_LT(longest_bucket(SeededSet<std::string>(names.begin(), names.end())), 20u);
}

TEST(SeededHash, NumbersThatWereMadeToCollideDoNot) {
  SeededSet<std::uint64_t> seeded;
  std::unordered_set<std::uint64_t> plain;
  plain.rehash(4000);
  const std::uint64_t step = plain.bucket_count();
  for (std::uint64_t i = 0; i < 2000; ++i) plain.insert(i * step), seeded.insert(i * step);
  EXPECT_EQ(longest_bucket(plain), 2000u);
  EXPECT_LT(longest_bucket(seeded), 20u);
}

}  // namespace
