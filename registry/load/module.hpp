// SPDX-License-Identifier: MIT
// Plugins that are WebAssembly modules.
#pragma once

#include <polycodec/abi.h>

#include "core/io/process.hpp"
#include "registry/load/path_check.hpp"
#include "registry/load/registry_options.hpp"

#include <filesystem>
#include <string_view>

namespace polycodec {

/// True if the library of a plugin is a module by its name.
constexpr bool is_module(std::string_view library) noexcept {
  return library.ends_with(".wasm");
}

/// The file of the runtime: what the policy says, else beside this library.
inline std::filesystem::path module_runtime(const Policy& policy) {
  return policy.wasm_runtime.empty() ? library_directory() / "libwasmtime.so"
                                     : std::filesystem::path(policy.wasm_runtime);
}

/// The plugin in the module of the open file. What the registry is linked into defines it
/// (registry/library), since the runtime is loaded at the first call. Throws LoadFailure, and
/// Error(Status::plugin) for a module that is not a plugin. `log` gets what is wrong with compiled
/// code. [thread-safe]
const polycodec_plugin* open_module(const FileHandle& file, const Policy& policy,
                                    const LogHook& log);

}  // namespace polycodec
