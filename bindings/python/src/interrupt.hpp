// SPDX-License-Identifier: MIT
// Ctrl-C while the library works without the interpreter.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <cstdint>

namespace polycodec_python {

namespace nb = nanobind;

/// While it lives and watches, SIGINT ends the call of the library that polls flag(). Python's own
/// handler runs as well, so that its exception is raised when the call has returned. It works in
/// the main thread alone, because only that one gets the exception.
class Interrupt {
 public:
  Interrupt() = default;
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

  const std::uint8_t* flag() const noexcept {
    return reinterpret_cast<const std::uint8_t*>(&flag_);
  }
  /// Ends the call, from any thread or a signal handler. [thread-safe]
  void set() noexcept { flag_.store(1, std::memory_order_relaxed); }
  /// Begins to watch: called again and again by a call that takes long, so that short ones cost no
  /// calls of the system. The interpreter is not locked. A signal that came before ends the call.
  void watch() noexcept;
  /// Ends the call with an exception of Python, which exception() gives. The interpreter is locked.
  void end_with(const nb::python_error& error) noexcept;
  const nb::object& exception() const noexcept { return exception_; }

  /// Notes the thread of the interpreter's signal handlers. Called once, from that thread.
  static void set_up();

 private:
  static void handle(int signal);

  bool install() noexcept;

  std::atomic<std::uint8_t> flag_{0};
  Interrupt* outer_ = nullptr;  // that watches
  nb::object exception_;
  bool watches_ = false;
};

static_assert(sizeof(std::atomic<std::uint8_t>) == 1 &&
              std::atomic<std::uint8_t>::is_always_lock_free);

}  // namespace polycodec_python
