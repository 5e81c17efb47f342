// SPDX-License-Identifier: MIT
// Memory of values that are gone: how much is kept and for how long, and what fork() and threads
// find of it.
#include "core/call/chunk_pool.hpp"

#include <polycodec/error.hpp>

#include "core/value/arena.hpp"
#include "core/value/value.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace polycodec;
using namespace std::chrono_literals;

#if defined(__SANITIZE_ADDRESS__)
constexpr bool keeps = false;
constexpr bool counts_memory = false;
#elif defined(__SANITIZE_THREAD__)
constexpr bool keeps = true;
constexpr bool counts_memory = false;  // the sanitizer's own grows with what is touched
#elif defined(__has_feature)
constexpr bool keeps = !__has_feature(address_sanitizer);
constexpr bool counts_memory = keeps && !__has_feature(thread_sanitizer);
#else
constexpr bool keeps = true;
constexpr bool counts_memory = true;
#endif

constexpr std::uint64_t mega = std::uint64_t{1} << 20;

/// What the process has in memory.
std::uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

/// A value of this size, all of which was written.
Value large_value(std::uint64_t bytes) {
  return Value::build([&](Builder& out) {
    auto list = out.list();
    for (std::uint64_t done = 0; done < bytes; done += 4 * mega) {
      char* const part = out.allocate<char>(4 * mega);
      std::memset(part, 'x', 4 * mega);
      list.push(Builder::string_view({part, 4 * mega}));
    }
    return Node(list);
  });
}

std::uint64_t held() {
  return ChunkPool::instance().held_bytes();
}

template <class Done>
bool is_soon(Done done) {
  const auto end = std::chrono::steady_clock::now() + 1s;
  while (!done()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(5ms);
  }
  return true;
}

class Pool : public testing::Test {
 protected:
  void SetUp() override {
    if (!keeps) GTEST_SKIP() << "nothing is kept under AddressSanitizer";
    trim();
    ASSERT_TRUE(is_soon([] { return !ChunkPool::instance().is_watched(); }));
  }
  void TearDown() override { trim(); }
};

TEST_F(Pool, AnIdleProcessFallsBackToItsMemoryWithinASecond) {
  static_cast<void>(large_value(4 * mega));  // what the first value of a process takes for good
  trim();
  const std::uint64_t base = resident_bytes();
  static_cast<void>(large_value(100 * mega));
  EXPECT_GE(held(), 64 * mega) << "nothing is kept for the next value";
  if (counts_memory) {
    EXPECT_GE(resident_bytes(), base + 64 * mega);
  }
  EXPECT_TRUE(is_soon([] { return held() <= ChunkPool::calm_bytes; })) << held();
  EXPECT_TRUE(is_soon([] { return !ChunkPool::instance().is_watched(); }));
  if (counts_memory) {
    EXPECT_TRUE(is_soon([&] { return resident_bytes() <= base + 12 * mega; }))
        << base << " " << resident_bytes();
  }
}

TEST_F(Pool, AProcessThatGoesOnKeepsIt) {
  static_cast<void>(large_value(100 * mega));
  const std::uint64_t kept = held();
  for (int i = 0; i < 12; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(ChunkPool::idle_milliseconds / 3));
    static_cast<void>(large_value(4 * mega));
    ASSERT_EQ(held(), kept) << "given back in the midst of work";
  }
}

TEST_F(Pool, LittleIsKeptWithoutAThread) {
  static_cast<void>(large_value(4 * mega));
  EXPECT_GT(held(), 0u);
  EXPECT_LE(held(), ChunkPool::calm_bytes);
  EXPECT_FALSE(ChunkPool::instance().is_watched());
}

/// The signals that the thread called "polycodec" blocks, if there is one.
std::optional<std::uint64_t> signals_of_the_watcher() {
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name, word;
    std::ifstream(task.path() / "comm") >> name;
    if (name != "polycodec") continue;
    std::ifstream status(task.path() / "status");
    while (status >> word && word != "SigBlk:") {
    }
    if (status >> word) return std::stoull(word, nullptr, 16);
  }
  return std::nullopt;
}

TEST_F(Pool, TheThreadThatWatchesBlocksWhatItDoesNotRaiseItself) {
  static_cast<void>(large_value(100 * mega));
  std::optional<std::uint64_t> blocked;
  ASSERT_TRUE(is_soon([&] { return (blocked = signals_of_the_watcher()).has_value(); }));
  for (const int sent : {SIGINT, SIGTERM, SIGALRM, SIGUSR1})
    EXPECT_NE(*blocked >> (sent - 1) & 1, 0u) << sent;
  for (const int raised : {SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP})
    EXPECT_EQ(*blocked >> (raised - 1) & 1, 0u) << raised;
}

