// SPDX-License-Identifier: MIT
// When to ask the host whether the call is to end.
#pragma once

#include <polycodec/codec.hpp>

#include <cstdint>

namespace polycodec {

/// Counts the work of a call, and asks the host about once per MiB of it, or every 65536 items. For one thread; the
/// call outlives it. Steps are a subtraction, so that they may stand in the inner loops.
class Pace {
 public:
  explicit Pace(const Call& call) noexcept : call_(&call) {}

  /// One item of `bytes` bytes (of memory, so below 2^63), or many items at once. Throws Status::cancelled if the
  /// call is to end.
  void step(std::uint64_t bytes = 0) {
    left_ -= static_cast<std::int64_t>(bytes) + item_cost;
    if (left_ < 0) [[unlikely]]
      ask();
  }

 private:
  [[gnu::noinline]] void ask() {
    left_ = interval;
    call_->check_cancelled();
  }

  static constexpr std::int64_t interval = std::int64_t{1} << 20;
  static constexpr std::int64_t item_cost = interval / 65536;

  const Call* call_;
  std::int64_t left_ = interval;
};

}  // namespace polycodec
