// SPDX-License-Identifier: MIT
// The checks of a plugin from its file to its descriptions, in the order of Stage.
#include <polycodec/policy.hpp>

#include "catalog.hpp"
#include "hash.hpp"
#include "path_check.hpp"

#include <array>
#include <string>
#include <utility>

namespace polycodec {
namespace {

using std::to_string;

const polycodec_plugin* open_file(const PluginSlot& slot, const Policy& policy) {
  const PathTrust trust(policy.trusted_owners);
  if (auto why = trust.directory_problem(slot.directory); !why.empty()) throw LoadFailure{Stage::path, why};
  std::filesystem::path path;
  std::string problem;
  FileHandle file = trust.open(slot.directory, slot.manifest->library, path, problem);
  if (!file.is_open()) throw LoadFailure{Stage::path, path.string() + ": " + problem};
  if (policy.needs_digest(slot.manifest->id)) {
    if (auto why = policy.refuses_digest(slot.manifest->id, sha256_of_file(file.get())); !why.empty())
      throw LoadFailure{Stage::pin, why};
  }
  return open_library(std::move(file), path);
}

void check_entry(const polycodec_plugin& plugin, const Manifest& manifest) {
  if (!POLYCODEC_HAS(&plugin, get_interface))
    throw LoadFailure{Stage::entry, "its entry object has struct_size " + to_string(plugin.struct_size) +
                                        " and so lacks fields that this ABI needs"};
  if (plugin.abi_min > POLYCODEC_ABI_MAJOR || plugin.abi_max < POLYCODEC_ABI_MAJOR)
    throw LoadFailure{Stage::abi, "it speaks ABI " + to_string(plugin.abi_min) + " to " + to_string(plugin.abi_max) +
                                      ", this host ABI " + to_string(POLYCODEC_ABI_MAJOR)};
  if (plugin.abi_min != manifest.abi_min || plugin.abi_max != manifest.abi_max)
    throw LoadFailure{Stage::abi, "it speaks ABI " + to_string(plugin.abi_min) + " to " + to_string(plugin.abi_max) +
                                      ", its manifest says " + to_string(manifest.abi_min) + " to " +
                                      to_string(manifest.abi_max)};
  if (plugin.get_interface == nullptr) throw LoadFailure{Stage::entry, "its entry object has no get_interface"};
  const auto check = [](const char* what, const char* found, const std::string& wanted) {
    if (found == nullptr || found != wanted)
      throw LoadFailure{Stage::identity, std::string("its ") + what + " is " +
                                             (found == nullptr ? "absent" : "'" + std::string(found) + "'") +
                                             ", its manifest says '" + wanted + "'"};
  };
  check("id", plugin.id, manifest.id);
  check("version", plugin.version, manifest.version);
}

struct Capability {
  std::uint32_t flag;
  bool CodecInfo::*in_manifest;
  const char* word;
};

constexpr std::array<Capability, 6> capabilities = {
    {{POLYCODEC_CAN_DECODE, &CodecInfo::can_decode, "decode"},
     {POLYCODEC_CAN_ENCODE, &CodecInfo::can_encode, "encode"},
     {POLYCODEC_CAN_STREAM, &CodecInfo::can_stream, "stream"},
     {POLYCODEC_TAKES_BYTES, &CodecInfo::takes_bytes, "take bytes"},
     {POLYCODEC_TAKES_STORE, &CodecInfo::takes_store, "take a store"},
     {POLYCODEC_TAKES_BYTES_AND_STORE, &CodecInfo::takes_bytes_and_store, "take bytes and store"}}};

void check_functions(const polycodec_codec& codec, const CodecInfo& info) {
  const std::string name = "its codec '" + info.name + "'";
  const auto refuse = [&](const std::string& what) { throw LoadFailure{Stage::interface, name + " " + what}; };
  if (!POLYCODEC_HAS(&codec, encoded_size)) refuse("has a description too short for this ABI");
  for (const auto& c : capabilities) {
    const bool says = (codec.capabilities & c.flag) != 0;
    if (says != info.*c.in_manifest)
      refuse(std::string(says ? "says that it can " : "does not say that it can ") + c.word +
             ", and its manifest says the contrary");
  }
  if (codec.open == nullptr || codec.close == nullptr) refuse("has no open or no close function");
  if (info.can_decode != (codec.decode != nullptr)) refuse("has a decode function other than it says");
  if (info.can_encode != (codec.encode != nullptr)) refuse("has an encode function other than it says");
  if (info.can_stream && (!POLYCODEC_HAS(&codec, stream_next) || codec.stream_next == nullptr))
    refuse("has no stream_next function, though it says that it can stream");
}

/// The codecs of the plugin in the order of the manifest.
std::vector<const polycodec_codec*> find_codecs(const polycodec_plugin& plugin, const Manifest& manifest) {
  const auto refuse = [](const std::string& what) { throw LoadFailure{Stage::interface, what}; };
  const auto* list = static_cast<const polycodec_codecs*>(plugin.get_interface(POLYCODEC_CODECS_INTERFACE));
  if (list == nullptr) {
    if (!manifest.codecs.empty()) refuse("it does not offer " POLYCODEC_CODECS_INTERFACE);
    return {};
  }
  if (!POLYCODEC_HAS(list, codecs)) refuse("its list of codecs is too short for this ABI");
  if (list->count != manifest.codecs.size() || (list->count != 0 && list->codecs == nullptr))
    refuse("it offers " + to_string(list->count) + " codecs, its manifest " + to_string(manifest.codecs.size()));
  std::vector<const polycodec_codec*> found;
  for (const auto& info : manifest.codecs) {
    const polycodec_codec* match = nullptr;
    for (std::uint32_t i = 0; i < list->count; ++i) {
      const polycodec_codec* codec = list->codecs[i];
      if (codec == nullptr || !POLYCODEC_HAS(codec, description) || codec->name == nullptr)
        refuse("a codec in its list is absent, too short or has no name");
      if (codec->name == info.name) match = codec;
    }
    if (match == nullptr) refuse("it does not offer the codec '" + info.name + "' of its manifest");
    check_functions(*match, info);
    found.push_back(match);
  }
  return found;
}

void check_description(const polycodec_codec& codec, const CodecInfo& info, const Json& manifest_entry) {
  const nlohmann::json entry(manifest_entry);
  const auto refuse = [&](const std::string& what) {
    throw LoadFailure{Stage::description, "its codec '" + info.name + "' " + what};
  };
  if (codec.description == nullptr) refuse("does not describe itself");
  // Plugins made otherwise than by the SDK's CMake may write the members in another order.
  const auto described = nlohmann::json::parse(codec.description, nullptr, false);
  if (described.is_discarded()) refuse("describes itself by what is not JSON");
  if (described == entry) return;
  if (!described.is_object()) refuse("describes itself by what is not a JSON object");
  for (const auto& [key, value] : entry.items())
    if (!described.contains(key) || described[key] != value)
      refuse("describes itself otherwise than the manifest does: '" + key + "' differs");
  refuse("describes itself with keys that the manifest does not have");
}

FunctionTable find_functions(const polycodec_plugin& plugin, const Manifest& manifest) {
  const auto refuse = [](const std::string& what) { throw LoadFailure{Stage::interface, what}; };
  const auto* list = static_cast<const polycodec_functions*>(plugin.get_interface(POLYCODEC_FUNCTIONS_INTERFACE));
  const std::uint32_t count = list != nullptr && POLYCODEC_HAS(list, functions) ? list->count : 0;
  if (count != manifest.functions.size() || (count != 0 && list->functions == nullptr))
    refuse("it offers " + to_string(count) + " functions, its manifest " + to_string(manifest.functions.size()));
  FunctionTable::Builder builder;
  try {
    for (std::uint32_t i = 0; i < count; ++i) builder.add(list->functions[i], manifest.id);
  } catch (const Error& e) {
    refuse(e.message());
  }
  FunctionTable functions = builder.freeze();
  for (const auto& name : manifest.functions) {
    const std::vector<std::string_view> path(name.begin(), name.end());
    if (functions.find(path) == nullptr) refuse("it does not offer the function " + describe_path(path));
  }
  return functions;
}

void check_types(const polycodec_plugin& plugin, const Manifest& manifest) {
  const auto refuse = [](const std::string& what) { throw LoadFailure{Stage::interface, what}; };
  const auto* list = static_cast<const polycodec_types*>(plugin.get_interface(POLYCODEC_TYPES_INTERFACE));
  const std::uint32_t count = list != nullptr && POLYCODEC_HAS(list, types) ? list->count : 0;
  if (count != manifest.types.size() || (count != 0 && list->types == nullptr))
    refuse("it offers " + to_string(count) + " types, its manifest " + to_string(manifest.types.size()));
  for (const auto& [name, notation] : manifest.types) {
    bool same = false;
    for (std::uint32_t i = 0; i < count && !same; ++i) {
      const polycodec_named_type* type = list->types[i];
      same = type != nullptr && POLYCODEC_HAS(type, notation) && type->name != nullptr && type->notation != nullptr &&
             type->name == name && type->notation == notation;
    }
    if (!same) refuse("it does not offer the type '" + name + "' as its manifest says");
  }
}

LoadedPlugin check_plugin(const PluginSlot& slot, const polycodec_plugin& plugin) {
  LoadedPlugin loaded;
  loaded.plugin = &plugin;
  loaded.codecs = find_codecs(plugin, *slot.manifest);
  loaded.functions = find_functions(plugin, *slot.manifest);
  check_types(plugin, *slot.manifest);
  for (std::size_t i = 0; i < loaded.codecs.size(); ++i)
    check_description(*loaded.codecs[i], slot.manifest->codecs[i], slot.entries[i]);
  return loaded;
}

}  // namespace

const LoadedPlugin& Catalog::load(const PluginSlot& slot) const {
  if (slot.state.load(std::memory_order_acquire) == PluginSlot::State::untouched) {
    std::call_once(slot.once, [&] {
      auto state = PluginSlot::State::refused;
      try {
        const polycodec_plugin* plugin = slot.builtin != nullptr ? slot.builtin : open_file(slot, options.policy);
        check_entry(*plugin, *slot.manifest);
        init_plugin(*plugin, options.log);
        slot.result = check_plugin(slot, *plugin);
        state = PluginSlot::State::loaded;
      } catch (const LoadFailure& failure) {
        slot.failure = failure;
      } catch (const std::exception& e) {
        slot.failure = {Stage::load, e.what()};
      }
      slot.state.store(state, std::memory_order_release);
      if (state == PluginSlot::State::refused)
        log(POLYCODEC_LOG_WARNING, "plugin '" + slot.manifest->id + "' refused (" +
                                       std::string(stage_name(slot.failure.stage)) + "): " + slot.failure.reason);
    });
  }
  if (slot.state.load(std::memory_order_acquire) == PluginSlot::State::refused) throw slot.failure;
  return slot.result;
}

const polycodec_codec& Catalog::load_codec(const CodecSlot& slot) const {
  try {
    return *load(*slot.plugin).codecs[slot.index];
  } catch (const LoadFailure& failure) {
    throw Error(Status::plugin, "plugin '" + slot.plugin->manifest->id + "' was refused (" +
                                    std::string(stage_name(failure.stage)) + "): " + failure.reason +
                                    "\n  manifest: " + slot.plugin->manifest_path.string() +
                                    "\n  what to do: install a sound copy of the plugin that the policy admits, or "
                                    "name another directory in POLYCODEC_PLUGIN_PATH; `polycodec doctor` shows all "
                                    "that was found")
        .codec(slot.info->name)
        .detail("plugin." + std::string(stage_name(failure.stage)));
  }
}

ProbeRecord Catalog::record_of(const PluginSlot& slot) const {
  ProbeRecord record;
  record.path = slot.manifest_path;
  record.id = slot.manifest->id;
  switch (slot.state.load(std::memory_order_acquire)) {
    case PluginSlot::State::untouched:
      record.outcome = Outcome::listed;
      record.stage = Stage::policy;
      break;
    case PluginSlot::State::loaded:
      record.outcome = Outcome::loaded;
      record.stage = Stage::ready;
      break;
    case PluginSlot::State::refused:
      record.outcome = Outcome::refused;
      record.stage = slot.failure.stage;
      record.reason = slot.failure.reason;
      break;
  }
  return record;
}

}  // namespace polycodec
