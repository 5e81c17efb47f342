// SPDX-License-Identifier: MIT
// Ctrl-C.
#pragma once

#include <atomic>
#include <cstdint>

namespace polycodec::cli {

/// 1 after Ctrl-C: running calls end with Status::cancelled, and no output is left half-written.
std::atomic<std::uint8_t>& interrupt_flag() noexcept;
/// The same as calls and budgets take it.
inline const std::uint8_t* cancel_flag() noexcept {
  static_assert(sizeof(std::atomic<std::uint8_t>) == 1);
  return reinterpret_cast<const std::uint8_t*>(&interrupt_flag());
}
inline bool interrupted() noexcept {
  return interrupt_flag().load() != 0;
}

/// True while an EndsAtOnce lives.
std::atomic<bool>& ends_at_once() noexcept;
/// While it lives, the program has begun nothing that could be left half done. Ctrl-C ends the
/// process without a look at what runs, so that no long step and no release of memory delays it.
class EndsAtOnce {
 public:
  EndsAtOnce() noexcept : outer_(ends_at_once().exchange(true)) {}
  ~EndsAtOnce() { end(); }
  void end() noexcept { ends_at_once().store(outer_); }
  EndsAtOnce(const EndsAtOnce&) = delete;
  EndsAtOnce& operator=(const EndsAtOnce&) = delete;

 private:
  const bool outer_;
};

}  // namespace polycodec::cli
