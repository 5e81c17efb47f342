// SPDX-License-Identifier: MIT
// The library's own threads, for registries whose host program gives none.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace polycodec {

/// Processors that this process may use at the same time, at least 1: its affinity, and the quota
/// of processor time of its control group.
std::uint32_t usable_processors();

/// The quota of a process in processors, rounded up; UINT32_MAX if it has none. `root` is where
/// control groups are mounted, `groups` the text of /proc/self/cgroup (see cgroups(7)). The lowest
/// quota of a group and of those around it holds.
std::uint32_t processor_quota(const std::string& root, std::string_view groups);

/// Threads that start when they are needed first, and anew in a child of fork(). They block all
/// signals. [thread-safe]
class ThreadPool {
 public:
  ThreadPool() = default;
  /// Ends the threads; no run() may be going on.
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Calls task(0) to task(n - 1), each on this thread or on one of the pool, which has n - 1 then.
  /// Returns when all have ended. Tasks never throw, and may call run() themselves. While this
  /// thread waits, it calls `wait` every 20 ms, which never throws. If the system gives fewer
  /// threads, those that are there do all tasks.
  void run(std::uint64_t n, const std::function<void(std::uint64_t)>& task,
           const std::function<void()>& wait);

 private:
  struct Batch;
  struct Threads;
  static void leave_to_parent(std::shared_ptr<Threads>& threads);
  /// Those of this process.
  std::shared_ptr<Threads> threads();

  std::mutex mutex_;
  std::shared_ptr<Threads> threads_;
};

}  // namespace polycodec
