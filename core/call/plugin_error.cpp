// SPDX-License-Identifier: MIT
#include "core/call/plugin_error.hpp"

#include <atomic>
#include <cstdint>

namespace polycodec {
namespace {

std::uint64_t first_number() noexcept {
  static std::atomic<std::uint64_t> threads{0};
  return (threads.fetch_add(1, std::memory_order_relaxed) + 1) << 40;
}

struct Thread {
  std::uint64_t next = 0;
  PluginError* innermost = nullptr;
};
thread_local Thread thread;

}  // namespace

PluginError::PluginError() noexcept : outer_(thread.innermost) {
  if (thread.next == 0) thread.next = first_number();
  number_ = thread.next++;
  thread.innermost = this;
  raw()->say = &hear;
  // Not a pointer: nothing is read at what a plugin has kept.
  raw()->say_data = reinterpret_cast<void*>(static_cast<std::uintptr_t>(number_));
}

PluginError::~PluginError() {
  thread.innermost = outer_;
}

void PluginError::hear(void* say_data, polycodec_bytes message, polycodec_bytes path) noexcept {
  const auto number = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(say_data));
  for (PluginError* at = thread.innermost; at != nullptr; at = at->outer_)
    if (at->number_ == number) return at->own_.hear(message, path);
}

}  // namespace polycodec
