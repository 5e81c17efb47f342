// SPDX-License-Identifier: MIT
// The stack of a thread is found right, whichever way it is found.
#include <base/stack.hpp>

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <thread>

namespace {

using namespace polycodec;

/// What the C library says, which reads a list of all mappings for it.
struct Known {
  std::uintptr_t lowest = 0;
  std::size_t size = 0;
};

Known known_stack() {
  Known known;
  pthread_attr_t attributes;
  void* lowest = nullptr;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return known;
  if (::pthread_attr_getstack(&attributes, &lowest, &known.size) == 0)
    known.lowest = reinterpret_cast<std::uintptr_t>(lowest);
  ::pthread_attr_destroy(&attributes);
  return known;
}

bool is_found() {
  const ThreadStack found = detail::find_thread_stack();
  const Known known = known_stack();
  constexpr std::uintptr_t near = 64 << 10;  // small beside what is left for called functions
  const std::uintptr_t lower = std::min(found.lowest, known.lowest);
  return known.lowest != 0 && std::max(found.lowest, known.lowest) - lower <= near &&
         std::max(found.size, known.size) - std::min(found.size, known.size) <= near;
}

TEST(Stack, OfTheFirstThreadAndOfOthersIsFound) {
  EXPECT_TRUE(is_found());
  std::thread([] { EXPECT_TRUE(is_found()); }).join();
}

/// In a child that another thread made, the first thread has the stack of that one.
TEST(Stack, OfAChildOfAThreadIsFound) {
  std::thread([] {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(is_found() ? 0 : 1);
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }).join();
}

TEST(Stack, FollowsItsLimit) {
  const pid_t child = ::fork();
  if (child == 0) {
    rlimit limit{};
    ::getrlimit(RLIMIT_STACK, &limit);
    limit.rlim_cur = 1 << 20;
    ::setrlimit(RLIMIT_STACK, &limit);
    const ThreadStack found = detail::find_thread_stack();
    ::_exit(is_found() && found.size <= 1 << 20 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
