// SPDX-License-Identifier: MIT
// Blocks of an arena that grow.
#include "core/value/arena.hpp"

#include <polycodec/error.hpp>

#include "core/call/budget.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace polycodec {
namespace {

constexpr std::uint64_t huge_page = std::uint64_t{2} << 20;

std::int32_t resize(Arena& arena, void*& block, std::uint64_t from, std::uint64_t to) {
  auto error = make_error();
  return arena.abi()->resize(arena.abi(), &block, from, to, 8, &error);
}

TEST(Arena, LargeBlocksAreMadeOfHugePagesWhereverTheyMove) {
  Arena arena;
  std::vector<void*> blocks(3);
  std::uint64_t size = 1000;
  for (int step = 0; step < 30; ++step) {
    const std::uint64_t next = size + size / 2;
    for (void*& block : blocks) {
      ASSERT_EQ(resize(arena, block, step == 0 ? 0 : size, next), POLYCODEC_OK);
      auto* const bytes = static_cast<std::uint8_t*>(block);
      if (step != 0) {
        EXPECT_EQ(bytes[0], 1);
        EXPECT_EQ(bytes[size - 1], 2);
      }
      bytes[0] = 1;
      bytes[next - 1] = 2;
      // A smaller one may be in a chunk of the arena.
      EXPECT_TRUE(next < 16 * huge_page ||
                  reinterpret_cast<std::uintptr_t>(block) % huge_page == 0);
    }
    size = next;
  }
  EXPECT_LT(arena.reserved_bytes(), 3 * (size + huge_page) + (std::uint64_t{64} << 20));
}

TEST(Arena, BlocksTakeNoWholeHugePagesNearTheLimit) {
  constexpr std::uint64_t first = std::uint64_t{5} << 19, most = std::uint64_t{7} << 19;
  Arena arena(most);
  void* block = nullptr;
  ASSERT_EQ(resize(arena, block, 0, first), POLYCODEC_OK);
  static_cast<std::uint8_t*>(block)[first - 1] = 7;
  ASSERT_EQ(resize(arena, block, first, most), POLYCODEC_OK);
  EXPECT_EQ(static_cast<std::uint8_t*>(block)[first - 1], 7);
  EXPECT_LE(arena.reserved_bytes(), most);
  EXPECT_EQ(resize(arena, block, most, most + 1), POLYCODEC_ERROR_LIMIT);
  EXPECT_EQ(resize(arena, block, most, UINT64_MAX - 5), POLYCODEC_ERROR_LIMIT);
  static_cast<std::uint8_t*>(block)[most - 1] = 8;
  ASSERT_EQ(resize(arena, block, most, 10), POLYCODEC_OK);
  EXPECT_LT(arena.reserved_bytes(), std::uint64_t{1} << 20);
}

}  // namespace
}  // namespace polycodec
