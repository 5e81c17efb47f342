// SPDX-License-Identifier: MIT
// libpolycodec-wasm.so, which runs plugins that are WebAssembly. It is loaded at the first such
// plugin, and with it the runtime, so programs that use none need neither.
#pragma once

#include <polycodec/abi.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec {
class ModuleCache;
}

namespace polycodec::wasm {

/// Of MappedFile.
struct Files {
  bool (*map_again)(polycodec_bytes bytes, void* at);
  bool (*end_again)(void* at, std::size_t size) noexcept;
};

/// The exported object. Both libraries come from one build: `version` must be the same in both.
struct Modules {
  std::uint32_t struct_size;
  const char* version;
  /// The plugin in a module. `runtime` is what dlopen() gave for libwasmtime.so, and it and `files`
  /// are the same at each call. The plugin lives as long as the process; the same bytes give the
  /// same one. Its memory, work and time are those of its calls. Throws Error(Status::plugin).
  /// `files` and `cache` may be null. [thread-safe]
  const polycodec_plugin* (*open)(void* runtime, const Files* files, std::string_view bytes,
                                  ModuleCache* cache);
};

#define POLYCODEC_WASM_MODULES_SYMBOL "polycodec_wasm_modules"

}  // namespace polycodec::wasm
