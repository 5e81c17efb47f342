// SPDX-License-Identifier: MIT
// The runtime of modules: wasmtime, set up once, and its clock.
#pragma once

#include "registry/load/module_cache.hpp"
#include "registry/wasm/regions.hpp"
#include "registry/wasm/wasmtime.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::wasm {

/// Time between two looks at what runs.
inline constexpr std::chrono::milliseconds tick{10};
/// Nothing runs for so many of them: memory that is kept for modules goes.
inline constexpr int idle_ticks = 25;

/// What functions of a module may use of the stack of a thread, and what is left for the host.
inline constexpr std::size_t stack_of_module = std::size_t{512} << 10,
                             stack_of_host = std::size_t{256} << 10;

/// One for the process, never destroyed. [thread-safe]
class Runtime {
 public:
  /// The runtime in the library that dlopen() gave. Throws Error(Status::plugin) if it lacks
  /// functions. The first call decides.
  static Runtime& of(void* library, const Files* files);

  const Wasmtime& api() const noexcept { return api_; }
  Engine* engine() const noexcept { return engine_; }
  Regions& regions() noexcept { return regions_; }
  /// Throws Error(Status::plugin) for a failure, which it deletes. `what` begins the message.
  void check(Failure* failure, const std::string& what) const;
  /// What a failure says, which it deletes.
  std::string text_of(Failure* failure) const;
  std::string text_of(Trap* trap) const;

  /// While one lives, calls that run are looked at each tick.
  class Watch {
   public:
    explicit Watch(Runtime& runtime) : runtime_(runtime) { runtime_.begin_watch(); }
    ~Watch() { runtime_.running_.fetch_sub(1, std::memory_order_relaxed); }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

   private:
    Runtime& runtime_;
  };

 private:
  Runtime(void* library, const Files* files);
  void begin_watch();
  void stir() noexcept;
  void watch() noexcept;

  Wasmtime api_;
  Regions regions_;
  Engine* engine_ = nullptr;
  std::atomic<int> running_{0};
  std::atomic<std::uint32_t> stirs_{0};  // how often there was something for the thread to do
  std::atomic<int> process_{0};          // where the thread is: a fork of the program has none
};

/// Compiled code.
class Compiled {
 public:
  /// Throws Error(Status::plugin) for what is not a module, or needs what is not offered.
  Compiled(Runtime& runtime, std::string_view bytes, ModuleCache* cache);
  ~Compiled() { runtime.api().wasmtime_module_delete(module_); }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;

  Runtime& runtime;
  const Module* module() const noexcept { return module_; }
  std::size_t imports() const noexcept { return imports_; }

 private:
  void compile(std::string_view bytes, ModuleCache* cache);

  Module* module_ = nullptr;
  std::size_t imports_ = 0;
};

}  // namespace polycodec::wasm