TEST_F(Pool, TrimGivesBackAtOnce) {
  const std::uint64_t base = resident_bytes();
  static_cast<void>(large_value(100 * mega));
  trim();
  EXPECT_EQ(held(), 0u);
  if (counts_memory) {
    EXPECT_LE(resident_bytes(), base + 4 * mega);
  }
}

TEST_F(Pool, TheCapHolds) {
  set_arena_pool_bytes(0);
  static_cast<void>(large_value(100 * mega));
  EXPECT_EQ(held(), 0u);
  set_arena_pool_bytes(20 * mega);
  static_cast<void>(large_value(100 * mega));
  EXPECT_LE(held(), 20 * mega);
  EXPECT_GT(held(), 0u);
  set_arena_pool_bytes(128 * mega);
}

std::uint8_t* resize(Arena& arena, void* block, std::uint64_t from, std::uint64_t to) {
  auto error = make_error();
  const auto code = arena.abi()->resize(arena.abi(), &block, from, to, 8, &error);
  EXPECT_EQ(code, POLYCODEC_OK) << error.message;
  return static_cast<std::uint8_t*>(block);
}

TEST_F(Pool, BlocksThatGrewServeTheNextOnes) {
  Arena first;
  std::uint8_t* large = resize(first, nullptr, 0, 2 * mega);
  large = resize(first, large, 2 * mega, 30 * mega);
  first.reset(UINT64_MAX);
  EXPECT_EQ(held(), 30 * mega);
  std::uint8_t* next = resize(first, nullptr, 0, 2 * mega);
  EXPECT_EQ(held(), 30 * mega) << "much is kept for little";
  std::memset(next, 7, 2 * mega);
  next = resize(first, next, 2 * mega, 20 * mega);
  EXPECT_EQ(next, large);
  EXPECT_EQ(held(), 2 * mega);
  EXPECT_EQ(next[0], 7);
  EXPECT_EQ(next[2 * mega - 1], 7);
  // It counts as if it were new.
  EXPECT_EQ(first.reserved_bytes(), 20 * mega);
  EXPECT_EQ(resize(first, next, 20 * mega, 24 * mega), next);
  EXPECT_EQ(first.reserved_bytes(), 24 * mega);
  next = resize(first, next, 24 * mega, mega / 2);
  EXPECT_EQ(first.reserved_bytes(), mega / 2);
  EXPECT_EQ(next[mega / 2 - 1], 7);
}

/// The thread that watches does not live in the child: there, another one must.
TEST_F(Pool, AChildHasAPoolOfItsOwn) {
  if (!counts_memory) GTEST_SKIP() << "sanitizers do not support threads in such a child";
  static_cast<void>(large_value(100 * mega));
  ASSERT_TRUE(ChunkPool::instance().is_watched());
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);
    bool is_right = !ChunkPool::instance().is_watched() && held() <= ChunkPool::calm_bytes;
    static_cast<void>(large_value(100 * mega));
    is_right =
        is_right && held() >= 64 * mega && is_soon([] { return held() <= ChunkPool::calm_bytes; });
    ::_exit(is_right ? 0 : 1);
  }
  EXPECT_FALSE(ChunkPool::instance().is_watched()) << "a thread lives while the process forks";
  EXPECT_LE(held(), ChunkPool::calm_bytes);
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST_F(Pool, ThreadsMayTakeGiveTrimAndForkAtTheSameTime) {
  std::atomic<bool> ends{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (char mark = 'a'; mark < 'd'; ++mark)
    threads.emplace_back([&, mark] {
      while (!ends) {
        const Value value = Value::build([&](Builder& out) {
          char* const part = out.allocate<char>(12 * mega);
          for (std::uint64_t at = 0; at < 12 * mega; at += 4096) part[at] = mark;
          return Builder::string_view({part, 12 * mega});
        });
        const std::string_view text = value.view().as_string();
        for (std::uint64_t at = 0; at < text.size(); at += 4096) wrong += text[at] != mark;
      }
    });
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(5ms);
    if (i % 3 == 0) trim();
    if (i % 7 == 0) set_arena_pool_bytes(i % 2 == 0 ? 0 : 128 * mega);
    if (i % 4 != 0) continue;
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(20);
      static_cast<void>(large_value((counts_memory ? 16 : 4) * mega));  // a thread, or none
      ::_exit(0);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  ends = true;
  for (std::thread& thread : threads) thread.join();
  set_arena_pool_bytes(128 * mega);
  EXPECT_EQ(wrong, 0) << "two values shared memory";
}

}  // namespace
