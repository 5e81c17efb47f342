// SPDX-License-Identifier: MIT
// Threads for large loops of the host's own in the course of a call.
#pragma once

#include <base/byte_slices.hpp>
#include <polycodec/abi.h>

#include <cstdint>
#include <utility>

namespace polycodec {

/// While it lives, loops of this thread may use the threads of `call` (or null: none), which does
/// nothing else meanwhile.
class CallScope {
 public:
  explicit CallScope(const polycodec_call* call) noexcept
      : slot_(slot()), outer_(std::exchange(slot_, const_cast<polycodec_call*>(call))) {}
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;
  ~CallScope() { slot_ = outer_; }

  static polycodec_call* current() noexcept { return slot(); }

 private:
  /// Not in line: each look at such a variable is a call, and in line there are several.
  [[gnu::noinline]] static polycodec_call*& slot() noexcept {
    static constinit thread_local polycodec_call* current = nullptr;
    return current;
  }
  polycodec_call*& slot_;  // of this thread, which is found once
  polycodec_call* const outer_;
};

/// Calls work(from, to) for parts of [0, size), where all but the last end at a multiple of
/// `slice`. Several threads may share what is large. The work is charged elsewhere.
template <class Work>
void for_each_host_slice(std::uint64_t size, std::uint64_t slice, const Work& work) {
  polycodec_call* const call = CallScope::current();
  if (size < parallel_bytes || call == nullptr) return work(std::uint64_t{0}, size);
  Call(call).parallel_for(
      size, slice, [&](const Call&, std::uint64_t from, std::uint64_t to) { work(from, to); });
}

}  // namespace polycodec
