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

/// The search path, first directory first, as the options and (unless the process is privileged)
/// the environment say.
std::vector<SearchEntry> search_path(const RegistryOptions& options);

/// The directory that is searched by default: `polycodec/plugins/abi2` beside the registry library.
std::string default_plugin_directory();

}  // namespace polycodec
