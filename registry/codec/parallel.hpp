// SPDX-License-Identifier: MIT
// Parts of a loop on the threads of the host program.
#pragma once

#include <polycodec/registry.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>

namespace polycodec {

/// At most so many tasks are given to the executor at once.
inline constexpr std::uint64_t max_tasks = 64;

/// Calls run(part, task) for the parts 0 to `parts` - 1, which tasks take one after another; `task`
/// is the number of the task, below max_tasks. Throws what the lowest part that failed threw; only
/// parts after it are left out.
template <class Run>
void run_parts(const Executor& executor, std::uint64_t parts, const Run& run) {
  std::atomic<std::uint64_t> next{0}, failed{UINT64_MAX};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto work = [&](std::uint64_t task) {
    for (;;) {
      const std::uint64_t part = next.fetch_add(1, std::memory_order_relaxed);
      if (part >= parts || part > failed.load(std::memory_order_relaxed)) return;
      try {
        run(part, task);
      } catch (...) {
        const std::scoped_lock lock(mutex);
        if (part >= failed) continue;
        failed = part;
        failure = std::current_exception();
      }
    }
  };
  const std::uint64_t tasks = std::min(parts, max_tasks);
  executor(tasks, [&](std::uint64_t task) {
    if (task < tasks) work(task);
  });
  work(0);  // what the executor has left
  if (failure) std::rethrow_exception(failure);
}

}  // namespace polycodec
