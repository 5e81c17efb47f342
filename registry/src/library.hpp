// SPDX-License-Identifier: MIT
// Shared libraries: opened once for the process, never closed.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/log.hpp>
#include <polycodec/probe.hpp>

#include "path_check.hpp"

#include <filesystem>
#include <string>

namespace polycodec {

/// Thrown while a plugin is loaded: which check failed, and why.
struct LoadFailure {
  Stage stage;
  std::string reason;
};

/// Loads the library in the open file and gives its entry object, which stays mapped for the rest of the process.
/// A file that is loaded already is not loaded again, whoever asks. `path` is for messages, and for systems without
/// /proc. Throws LoadFailure (stages elf, load, entry). [thread-safe]
const polycodec_plugin* open_library(FileHandle file, const std::filesystem::path& path);

/// Calls the plugin's init function, once in the life of the process, with a host that lives as long as the process
/// and logs to the `log` of the first caller. Throws LoadFailure (stage init). [thread-safe]
void init_plugin(const polycodec_plugin& plugin, const LogHook& log);

}  // namespace polycodec
