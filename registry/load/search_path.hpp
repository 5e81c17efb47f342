// SPDX-License-Identifier: MIT
// Which directories are searched for plugins.
#pragma once

#include "registry/load/registry_options.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace polycodec {

/// A directory to search, and who named it.
struct SearchEntry {
  enum class Role : std::uint8_t {
    named,    ///< somebody wants it to be searched
    implied,  ///< a place for plugins of others; left out if it is searched anyway
    package   ///< of the package's own plugins
  };
  std::filesystem::path path;  // empty: the variable `origin` is set and says nothing
  std::string origin;
  Role role = Role::named;
};

/// The search path, first directory first, as the options and (unless the process is privileged)
/// the environment say.
std::vector<SearchEntry> search_path(const RegistryOptions& options);

/// The directory of the package's own plugins: `polycodec/plugins/abi2` beside the registry
/// library.
std::string default_plugin_directory();

/// The directory for plugins of others in the same prefix: `polycodec/site/abi2` beside the
/// registry library.
std::string site_plugin_directory();

}  // namespace polycodec
