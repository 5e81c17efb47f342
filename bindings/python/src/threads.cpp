// SPDX-License-Identifier: MIT
#include "threads.hpp"

#include "interrupt.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace polycodec_python {
namespace {

thread_local std::uint32_t thread_bound = 0;

/// Tasks that several threads take from until none is left.
struct Batch {
  Batch(std::uint64_t count, void (*run_task)(void*, std::uint64_t), void* task_data) noexcept
      : n(count), task(run_task), data(task_data) {}

  void work() {
    std::uint64_t done_here = 0;
    for (std::uint64_t i; (i = next.fetch_add(1)) < n; ++done_here) task(data, i);
    if (done_here == 0) return;
    const std::lock_guard lock(mutex);
    done += done_here;
    if (done == n) all_done.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex);
    while (!all_done.wait_for(lock, std::chrono::milliseconds(50), [this] { return done == n; })) {
      lock.unlock();
      Interrupt::watch_current();
      lock.lock();
    }
  }

  const std::uint64_t n;
  void (*const task)(void*, std::uint64_t);
  void* const data;
  std::atomic<std::uint64_t> next{0};
  std::mutex mutex;
  std::condition_variable all_done;
  std::uint64_t done = 0;
};

/// Threads that wait for batches. It is never destroyed, because the process may end while they
/// wait.
class Pool {
 public:
  void help(const std::shared_ptr<Batch>& batch, std::uint32_t helpers) {
    const std::lock_guard lock(mutex_);
    for (; n_threads_ < helpers; ++n_threads_) std::thread([this] { serve(); }).detach();
    for (std::uint32_t i = 0; i < helpers; ++i) batches_.push_back(batch);
    wake_.notify_all();
  }

 private:
  void serve() {
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [this] { return !batches_.empty(); });
      const std::shared_ptr<Batch> batch = std::move(batches_.front());
      batches_.pop_front();
      lock.unlock();
      batch->work();
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::shared_ptr<Batch>> batches_;
  std::uint32_t n_threads_ = 0;
};

std::atomic<Pool*> pool{nullptr};

Pool& current_pool() {
  Pool* now = pool.load();
  if (now != nullptr) return *now;
  auto made = std::make_unique<Pool>();
  if (pool.compare_exchange_strong(now, made.get())) return *made.release();
  return *now;
}

std::uint32_t processors() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? static_cast<std::uint32_t>(CPU_COUNT(&set))
                                                     : 1;
}

void run(const polycodec_executor*, std::uint64_t n, void (*task)(void*, std::uint64_t),
         void* data) {
  if (n == 0) return;
  const std::uint32_t threads = thread_bound != 0 ? thread_bound : processors();
  const auto helpers = static_cast<std::uint32_t>(std::min<std::uint64_t>(threads, n)) - 1;
  const auto batch = std::make_shared<Batch>(n, task, data);
  if (helpers != 0) try {
      current_pool().help(batch, helpers);
    } catch (...) {
      // Without further threads this one does all.
    }
  batch->work();
  batch->wait();
}

}  // namespace

const polycodec_executor* executor() {
  static const polycodec_executor shared = [] {
    // The threads do not exist in a child.
    pthread_atfork(nullptr, nullptr, [] { pool.store(nullptr); });
    return polycodec_executor{sizeof(polycodec_executor), 0, nullptr, &run};
  }();
  return &shared;
}

std::uint32_t limit_threads(std::uint32_t threads) noexcept {
  return std::exchange(thread_bound, threads);
}

}  // namespace polycodec_python
