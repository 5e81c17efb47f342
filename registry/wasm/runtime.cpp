// SPDX-License-Identifier: MIT
#include "registry/wasm/runtime.hpp"

#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <thread>

namespace polycodec::wasm {

Runtime& Runtime::of(void* library, const Files* files) {
  static auto* const runtime = new Runtime(library, files);
  return *runtime;
}

Runtime::Runtime(void* library, const Files* files) : regions_(api_, files, [this] { stir(); }) {
#define POLYCODEC_FIND(name, result, parameters)                                 \
  api_.name = reinterpret_cast<result(*) parameters>(::dlsym(library, #name));   \
  if (api_.name == nullptr)                                                      \
    throw Error(Status::plugin, "the WebAssembly runtime has no function " #name \
                                ": install version 40 or later of wasmtime's C library");
  POLYCODEC_WASMTIME_FUNCTIONS(POLYCODEC_FIND)
#undef POLYCODEC_FIND
  Config* const config = api_.wasm_config_new();
  // A library does not take the signals of its program: each access is checked by code instead.
  api_.wasmtime_config_signals_based_traps_set(config, false);
  api_.wasmtime_config_memory_may_move_set(config, false);
  api_.wasmtime_config_epoch_interruption_set(config, true);
  api_.wasmtime_config_parallel_compilation_set(config, false);  // it would start threads
  api_.wasmtime_config_max_wasm_stack_set(config, stack_of_module);
  api_.wasmtime_config_wasm_memory64_set(config, false);
  api_.wasmtime_config_wasm_multi_memory_set(config, false);
  regions_.serve(config);
  api_.wasmtime_config_memory_init_cow_set(config, false);  // not with memory of the host
  // Exceptions, which are on, have a heap beside linear memory. Its bound is that of the memory.
  api_.wasmtime_config_wasm_gc_set(config, false);
  engine_ = api_.wasm_engine_new_with_config(config);
  if (engine_ == nullptr) throw Error(Status::plugin, "the WebAssembly runtime does not start");
  static Regions* held = nullptr;  // of the one runtime
  held = &regions_;
  constexpr auto release = [] { held->release(); };
  ::pthread_atfork([] { held->hold(); }, release, release);
}

void Runtime::check(Failure* failure, const std::string& what) const {
  if (failure != nullptr) throw Error(Status::plugin, what + text_of(failure));
}

std::string Runtime::text_of(Failure* failure) const {
  ByteVec text{};
  api_.wasmtime_error_message(failure, &text);
  std::string message = quote(std::string_view(text.data, text.size));
  api_.wasm_byte_vec_delete(&text);
  api_.wasmtime_error_delete(failure);
  return message;
}

std::string Runtime::text_of(Trap* trap) const {
  ByteVec text{};
  api_.wasm_trap_message(trap, &text);
  std::string message(text.data, text.size);
  api_.wasm_byte_vec_delete(&text);
  api_.wasm_trap_delete(trap);
  while (!message.empty() && (message.back() == '\0' || message.back() == '\n')) message.pop_back();
  return message;
}

void Runtime::begin_watch() {
  if (running_.fetch_add(1, std::memory_order_relaxed) == 0) stir();
  const int here = ::getpid();
  int before = process_.load(std::memory_order_relaxed);
  if (before == here || !process_.compare_exchange_strong(before, here)) return;
  // Signals of the program are for its own threads.
  sigset_t all, old;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &old);
  try {
    std::thread([this] { watch(); }).detach();
  } catch (...) {
    ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
    process_.store(0);
    running_.fetch_sub(1);
    throw Error(Status::memory, "no thread can be started, which a module needs");
  }
  ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

void Runtime::stir() noexcept {
  stirs_.fetch_add(1);
  stirs_.notify_one();
}

void Runtime::watch() noexcept {
  for (std::uint32_t seen = stirs_;; stirs_.wait(seen)) {
    for (int idle = 0; idle < idle_ticks; ++idle) {
      std::this_thread::sleep_for(tick);
      api_.wasmtime_engine_increment_epoch(engine_);
      if (running_ != 0 || stirs_ != seen) idle = 0;
      seen = stirs_;
    }
    regions_.trim();
  }
}

void Compiled::compile(std::string_view bytes, ModuleCache* cache) {
  const Wasmtime& api = runtime.api();
  const auto data = [](std::string_view of) {
    return reinterpret_cast<const std::uint8_t*>(of.data());
  };
  if (const std::string code = cache == nullptr ? std::string() : cache->find(); !code.empty()) {
    Failure* const failure =
        api.wasmtime_module_deserialize(runtime.engine(), data(code), code.size(), &module_);
    if (failure == nullptr) return;
    cache->reject(runtime.text_of(failure));
  }
  runtime.check(api.wasmtime_module_new(runtime.engine(), data(bytes), bytes.size(), &module_),
                "it cannot be compiled: ");
  if (cache == nullptr || !cache->is_on()) return;
  ByteVec code{};
  if (Failure* const failure = api.wasmtime_module_serialize(module_, &code))
    return api.wasmtime_error_delete(failure);
  cache->keep(std::string_view(code.data, code.size));
  api.wasm_byte_vec_delete(&code);
}

Compiled::Compiled(Runtime& by, std::string_view bytes, ModuleCache* cache) : runtime(by) {
  const Wasmtime& api = runtime.api();
  // The text format is for people, and its parser is not needed here.
  if (!bytes.starts_with(std::string_view("\0asm", 4)))
    throw Error(Status::plugin, "it is not a WebAssembly module: it does not begin with '\\0asm'");
  compile(bytes, cache);
  ImportTypeVec imports{};
  api.wasmtime_module_imports(module_, &imports);
  std::string foreign;
  for (std::size_t i = 0; i < imports.size && foreign.empty(); ++i) {
    const auto text = [](const ByteVec* of) { return std::string_view(of->data, of->size); };
    const std::string_view module = text(api.wasm_importtype_module(imports.data[i]));
    const std::string_view name = text(api.wasm_importtype_name(imports.data[i]));
    if (module != "polycodec" || name != "fail")
      foreign = std::string(module) + "." + std::string(name);
  }
  imports_ = imports.size;
  api.wasm_importtype_vec_delete(&imports);
  if (foreign.empty()) return;
  api.wasmtime_module_delete(module_);
  throw Error(Status::plugin, "it imports " + quote(foreign) +
                                  ", and polycodec.fail alone is offered: link without WASI");
}

}  // namespace polycodec::wasm
