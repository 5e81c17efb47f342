// SPDX-License-Identifier: MIT
// Blocks of an arena that grow.
#include "core/value/arena.hpp"

#include <polycodec/error.hpp>

#include "core/call/budget.hpp"
#include "core/call/file_memory.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <thread>
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

/// A variable of the environment, for as long as it lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    ::setenv(name, value, 1);
  }
  ~Variable() { before_.empty() ? ::unsetenv(name_) : ::setenv(name_, before_.c_str(), 1); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* const name_;
  std::string before_;
};

void* allocate(Arena& arena, std::uint64_t size, polycodec_error& error) {
  return polycodec_arena_alloc(arena.abi(), size, 8, &error);
}

TEST(Arena, WhatIsBeyondTheResidentBytesLiesInAFile) {
  FileMemory& file = FileMemory::instance();
  ASSERT_EQ(file.held_bytes(), 0U);
  constexpr std::uint64_t resident = std::uint64_t{8} << 20;
  Budget budget(Limits{.max_memory_bytes = std::uint64_t{1} << 30, .max_resident_bytes = resident});
  {
    Arena arena(UINT64_MAX, &budget);
    auto error = make_error();
    void* block = nullptr;
    std::uint64_t size = std::uint64_t{1} << 20;
    ASSERT_EQ(resize(arena, block, 0, size), POLYCODEC_OK);
    EXPECT_EQ(file.held_bytes(), 0U);
    std::iota(static_cast<std::uint8_t*>(block), static_cast<std::uint8_t*>(block) + size,
              std::uint8_t{});
    while (size < 16 * resident) {
      ASSERT_EQ(resize(arena, block, size, 2 * size), POLYCODEC_OK);
      const auto* const bytes = static_cast<const std::uint8_t*>(block);
      EXPECT_EQ(bytes[size - 1], 255) << size;
      std::memcpy(static_cast<std::uint8_t*>(block) + size, bytes, size);
      size *= 2;
    }
    EXPECT_GE(file.held_bytes(), size);
    // Small chunks, too: many arenas of threads have few of them each.
    const std::uint64_t before = file.held_bytes();
    std::vector<std::uint8_t*> pieces;
    while (file.held_bytes() == before) {
      pieces.push_back(static_cast<std::uint8_t*>(allocate(arena, 10'000, error)));
      ASSERT_NE(pieces.back(), nullptr);
      ASSERT_LT(pieces.size(), 20'000U);
      std::memset(pieces.back(), static_cast<int>(pieces.size()), 10'000);
    }
    for (std::size_t i = 0; i < pieces.size(); ++i)
      EXPECT_EQ(pieces[i][9999], static_cast<std::uint8_t>(i + 1));
    // A block that shrinks gives its charge back, and one that is full again has its bytes.
    const std::uint64_t charged = budget.memory();
    ASSERT_EQ(resize(arena, block, size, size / 2), POLYCODEC_OK);
    EXPECT_EQ(budget.memory(), charged - size / 2);
    EXPECT_EQ(static_cast<std::uint8_t*>(block)[size / 2 - 1], 255);
  }
  EXPECT_EQ(file.held_bytes(), 0U);
}

TEST(Arena, MemoryOfAFileIsAnErrorWhereItHasNoRoom) {
  const Variable directory("TMPDIR", "/proc/no such directory");
  Budget budget(Limits{.max_memory_bytes = std::uint64_t{1} << 30, .max_resident_bytes = 0});
  Arena arena(UINT64_MAX, &budget);
  auto error = make_error();
  void* block = nullptr;
  EXPECT_EQ(resize(arena, block, 0, std::uint64_t{4} << 20), POLYCODEC_ERROR_MEMORY);
  EXPECT_EQ(block, nullptr);
  EXPECT_EQ(allocate(arena, 10'000, error), nullptr);
  EXPECT_EQ(error.code, POLYCODEC_ERROR_MEMORY);
  EXPECT_NE(std::string(error.message).find("TMPDIR"), std::string::npos) << error.message;
  EXPECT_EQ(arena.reserved_bytes(), 0U);
  EXPECT_EQ(FileMemory::instance().held_bytes(), 0U);
}

TEST(FileMemory, KeepsItsBytesForTheOtherProcessOfAFork) {
  FileMemory& file = FileMemory::instance();
  constexpr std::uint64_t size = std::uint64_t{32} << 20;
  std::uint8_t* const data = file.take(size);
  ASSERT_NE(data, nullptr);
  std::memset(data, 7, size);
  int go[2];
  ASSERT_EQ(::pipe(go), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(go[1]);
    char byte = 0;
    const bool ends = ::read(go[0], &byte, 1) == 0;
    const bool has_all = std::all_of(data, data + size, [](std::uint8_t b) { return b == 7; });
    std::uint8_t* const own = file.take(size);
    if (own != nullptr) std::memset(own, 1, size);
    ::_exit(ends && has_all && own != nullptr && data[0] == 7 ? 0 : 1);
  }
  ::close(go[0]);
  file.give(data);
  EXPECT_EQ(file.held_bytes(), 0U);
  std::uint8_t* const again = file.take(size);
  ASSERT_NE(again, nullptr);
  std::memset(again, 9, size);
  ::close(go[1]);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(again[size - 1], 9);
  file.give(again);
}

TEST(FileMemory, IsForManyThreads) {
  FileMemory& file = FileMemory::instance();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&file, t] {
      for (std::uint64_t round = 1; round <= 40; ++round) {
        const std::uint64_t size = round % 8 == 0 ? std::uint64_t{20} << 20 : round * 40'000;
        std::uint8_t* const data = file.take(size);
        ASSERT_NE(data, nullptr);
        data[0] = data[size - 1] = static_cast<std::uint8_t>(t + 1);
        std::this_thread::yield();
        EXPECT_EQ(data[0], t + 1);
        EXPECT_EQ(data[size - 1], t + 1);
        file.give(data);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(file.held_bytes(), 0U);
}

TEST(Limits, MoreThanTheMachineHasMayLieInAFile) {
  const std::uint64_t half = Limits::half_of_machine();
  EXPECT_EQ(Limits{}.memory_for(half), half);
  EXPECT_EQ(Limits{.max_resident_bytes = UINT64_MAX}.memory_for(half), half);
  const Limits file{.max_resident_bytes = 1000};
  EXPECT_EQ(file.memory_for(1 << 20), Limits{}.memory_for(1 << 20));
  EXPECT_EQ(file.memory_for(half), std::min(64 * half, (std::uint64_t{192} << 20) + 1024 * half));
  EXPECT_EQ((Limits{.max_memory_bytes = 5, .max_resident_bytes = 1}.memory_for(half)), 5U);
}

}  // namespace
}  // namespace polycodec
