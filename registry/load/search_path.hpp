// SPDX-License-Identifier: MIT
// Which directories are searched for plugins.
#pragma once

#include "registry/load/registry_options.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace polycodec {

/// A directory to search, and who named it.
struct SearchEntry {
  std::filesystem::path path;  // empty: the variable `origin` is set and says nothing
  std::string origin;
};

/// The directory that this library is in; empty if it cannot be found out.
std::filesystem::path library_directory();

/// The search path, first directory first, as the options and (unless the process is privileged)
/// the environment say.
std::vector<SearchEntry> search_path(const RegistryOptions& options);

/// The value of an environment variable, or null; null for all in processes that run with more
/// rights than who started them.
const char* trusted_environment(const char* name);

/// The directory that is searched by default: `polycodec/plugins/abi2` beside the registry library.
POLYCODEC_API std::string default_plugin_directory();

}  // namespace polycodec
