// SPDX-License-Identifier: MIT
// Output that nobody keeps.
#pragma once

#include "core/io/sink_state.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace polycodec {

/// Hands on what is written, in order, and keeps nothing of it: for a sink of which the size or a
/// digest is wanted.
class PassingState : public SinkState {
 public:
  PassingState() : SinkState(UINT64_MAX), block_(std::size_t{1} << 16) { open_window(); }
  ~PassingState() override { release_adopted(); }

 protected:
  /// Hands on what is in the window.
  void pass() {
    const auto bytes = written();
    take(bytes.data(), bytes.size());
    open_window();
  }

 private:
  virtual void take(const void* data, std::size_t size) = 0;
  /// All that was handed on is void.
  virtual void restart() noexcept {}

  void open_window() noexcept { set_window(block_.data(), block_.data() + block_.size()); }
  void do_grow(std::uint64_t need) override {
    pass();
    if (need > block_.size()) block_.resize(static_cast<std::size_t>(need));
    open_window();
  }
  void do_reference(const void* data, std::uint64_t size) override {
    pass();
    take(data, static_cast<std::size_t>(size));
    add_before(size);
  }
  void do_reset() noexcept override {
    restart();
    open_window();
  }

  std::vector<std::uint8_t> block_;
};

}  // namespace polycodec
