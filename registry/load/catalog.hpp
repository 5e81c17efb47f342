// SPDX-License-Identifier: MIT
// The frozen catalog: what was found, and what has been loaded of it.
#pragma once

#include <base/seeded_hash.hpp>
#include <polycodec/abi.h>
#include <polycodec/node_view.hpp>

#include "core/dispatch/function_table.hpp"
#include "core/value/value.hpp"
#include "registry/load/isolation_rule.hpp"
#include "registry/load/library.hpp"
#include "registry/load/registry_options.hpp"

#include <array>
#include <atomic>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

/// A plugin whose checks all passed.
struct LoadedPlugin {
  std::shared_ptr<const PluginHold> hold;
  std::vector<const void*> objects;  // of the kind of each CodecInfo, in the order of the manifest
  FunctionTable functions;
};

/// Objects of the program as a plugin: its manifest, and the checks. Throw Status::option.
Manifest program_manifest(const ProgramObjects& objects);
std::shared_ptr<const LoadedPlugin> take_program_objects(const ProgramObjects& objects,
                                                         const Manifest& manifest);
/// The registry could be opened: the objects are its own from now on.
void own_program_objects(const LoadedPlugin& loaded);

/// A plugin of the catalog. All but the loading is constant once the catalog is frozen.
struct PluginSlot {
  const Manifest* manifest = nullptr;
  std::string directory;  // canonical; empty if built in
  std::string manifest_path;
  const polycodec_plugin* builtin = nullptr;
  PluginOrigin origin = PluginOrigin::foreign;
  /// True for the objects of a program.
  bool is_program() const noexcept { return builtin == nullptr && directory.empty(); }

  /// Set when loading has ended; `result` or `failure` then stays as it is.
  enum class State : std::uint8_t { untouched, loaded, refused };
  mutable std::atomic<State> state{State::untouched};
  // Not std::call_once: an exception may not pass through it where memory has run out.
  mutable std::mutex loading;
  mutable std::shared_ptr<const LoadedPlugin> result;
  mutable LoadFailure failure{Stage::ready, {}};
};

/// How the plugins of a catalog are started. Outlives all catalogs.
class PluginStarter {
 public:
  /// The table that a plugin in this process gets from init() to shutdown(): its log lines go to
  /// `log`.
  virtual std::shared_ptr<const polycodec_host> host(const LogHook& log) const = 0;
  /// Starts the plugin of a slot in a process of its own, and gives objects that call it there.
  /// Throws LoadFailure, and Error(Status::cancelled) soon after `cancel` (or null) becomes true.
  virtual std::shared_ptr<const LoadedPlugin> start_isolated(
      const PluginSlot& slot, const Policy& policy, const IsolationRule& rule, const LogHook& log,
      const std::atomic<bool>* cancel) const = 0;

 protected:
  ~PluginStarter() = default;
};

/// Opens the library of a plugin, or one of its own libraries, and `path` becomes its path. Throws
/// LoadFailure (stages path, pin).
FileHandle open_plugin_file(const PluginSlot& slot, const Policy& policy, const std::string& name,
                            std::filesystem::path& path);
/// Starts and checks a plugin whose library is loaded. `host` is what init() gets. Throws
/// LoadFailure.
std::shared_ptr<const LoadedPlugin> load_plugin(const polycodec_plugin& plugin,
                                                const Manifest& manifest,
                                                std::shared_ptr<const polycodec_host> host);

/// A codec, filter or store format of the catalog.
struct CodecSlot {
  const CodecInfo* info = nullptr;
  const PluginSlot* plugin = nullptr;
  std::size_t index = 0;  // in the plugin's manifest
  NodeView schema;        // of the options
  Value default_options;  // an object, or null: what the registry's options say
  Allowlist calls;        // what its data may call where no allowlist is set
  /// Why the policy does not let the codec decode or encode; empty if it does.
  std::string decode_refusal, encode_refusal;
};

using NameMap = SeededMap<std::string, const CodecSlot*>;

