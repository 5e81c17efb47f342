// SPDX-License-Identifier: MIT
// Parts of a loop on several threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>

namespace polycodec {

/// The most threads of a loop.
inline constexpr std::uint64_t max_tasks = 64;

/// Calls run(part, task) for the parts 0 to `parts` - 1, which `tasks` tasks take one after
/// another; `task` is the number of the task. start(tasks, work, wait) calls work(task) for each
/// task, or leaves some out, and may call wait() on this thread while it waits for others. Throws
/// what the lowest part that failed threw; only parts after it are left out. If check() throws,
/// that ends the loop instead.
template <class Start, class Run, class Check>
void run_parts(std::uint64_t tasks, std::uint64_t parts, const Start& start, const Run& run,
               const Check& check) {
  std::atomic<std::uint64_t> next{0}, failed{UINT64_MAX};
  std::mutex mutex;
  std::exception_ptr failure;
  const auto fail = [&](std::uint64_t part) {
    const std::scoped_lock lock(mutex);
    if (part >= failed) return;
    failed = part;
    failure = std::current_exception();
  };
  const std::function<void(std::uint64_t)> work = [&](std::uint64_t task) {
    for (;;) {
      const std::uint64_t part = next.fetch_add(1, std::memory_order_relaxed);
      if (part >= parts || part > failed.load(std::memory_order_relaxed)) return;
      try {
        run(part, task);
      } catch (...) {
        fail(part);
      }
    }
  };
  start(
      tasks,
      [&](std::uint64_t task) {
        if (task < tasks) work(task);
      },
      [&]() noexcept {
        try {
          check();
        } catch (...) {
          fail(0);
        }
      });
  work(0);  // what has been left out
  if (failure) std::rethrow_exception(failure);
}

}  // namespace polycodec
