// SPDX-License-Identifier: MIT
// A mutex and the thread that runs, also for WebAssembly, which has one thread and no mutex.
#pragma once

#ifndef __wasm__
#include <mutex>
#include <thread>
#endif

namespace polycodec {

#ifdef __wasm__

struct Mutex {
  void lock() noexcept {}
  void unlock() noexcept {}
};
using ThreadId = int;
inline ThreadId this_thread() noexcept {
  return 0;
}
inline void yield_thread() noexcept {}

#else

using Mutex = std::mutex;
using ThreadId = std::thread::id;
inline ThreadId this_thread() noexcept {
  return std::this_thread::get_id();
}
inline void yield_thread() noexcept {
  std::this_thread::yield();
}

#endif

}  // namespace polycodec
