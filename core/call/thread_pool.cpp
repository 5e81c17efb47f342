// SPDX-License-Identifier: MIT
#include "core/call/thread_pool.hpp"

#include "core/call/blocked_signals.hpp"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <fstream>
#include <thread>
#include <utility>
#include <vector>

namespace polycodec {
namespace {

/// The quota in a file `cpu.max`: "max 100000", or the microseconds of each period and the period.
std::uint32_t quota_in(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t quota = 0, period = 0;
  if (!(file >> quota >> period) || period == 0) return UINT32_MAX;
  const std::uint64_t processors = quota / period + (quota % period != 0 ? 1 : 0);
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(processors, 1, UINT32_MAX));
}

}  // namespace

std::uint32_t processor_quota(const std::string& root, std::string_view groups) {
  const auto line = groups.starts_with("0::/") ? 0 : groups.find("\n0::/");
  if (line == groups.npos) return UINT32_MAX;
  std::string group(groups.substr(groups.find('/', line)));
  group.erase(std::min(group.find('\n'), group.size()));
  std::uint32_t lowest = UINT32_MAX;
  for (;;) {
    lowest = std::min(lowest, quota_in(root + group + "/cpu.max"));
    if (group.empty()) return lowest;
    group.erase(group.rfind('/'));
  }
}

std::uint32_t usable_processors() {
  std::uint32_t count = std::max(1u, std::thread::hardware_concurrency());
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) == 0)
    count = static_cast<std::uint32_t>(std::max(1, CPU_COUNT(&set)));
  std::string groups;
  std::ifstream file("/proc/self/cgroup");
  std::getline(file, groups, '\0');
  return std::min(count, processor_quota("/sys/fs/cgroup", groups));
}

/// Tasks that threads take one after another.
struct ThreadPool::Batch {
  Batch(std::uint64_t count, const std::function<void(std::uint64_t)>& each)
      : n(count), task(each) {}

  void work() {
    std::uint64_t mine = 0;
    for (std::uint64_t i = 0; (i = next.fetch_add(1)) < n; ++mine) task(i);
    if (mine == 0) return;
    const std::scoped_lock lock(mutex);
    if (done.fetch_add(mine) + mine == n) all_done.notify_all();
  }

  const std::uint64_t n;
  const std::function<void(std::uint64_t)>& task;  // lives until all tasks are done
  std::atomic<std::uint64_t> next{0};
  std::mutex mutex;
  std::condition_variable all_done;
  std::atomic<std::uint64_t> done{0};
};

struct ThreadPool::Threads {
  ~Threads() {
    {
      const std::scoped_lock lock(mutex);
      ends = true;
    }
    wake.notify_all();
    for (std::thread& each : all) each.join();
  }

  /// Never throws: without memory or threads, those that are there do the work.
  void help(const std::shared_ptr<Batch>& batch, std::uint64_t helpers) noexcept {
    try {
      const std::scoped_lock lock(mutex);
      for (std::uint64_t i = 0; i < helpers; ++i) batches.push_back(batch);
      if (all.size() < helpers) {
        const BlockedSignals blocked;
        while (all.size() < helpers) all.emplace_back([this] { serve(); });
      }
    } catch (...) {
    }
    wake.notify_all();
  }

  void serve() {
    ::pthread_setname_np(::pthread_self(), "polycodec");
    std::unique_lock lock(mutex);
    for (;;) {
      wake.wait(lock, [this] { return ends || !batches.empty(); });
      if (ends) return;
      const std::shared_ptr<Batch> batch = std::move(batches.front());
      batches.pop_front();
      lock.unlock();
      batch->work();
      lock.lock();
    }
  }

  const pid_t process = ::getpid();
  std::mutex mutex;
  std::condition_variable wake;
  std::deque<std::shared_ptr<Batch>> batches;
  bool ends = false;
  std::vector<std::thread> all;
};

ThreadPool::~ThreadPool() {
  if (threads_ != nullptr) leave_to_parent(threads_);
}

/// In a child of fork(), gives up the threads of its parent. Their object stays: they are missing
/// in the child, and its destructor would wait for them.
void ThreadPool::leave_to_parent(std::shared_ptr<Threads>& threads) {
  if (threads->process == ::getpid()) return;
  static std::mutex mutex;
  static auto& left = *new std::vector<std::shared_ptr<Threads>>;
  const std::scoped_lock lock(mutex);
  left.push_back(std::move(threads));
}

std::shared_ptr<ThreadPool::Threads> ThreadPool::threads() {
  const std::scoped_lock lock(mutex_);
  if (threads_ != nullptr) leave_to_parent(threads_);
  if (threads_ == nullptr) threads_ = std::make_shared<Threads>();
  return threads_;
}

void ThreadPool::run(std::uint64_t n, const std::function<void(std::uint64_t)>& task,
                     const std::function<void()>& wait) {
  if (n == 0) return;
  const auto batch = std::make_shared<Batch>(n, task);
  if (n > 1) threads()->help(batch, n - 1);
  batch->work();
  // Others are at their last tasks: to sleep and to be woken would mostly take longer than these.
  const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(50);
  while (batch->done != n && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  std::unique_lock lock(batch->mutex);
  while (!batch->all_done.wait_for(lock, std::chrono::milliseconds(20),
                                   [&] { return batch->done == n; })) {
    lock.unlock();
    wait();
    lock.lock();
  }
}

}  // namespace polycodec
