// SPDX-License-Identifier: MIT
// The frozen catalog: what was found, and what has been loaded of it.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/dispatch.hpp>
#include <polycodec/registry.hpp>

#include "host.hpp"
#include "json_document.hpp"
#include "library.hpp"

#include <array>
#include <atomic>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace polycodec {

struct CodecInstance;

/// A plugin whose checks all passed.
struct LoadedPlugin {
  const polycodec_plugin* plugin = nullptr;
  std::vector<const polycodec_codec*> codecs;  // in the order of the manifest
  FunctionTable functions;
};

/// A plugin of the catalog. All but the loading is constant once the catalog is frozen.
struct PluginSlot {
  const Manifest* manifest = nullptr;
  std::vector<Json> entries;        // the manifest's "codecs"
  std::filesystem::path directory;  // canonical; empty if built in
  std::filesystem::path manifest_path;
  const polycodec_plugin* builtin = nullptr;

  /// Set when loading has ended; `result` or `failure` then stays as it is.
  enum class State : std::uint8_t { untouched, loaded, refused };
  mutable std::atomic<State> state{State::untouched};
  mutable std::once_flag once;
  mutable LoadedPlugin result;
  mutable LoadFailure failure{Stage::ready, {}};
};

/// A codec of the catalog.
struct CodecSlot {
  const CodecInfo* info = nullptr;
  const PluginSlot* plugin = nullptr;
  std::size_t index = 0;         // in the plugin's manifest
  const Json* schema = nullptr;  // in the plugin's entries
  Json default_options;          // an object; what the registry's options say for this codec
  Whitelist calls;               // what its data may call where no whitelist is set
  /// Why the policy does not let the codec decode or encode; empty if it does.
  std::string decode_refusal, encode_refusal;
  /// The instance with default options, made when first wanted.
  mutable std::atomic<const CodecInstance*> default_instance{nullptr};

  CodecSlot() = default;
  CodecSlot(const CodecSlot&) = delete;
  CodecSlot& operator=(const CodecSlot&) = delete;
  ~CodecSlot();
};

/// Names as keys, looked up without making a string.
struct NameHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view name) const noexcept { return std::hash<std::string_view>()(name); }
};
using NameMap = std::unordered_map<std::string, const CodecSlot*, NameHash, std::equal_to<>>;

struct Catalog {
  RegistryOptions options;
  HostTable host;  // before what holds instances, which may use it until they are closed
  std::vector<DirectoryRecord> directories;
  std::vector<Manifest> manifests;
  std::deque<PluginSlot> plugins;  // in the order of manifests
  std::vector<CodecInfo> codecs;   // in order of name
  std::deque<CodecSlot> slots;     // in the order of codecs
  NameMap names;                   // names and aliases
  std::map<std::string, std::string, std::less<>> types;
  std::map<std::vector<std::string>, const PluginSlot*> functions;
  std::vector<ProbeRecord> refused;  // and notes; those of loading are in the slots

  /// Searches and freezes.
  static std::shared_ptr<const Catalog> make(const RegistryOptions& given);

  const CodecSlot* find(std::string_view name) const noexcept {
    const auto at = names.find(name);
    return at == names.end() ? nullptr : at->second;
  }
  const CodecSlot& slot(const CodecInfo& info) const noexcept {
    return slots[static_cast<std::size_t>(&info - codecs.data())];
  }
  const PluginSlot* find_plugin(std::string_view id) const noexcept;

  /// Loads the plugin if that has not been tried yet. Takes no lock once it has. Throws LoadFailure.
  const LoadedPlugin& load(const PluginSlot& plugin) const;
  /// The same, with the failure as Error(Status::plugin).
  const polycodec_codec& load_codec(const CodecSlot& slot) const;

  /// Opens a codec: see Registry::codec. What is returned must not outlive the catalog.
  std::shared_ptr<const CodecInstance> open_codec(std::string_view name, View given) const;
  /// With options as JSON; null: none.
  std::shared_ptr<const CodecInstance> open_slot(const CodecSlot& slot, const Json& given) const;
  const CodecSlot& need(std::string_view name) const;

  ProbeRecord record_of(const PluginSlot& plugin) const;
  std::string explain_missing(std::string_view name) const;
  /// Directories searched, candidates refused and why, what to do: lines that go on a message.
  std::string explain_places() const;
  /// True if a candidate, or a directory with whatever is in it, was refused.
  bool has_refusals() const;
  std::string_view type_notation(std::string_view name) const;
  /// The table that holds the function, after loading its plugin; null if there is none. Throws Error if the plugin
  /// is refused.
  const FunctionTable* functions_for(FunctionPath path) const;
  void log(polycodec_log_level level, const std::string& text) const noexcept;
};

}  // namespace polycodec
