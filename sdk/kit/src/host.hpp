// SPDX-License-Identifier: MIT
// The host that the kit plays: counts what a plugin takes, and can refuse it.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/limits.hpp>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace polycodec::kit {

inline constexpr std::uint64_t never = UINT64_MAX;

/// A host table of the kit. [thread-safe]
class Host {
 public:
  Host() noexcept;
  ~Host();
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  const polycodec_host* abi() const noexcept { return &abi_; }

  /// What the plugin's own requests for codecs and functions are served from: the plugin itself.
  void serve(const polycodec_codecs* codecs, const polycodec_functions* functions) noexcept {
    codecs_ = codecs;
    functions_ = functions;
  }
  /// The allocation with this index, counted from now, and all after it are refused.
  void refuse_allocation(std::uint64_t index) noexcept {
    asked_ = 0;
    refuse_from_ = index;
  }
  std::uint64_t allocations_asked() const noexcept { return asked_; }
  /// Blocks that were allocated and not freed.
  std::int64_t blocks_held() const noexcept { return held_; }
  /// Lines of the level PLUGIN_MISBEHAVING or HOST_MISBEHAVING that were logged.
  std::vector<std::string> complaints() const;

 private:
  struct Thunks;
  polycodec_host abi_;
  const polycodec_codecs* codecs_ = nullptr;
  const polycodec_functions* functions_ = nullptr;
  std::atomic<std::uint64_t> asked_ = 0;
  std::atomic<std::uint64_t> refuse_from_ = never;
  std::atomic<std::int64_t> held_ = 0;
  mutable std::mutex mutex_;
  std::vector<std::string> complaints_;
};

/// A call of decode or encode: its limits, and whether it is cancelled.
class Call {
 public:
  explicit Call(const Limits& limits = {}, bool cancelled = false) noexcept;
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  const polycodec_call* abi() const noexcept { return &abi_; }
  const Limits& limits() const noexcept { return limits_; }

 private:
  Limits limits_;
  polycodec_limits abi_limits_;
  polycodec_call abi_;
};

}  // namespace polycodec::kit