/// What was found. Constant once it is made, but for what is loaded.
struct Catalog {
  Catalog(const RegistryOptions& given, const PluginStarter& starts)
      : options(given), starter(starts) {}
  Catalog(const Catalog&) = delete;
  Catalog& operator=(const Catalog&) = delete;

  RegistryOptions options;
  const PluginStarter& starter;
  std::vector<DirectoryRecord> directories;
  std::vector<Manifest> manifests;
  std::deque<PluginSlot> plugins;  // in the order of manifests
  std::vector<CodecInfo> codecs;   // in order of kind and name
  std::deque<CodecSlot> slots;     // in the order of codecs
  std::array<NameMap, 3> names;    // names and aliases of each kind
  std::vector<TypeInfo> types;     // in order of name
  std::map<std::vector<std::string>, const PluginSlot*> functions;
  std::vector<ProbeRecord> refused;  // and notes; those of loading are in the slots
  mutable std::atomic<std::uint32_t> load_refusals{0};

  /// Searches and freezes.
  static std::shared_ptr<const Catalog> make(const RegistryOptions& given,
                                             const PluginStarter& starter);
  /// The plugins and objects of `base`, and further objects of the program.
  static std::shared_ptr<const Catalog> derive(const Catalog& base, const ProgramObjects& objects);

  const CodecSlot* find(Kind kind, std::string_view name) const noexcept {
    const NameMap& map = names[static_cast<std::size_t>(kind)];
    const auto at = map.find(name);
    return at == map.end() ? nullptr : at->second;
  }
  /// The infos of a kind.
  std::span<const CodecInfo> of_kind(Kind kind) const noexcept;
  /// The place of a slot in `slots`.
  std::size_t number_of(const CodecSlot& slot) const noexcept {
    return static_cast<std::size_t>(slot.info - codecs.data());
  }
  const CodecSlot& slot(const CodecInfo& info) const noexcept {
    return slots[static_cast<std::size_t>(&info - codecs.data())];
  }
  const PluginSlot* find_plugin(std::string_view id) const noexcept;

  /// Loads the plugin if that has not been tried yet. Takes no lock once it has. Throws
  /// LoadFailure, and Error(Status::cancelled) soon after `cancel` (or null) becomes true, which
  /// says nothing of the plugin.
  const LoadedPlugin& load(const PluginSlot& plugin,
                           const std::atomic<bool>* cancel = nullptr) const;
  void load_once(const PluginSlot& slot, const std::atomic<bool>* cancel) const;
  /// The constants of all plugins that are loaded: a value may have parts of several.
  std::string_view constants_around(const void* data, std::uint64_t size) const noexcept;
  /// The plugin of a slot, with the failure as Error(Status::plugin).
  std::shared_ptr<const LoadedPlugin> load_for(const CodecSlot& slot,
                                               const std::atomic<bool>* cancel = nullptr) const;
  template <class T>
  const T& object(const CodecSlot& slot, const std::atomic<bool>* cancel = nullptr) const {
    return *static_cast<const T*>(load_for(slot, cancel)->objects[slot.index]);
  }

  /// The slot of this name. Throws Status::not_found with explain_missing() as message.
  const CodecSlot& need(Kind kind, std::string_view name) const;

  ProbeRecord record_of(const PluginSlot& plugin) const;
  std::string explain_missing(std::string_view name, Kind kind = Kind::codec) const;
  /// Directories searched, candidates refused and why, what to do: lines that go on a message.
  std::string explain_places() const;
  /// Why the plugin whose codec reads files of this name may not be used: a rejected plugin, one in
  /// a rejected directory, or a codec that the policy denies. Reads manifests again, but no more
  /// than a few. Empty if there is none.
  std::string refused_owner(std::string_view file) const;
  /// True if a candidate, or a directory with whatever is in it, was refused.
  bool has_refusals() const;
  std::optional<std::string_view> find_type(std::string_view name) const noexcept;
  std::string_view type_notation(std::string_view name) const;
  /// The table that holds the function, after loading its plugin; null if there is none. Throws
  /// Error if the plugin is refused.
  const FunctionTable* functions_for(FunctionPath path) const;
  void log(polycodec_log_level level, const std::string& text) const noexcept;
};

}  // namespace polycodec
