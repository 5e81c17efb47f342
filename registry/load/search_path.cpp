// SPDX-License-Identifier: MIT
#include "registry/load/search_path.hpp"

#include "core/io/process.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace polycodec {
namespace {

void add(std::vector<SearchEntry>& all, std::string_view list, const char* origin) {
  while (!list.empty()) {
    const auto end = std::min(list.find(':'), list.size());
    if (end != 0) all.push_back({std::filesystem::path(list.substr(0, end)), origin});
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

/// A directory below which users install things.
struct Prefix {
  const char* variable;
  const char* below;
};
constexpr Prefix prefixes[] = {
    {"VIRTUAL_ENV", "lib"}, {"CONDA_PREFIX", "lib"}, {"XDG_DATA_HOME", ""}};

std::filesystem::path plugins_in(const std::filesystem::path& directory) {
  return directory / "polycodec" / "plugins" / ("abi" + std::to_string(POLYCODEC_ABI_MAJOR));
}

/// The directories of the prefixes that the environment names, but not `last`, which follows them.
void add_prefixes(std::vector<SearchEntry>& all, const std::filesystem::path& last) {
  for (const Prefix& prefix : prefixes) {
    const char* const value = trusted_environment(prefix.variable);
    if (value == nullptr) continue;
    if (*value == '\0') {
      all.push_back({{}, prefix.variable});
      continue;
    }
    const auto directory = plugins_in(std::filesystem::path(value) / prefix.below);
    std::error_code missing;
    const auto is_same = [&](const std::filesystem::path& other) {
      return directory == other || std::filesystem::equivalent(directory, other, missing);
    };
    if (!is_same(last) && std::ranges::none_of(all, is_same, &SearchEntry::path))
      all.push_back({directory, prefix.variable});
  }
}

}  // namespace

std::string default_plugin_directory() {
  const auto directory = library_directory();
  return directory.empty() ? directory : plugins_in(directory);
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
    const std::string last = default_plugin_directory();
    if (options.use_environment) add_prefixes(all, last);
    all.push_back({last, "default"});
  }
  return all;
}

}  // namespace polycodec
