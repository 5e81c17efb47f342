// SPDX-License-Identifier: MIT
#include "search_path.hpp"

#include <dlfcn.h>
#include <sys/auxv.h>

#include <cstdlib>
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

}  // namespace

const char* trusted_environment(const char* name) {
  if (::getauxval(AT_SECURE) != 0) return nullptr;
  return ::secure_getenv(name);
}

std::filesystem::path default_plugin_directory() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&default_plugin_directory), &info) == 0 || info.dli_fname == nullptr)
    return {};
  std::error_code error;
  const auto library = std::filesystem::canonical(info.dli_fname, error);
  if (error) return {};
  return library.parent_path() / "polycodec" / "plugins" / ("abi" + std::to_string(POLYCODEC_ABI_MAJOR));
}

std::vector<SearchEntry> search_path(const RegistryOptions& options) {
  std::vector<SearchEntry> all;
  const char* replace = options.use_environment ? trusted_environment("POLYCODEC_PLUGIN_PATH") : nullptr;
  const char* more = options.use_environment ? trusted_environment("POLYCODEC_ADD_PLUGIN_PATH") : nullptr;
  for (const auto& path : options.add_paths) all.push_back({path, "options"});
  if (more != nullptr) add(all, more, "POLYCODEC_ADD_PLUGIN_PATH");
  if (replace != nullptr) {
    add(all, replace, "POLYCODEC_PLUGIN_PATH");
  } else if (!options.plugin_paths.empty()) {
    for (const auto& path : options.plugin_paths) all.push_back({path, "options"});
  } else {
    all.push_back({default_plugin_directory(), "default"});
  }
  return all;
}

}  // namespace polycodec
