// SPDX-License-Identifier: MIT
// Plugins that are WebAssembly modules.
#pragma once

#include <polycodec/abi.h>

#include "registry/load/path_check.hpp"
#include "registry/load/registry_options.hpp"

#include <filesystem>
#include <string_view>

namespace polycodec {

/// True if the library of a plugin is a module by its name.
constexpr bool is_module(std::string_view library) noexcept {
  return library.ends_with(".wasm");
}

/// The file of the runtime that is used where a policy names none, and what to do if it is missing.
struct UsualRuntime {
  std::filesystem::path file;
  const char* advice;
};

/// A place that no environment has a say in. What the registry is linked into says it
/// (registry/library).
UsualRuntime usual_runtime();

/// The file of the runtime.
inline std::filesystem::path module_runtime(const Policy& policy) {
  return policy.wasm_runtime.empty() ? usual_runtime().file
                                     : std::filesystem::path(policy.wasm_runtime);
}

/// The plugin in the module of the open file. What the registry is linked into defines it
/// (registry/library), since the runtime is loaded at the first call. Throws LoadFailure, and
/// Error(Status::plugin) for a module that is not a plugin. `log` gets what is wrong with compiled
/// code. [thread-safe]
const polycodec_plugin* open_module(const FileHandle& file, const Policy& policy,
                                    const LogHook& log);

}  // namespace polycodec
