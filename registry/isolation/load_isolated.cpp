// SPDX-License-Identifier: MIT
#include "registry/isolation/load_isolated.hpp"

#include <polycodec/error.hpp>

#include "core/io/process.hpp"
#include "registry/isolation/isolated_plugin.hpp"
#include "registry/isolation/proxies.hpp"

#include <deque>
#include <filesystem>
#include <string>
#include <utility>

namespace polycodec::isolation {
namespace {

/// A plugin with all its proxies.
struct ProxiedPlugin {
  std::shared_ptr<IsolatedPlugin> plugin;
  std::deque<ObjectProxy<polycodec_codec>> codecs;
  std::deque<ObjectProxy<polycodec_filter>> filters;
  std::deque<ObjectProxy<polycodec_store_format>> stores;
  std::deque<FunctionProxy> functions;
};

template <class T>
ObjectProxy<T>& add(std::deque<ObjectProxy<T>>& all, IsolatedPlugin& plugin, const CodecInfo& info,
                    std::uint64_t index, const std::array<std::uint64_t, 4>& described) {
  ObjectProxy<T>& proxy = all.emplace_back();
  proxy.name = info.name;
  proxy.plugin = &plugin;
  proxy.index = index;
  proxy.abi.capabilities = static_cast<std::uint32_t>(described[0]);
  if constexpr (requires { proxy.abi.inputs; }) {
    proxy.abi.inputs = static_cast<std::uint32_t>(described[1]);
    proxy.abi.outputs = static_cast<std::uint32_t>(described[2]);
  }
  fill(proxy, described[3] != 0);
  return proxy;
}

const void* add_object(ProxiedPlugin& all, const CodecInfo& info, std::uint64_t index) {
  IsolatedPlugin& plugin = *all.plugin;
  const auto described = plugin.describe(index, false);
  switch (info.kind) {
    case Kind::codec:
      return &add(all.codecs, plugin, info, index, described).abi;
    case Kind::filter:
      return &add(all.filters, plugin, info, index, described).abi;
    case Kind::store:
      return &add(all.stores, plugin, info, index, described).abi;
  }
  return nullptr;
}

void add_function(ProxiedPlugin& all, const std::vector<std::string>& path, std::uint64_t index) {
  const auto described = all.plugin->describe(index, true);
  FunctionProxy& proxy = all.functions.emplace_back();
  for (const std::string& part : path) proxy.path.push_back(part.c_str());
  proxy.plugin = all.plugin.get();
  proxy.index = index;
  proxy.abi.min_args = static_cast<std::uint32_t>(described[0]);
  proxy.abi.max_args = static_cast<std::uint32_t>(described[1]);
  fill(proxy);
}

PluginFiles files_of(const PluginSlot& slot, const Policy& policy) {
  PluginFiles files;
  files.id = slot.manifest->id;
  if (slot.builtin != nullptr) {
    files.library_path = library_file().string();
    return files;
  }
  std::filesystem::path path;
  for (const std::string& library : slot.manifest->libraries)
    files.libraries.push_back(open_plugin_file(slot, policy, library, path));
  files.library = open_plugin_file(slot, policy, slot.manifest->library, path);
  files.library_path = path.string();
  std::string problem;
  const std::string name = std::filesystem::path(slot.manifest_path).filename();
  files.manifest = PathTrust(policy.trusted_owners).open(slot.directory, name, path, problem);
  if (!files.manifest.is_open()) throw LoadFailure{Stage::path, path.string() + ": " + problem};
  files.manifest_path = path.string();
  return files;
}

}  // namespace

std::shared_ptr<const LoadedPlugin> load_isolated(const PluginSlot& slot, const Policy& policy,
                                                  const IsolationRule& rule, const LogHook& log,
                                                  const std::atomic<bool>* cancel) {
  auto all = std::make_shared<ProxiedPlugin>();
  try {
    all->plugin = std::make_shared<IsolatedPlugin>(files_of(slot, policy), rule, log, cancel);
    auto loaded = std::make_shared<LoadedPlugin>();
    const Manifest& manifest = *slot.manifest;
    for (std::size_t i = 0; i < manifest.codecs.size(); ++i)
      loaded->objects.push_back(add_object(*all, manifest.codecs[i], i));
    for (std::size_t i = 0; i < manifest.functions.size(); ++i)
      add_function(*all, manifest.functions[i], i);
    FunctionTable::Builder builder;
    for (const FunctionProxy& function : all->functions) builder.add(&function.abi, manifest.id);
    loaded->functions = builder.freeze();
    const PluginHold* const hold = all->plugin.get();
    loaded->hold = {std::move(all), hold};
    return loaded;
  } catch (const Error& e) {
    if (e.code() == Status::memory || e.code() == Status::cancelled) throw;
    throw LoadFailure{Stage::load, e.message()};
  }
}

}  // namespace polycodec::isolation
