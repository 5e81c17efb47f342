// SPDX-License-Identifier: MIT
#include "registry/load/search_path.hpp"

#include "core/io/process.hpp"

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <string_view>

namespace polycodec {
namespace {

void add(std::vector<SearchEntry>& all, std::string_view list, const char* origin) {
  while (!list.empty()) {
    const auto end = std::min(list.find(':'), list.size());
    if (end != 0) all.push_back({std::filesystem::path(list.substr(0, end)), origin});
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

#define POLYCODEC_PLUGINS_BELOW "polycodec/plugins/abi2"
#define POLYCODEC_SITE_BELOW "polycodec/site/abi2"
static_assert(POLYCODEC_ABI_MAJOR == 2);

using Role = SearchEntry::Role;

/// The directories below a prefix that the environment names.
void add_prefix(std::vector<SearchEntry>& all, const char* variable,
                std::initializer_list<const char*> below) {
  const char* const value = trusted_environment(variable);
  if (value == nullptr) return;
  if (*value == '\0') return all.push_back({{}, variable});
  for (const char* const directory : below)
    all.push_back({std::filesystem::path(value) / directory, variable, Role::implied});
}

void add_environment(std::vector<SearchEntry>& all) {
  for (const char* const variable : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    add_prefix(all, variable, {"lib/" POLYCODEC_SITE_BELOW, "lib/" POLYCODEC_PLUGINS_BELOW});
  // Where it is not set, the specification of XDG names a default.
  if (trusted_environment("XDG_DATA_HOME") != nullptr)
    add_prefix(all, "XDG_DATA_HOME", {POLYCODEC_PLUGINS_BELOW});
  else if (const char* home = trusted_environment("HOME"); home != nullptr && *home == '/')
    add_prefix(all, "HOME", {".local/share/" POLYCODEC_PLUGINS_BELOW});
}

std::string beside_library(const char* below) {
  const auto directory = library_directory();
  return directory.empty() ? directory : directory / below;
}

}  // namespace

std::string default_plugin_directory() {
  return beside_library(POLYCODEC_PLUGINS_BELOW);
}

std::string site_plugin_directory() {
  return beside_library(POLYCODEC_SITE_BELOW);
}

std::vector<SearchEntry> search_path(const RegistryOptions& options) {
  std::vector<SearchEntry> all;
  const auto variable = [&](const char* name) {
    return options.use_environment ? trusted_environment(name) : nullptr;
  };
  for (const auto& path : options.add_paths) all.push_back({path, "options"});
  if (const char* list = variable("POLYCODEC_PLUGIN_PATH")) add(all, list, "POLYCODEC_PLUGIN_PATH");
  if (const char* list = variable("POLYCODEC_PLUGIN_SYSTEM_PATH")) {
    add(all, list, "POLYCODEC_PLUGIN_SYSTEM_PATH");
  } else if (!options.plugin_paths.empty()) {
    for (const auto& path : options.plugin_paths) all.push_back({path, "options"});
  } else {
    if (options.use_environment) add_environment(all);
    all.push_back({"/usr/local/lib/" POLYCODEC_SITE_BELOW, "default", Role::implied});
    all.push_back({site_plugin_directory(), "default", Role::implied});
    all.push_back({default_plugin_directory(), "default", Role::package});
  }
  return all;
}

}  // namespace polycodec
