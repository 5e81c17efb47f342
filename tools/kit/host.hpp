// SPDX-License-Identifier: MIT
// The host that the kit plays, and the calls that it makes.
#pragma once

#include <polycodec/abi.h>

#include "memory.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::kit {

/// The tables that a plugin offers; NULL for interfaces that it lacks.
struct Tables {
  const polycodec_codecs* codecs = nullptr;
  const polycodec_filters* filters = nullptr;
  const polycodec_stores* stores = nullptr;
  const polycodec_functions* functions = nullptr;
  const polycodec_types* types = nullptr;
};

/// A host table of the kit: it serves the plugin's requests from the plugin itself. [thread-safe]
class Host {
 public:
  Host() noexcept;
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;
  const polycodec_host* abi() const noexcept { return &abi_; }
  void serve(const Tables& tables) noexcept { tables_ = tables; }
  /// Lines of the level PLUGIN_MISBEHAVING or HOST_MISBEHAVING that were logged.
  std::vector<std::string> complaints() const;

 private:
  struct Thunks;
  polycodec_host abi_;
  Tables tables_;
  mutable std::mutex mutex_;
  std::vector<std::string> complaints_;
};

/// What a call took.
struct Usage {
  std::uint64_t arena_requests = 0;
  std::uint64_t sink_requests = 0;
  std::uint64_t file_requests = 0;
  std::uint64_t work = 0;    ///< units
  std::uint64_t copied = 0;  ///< bytes of the output that it does not refer to
  std::uint64_t made = 0;    ///< bytes that it took of arenas
  std::uint64_t looked = 0;  ///< bytes of a large input that it looked at
};

/// The limits that hosts set by default, but that work, memory and output have none.
inline constexpr polycodec_limits usual_limits = {.struct_size = sizeof(polycodec_limits),
                                                  .max_depth = 512,
                                                  .max_input_bytes = std::uint64_t{1} << 40,
                                                  .max_header_bytes = std::uint64_t{1} << 20,
                                                  .max_nodes = std::uint64_t{1} << 28,
                                                  .max_elements = std::uint64_t{1} << 40,
                                                  .max_work = never,
                                                  .max_memory_bytes = never,
                                                  .max_output_bytes = never,
                                                  .max_stack_bytes = std::uint64_t{1} << 30,
                                                  .deadline = never};

/// How a function is to be called, where it differs from the plain way.
struct CallSettings {
  polycodec_limits limits = usual_limits;
  bool cancelled = false;
  /// Indices of the first request that is refused.
  std::uint64_t refuse_arena = never, refuse_sink = never, refuse_file = never;
  bool count = false;          ///< each allocation is a request; fill `usage`
  bool small_windows = false;  ///< sinks: windows of just the size that is asked for
  bool small_stack = false;    ///< recursion must end long before the stack does
  const polycodec_projection* projection = nullptr;
  Usage* usage = nullptr;
};

/// The outcome of a function.
struct Answer {
  std::int32_t code = POLYCODEC_OK;
  polycodec_error error = {};
  bool ok() const noexcept { return code == POLYCODEC_OK; }
  /// "ok", or the error, such as `malformed: message (at byte 3)`.
  std::string text() const;
};

/// A call, with its own arena and budget. Counts what the plugin takes, and can refuse it.
class Call {
 public:
  Call(const Host& host, const CallSettings& settings);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  polycodec_call* abi() noexcept { return &abi_; }
  static Call& of(polycodec_call* call) noexcept { return *static_cast<Call*>(call->private_data); }
  TestArena& arena() noexcept { return *arena_; }
  const CallSettings& settings() const noexcept { return settings_; }
  SinkSettings sink_settings() const noexcept;
  Requests& file_requests() noexcept { return file_requests_; }
  /// Fills the usage of sinks.
  void count_sink(std::uint64_t requests, std::uint64_t copied) const noexcept {
    if (settings_.usage == nullptr) return;
    settings_.usage->sink_requests = requests;
    settings_.usage->copied = copied;
  }
  /// What a value or an output of this call may point to, beside `others`.
  Regions regions() const;
  Regions others;

  /// Calls `function` with an error to fill, and checks what the contract says of its answer;
  /// `input_size` bounds the error's offset. Throws Failure.
  Answer run(const char* name, std::uint64_t input_size,
             const std::function<std::int32_t(polycodec_error*)>& function);

 private:
  struct Thunks;
  Call(Call& parent, std::uint64_t index);
  std::uint64_t spent() const noexcept;

  CallSettings settings_;
  std::unique_ptr<TestArena> arena_;
  Requests file_requests_;
  std::uint64_t granted_ = 0;   ///< all credit so far, with what spend() charged
  std::uint64_t children_ = 0;  ///< units that parts of loops took
  std::vector<std::unique_ptr<Call>> parts_;
  polycodec_call abi_;
};

}  // namespace polycodec::kit
