// SPDX-License-Identifier: MIT
// Threads of the command's own.
#include "common/threads.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <mutex>
#include <set>
#include <thread>

namespace polycodec::cli {
namespace {

/// Gives the calling thread, and those that it starts, one of its processors.
bool keep_one_processor() {
  cpu_set_t all;
  if (::sched_getaffinity(0, sizeof all, &all) != 0) return false;
  for (int i = 0; i < CPU_SETSIZE; ++i) {
    if (!CPU_ISSET(i, &all)) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(i, &one);
    return ::sched_setaffinity(0, sizeof one, &one) == 0;
  }
  return false;
}

TEST(CommandThreads, AreAsManyAsTheProcessorsThatTheProcessMayUse) {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  bool is_kept = false;
  std::thread([&] {
    is_kept = keep_one_processor();
    if (!is_kept) return;
    EXPECT_EQ(usable_processors(), 1u);
    share(8, 0, [&](std::uint64_t) {
      const std::scoped_lock lock(mutex);
      threads.insert(std::this_thread::get_id());
    });
  }).join();
  if (!is_kept) GTEST_SKIP() << "the system does not let a thread choose its processor";
  EXPECT_EQ(threads.size(), 1u);
}

}  // namespace
}  // namespace polycodec::cli
