// SPDX-License-Identifier: MIT
#include <base/fresh_pages.hpp>
#include <base/line_chunks.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {
namespace {

TEST(LineChunks, NewlinesOfTextsOfAnyLengthAreCounted) {
  std::mt19937_64 random(3);
  // The runs of counters of one byte are 255 times 64 bytes long.
  std::string text(3 * 255 * 64 + 100, '\n');
  for (const std::uint64_t most : {1u, 2u, 30u}) {
    for (char& c : text) c = random() % most == 0 ? '\n' : static_cast<char>(random());
    for (std::size_t size = 0; size < text.size(); size += size < 300 ? 1 : 997) {
      const std::string_view part = std::string_view(text).substr(text.size() - size);
      ASSERT_EQ(count_newlines(part),
                static_cast<std::uint64_t>(std::count(part.begin(), part.end(), '\n')))
          << size;
    }
  }
}

constexpr std::uint64_t large_page = FreshPages::page;

/// An array that is not read: only its address counts.
const std::byte* byte_at(std::uint64_t at) {
  return reinterpret_cast<const std::byte*>(at);
}

TEST(FreshPages, EachPageOfAnArrayComesOnceAndAhead) {
  for (const std::uint64_t begin : {64 * large_page, 64 * large_page + 4096}) {
    const std::byte* const array = byte_at(begin);
    const std::uint64_t capacity = 5 * large_page + 100;
    FreshPages fresh;
    std::uint64_t known = 1000;
    for (std::uint64_t size = 1000; size <= capacity; size += 50'000) {
      const FreshPages::Piece piece = fresh.next(array, size, capacity);
      if (piece.size != 0) {
        EXPECT_EQ(piece.data, array + known) << size;
        known += piece.size;
        EXPECT_TRUE(known == capacity || (begin + known) % large_page == 0) << size;
      }
      EXPECT_GE(known, std::min(capacity, size + large_page)) << size;
      EXPECT_LE(known, std::min(capacity, size + 2 * large_page)) << size;
      EXPECT_EQ(fresh.next(array, size, capacity).size, 0U) << size;
    }
    EXPECT_EQ(known, capacity);
  }
}

TEST(FreshPages, ShortArraysHaveNone) {
  FreshPages fresh;
  EXPECT_EQ(fresh.next(nullptr, 0, 0).size, 0U);
  EXPECT_EQ(fresh.next(byte_at(large_page), 0, FreshPages::least - 1).size, 0U);
}

TEST(FreshPages, AnArrayThatHasMovedIsAnother) {
  FreshPages fresh;
  const std::uint64_t capacity = 8 * large_page;
  EXPECT_EQ(fresh.next(byte_at(16 * large_page), large_page, capacity).size, large_page);
  const FreshPages::Piece piece = fresh.next(byte_at(64 * large_page), large_page + 1, capacity);
  EXPECT_EQ(piece.data, byte_at(65 * large_page + 1));
  EXPECT_EQ(piece.size, 2 * large_page - 1);
}

TEST(FreshPages, TouchedBytesStay) {
  std::vector<std::byte> all(3 * large_page, std::byte{7});
  touch({all.data() + 5, all.size() - 5});
  touch({});
  EXPECT_EQ(std::ranges::count(all, std::byte{7}), static_cast<std::ptrdiff_t>(all.size()));
}

}  // namespace
}  // namespace polycodec
