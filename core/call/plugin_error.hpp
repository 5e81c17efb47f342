// SPDX-License-Identifier: MIT
// The error of a call of a plugin.
#pragma once

#include <polycodec/error.hpp>

#include <cstdint>

namespace polycodec {

/// A C error for a call of a plugin, which may say more of it than its fields hold: while this
/// lives, and on its thread, once. A plugin that keeps say() and say_data for later is not heard.
/// One thread; the last one made is the first to go.
class PluginError {
 public:
  PluginError() noexcept;
  PluginError(const PluginError&) = delete;
  PluginError& operator=(const PluginError&) = delete;
  ~PluginError();

  /// For the call.
  polycodec_error* raw() noexcept { return own_.raw(); }
  /// What the plugin reported, which returned `code`.
  Error error(std::int32_t code) const { return own_.error(code); }

 private:
  static void hear(void* say_data, polycodec_bytes message, polycodec_bytes path) noexcept;

  CallError own_;
  std::uint64_t number_;  // of no other one of the process
  PluginError* outer_;    // of this thread
};

}  // namespace polycodec
