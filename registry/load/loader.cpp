// SPDX-License-Identifier: MIT
// The checks of a plugin from its file to its descriptions, in the order of Stage.
#include <base/json_writer.hpp>
#include <polycodec/quote.hpp>

#include "core/call/border.hpp"
#include "core/dispatch/dispatch.hpp"
#include "registry/load/catalog.hpp"
#include "registry/load/hash.hpp"
#include "registry/load/isolation_rule.hpp"
#include "registry/load/manifest.hpp"
#include "registry/load/module.hpp"
#include "registry/load/path_check.hpp"
#include "registry/load/plugins.hpp"
#include "registry/load/policy.hpp"

#include <filesystem>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

namespace polycodec {
namespace {

using std::to_string;

}  // namespace

FileHandle open_plugin_file(const PluginSlot& slot, const Policy& policy, const std::string& name,
                            std::filesystem::path& path) {
  const PathTrust trust(policy.trusted_owners);
  if (auto why = trust.directory_problem(slot.directory); !why.empty())
    throw LoadFailure{Stage::path, why};
  std::string problem;
  FileHandle file = trust.open(slot.directory, name, path, problem);
  if (!file.is_open()) throw LoadFailure{Stage::path, path.string() + ": " + problem};
  if (needs_digest(policy, slot.manifest->id)) {
    if (auto why = refuses_digest(policy, slot.manifest->id, sha256_of_file(file.get()));
        !why.empty())
      throw LoadFailure{Stage::pin, name == slot.manifest->library ? why : name + ": " + why};
  }
  return file;
}

namespace {

void check_entry(const polycodec_plugin& plugin, const Manifest& manifest) {
  if (!POLYCODEC_HAS(polycodec_plugin, &plugin, get_interface))
    throw LoadFailure{Stage::entry, "its entry object has struct_size " +
                                        to_string(plugin.struct_size) +
                                        " and so lacks fields that this ABI needs"};
  if (plugin.abi >> 16 != POLYCODEC_ABI_MAJOR)
    throw LoadFailure{Stage::abi, "it is of ABI " + to_string(plugin.abi >> 16) +
                                      ", this host loads ABI " + to_string(POLYCODEC_ABI_MAJOR)};
  if (plugin.get_interface == nullptr)
    throw LoadFailure{Stage::entry, "its entry object has no get_interface"};
  const auto check = [](const char* what, const char* found, const std::string& wanted) {
    if (found == nullptr || found != wanted)
      throw LoadFailure{Stage::identity, std::string("its ") + what + " is " +
                                             (found == nullptr ? "absent" : quote(found)) +
                                             ", its manifest says " + quote(wanted)};
  };
  check("id", plugin.id, manifest.id);
  check("version", plugin.version, manifest.version);
}

[[noreturn]] void refuse(const std::string& what) {
  throw LoadFailure{Stage::interface, what};
}

/// A lack of memory stays one: nothing is wrong with the plugin.
[[noreturn]] void refuse(const Error& e) {
  if (e.code() == Status::memory) throw Error(e);
  refuse(e.message());
}

/// The objects of one interface: from a plugin, or from the program.
template <class T>
struct Objects {
  const char* interface;  // its id; for messages
  const T* const* items;
  std::uint32_t count;
};

/// An interface of the plugin; all of them are the same table of pointers.
template <class List, class T>
Objects<T> find_objects(const polycodec_plugin& plugin, const char* id) {
  const void* found = nullptr;
  try {
    found = across_border([&] { return plugin.get_interface(&plugin, id); });
  } catch (const Error& e) {
    refuse(e);
  }
  const auto* list = static_cast<const List*>(found);
  if (list == nullptr) return {id, nullptr, 0};
  if (!POLYCODEC_HAS(List, list, items) || (list->count != 0 && list->items == nullptr))
    refuse(std::string("its list of ") + id + " is too short for this ABI");
  return {id, list->items, list->count};
}

void check_bits(const std::string& name, std::uint32_t flags, std::uint32_t flag, bool in_manifest,
                const char* word) {
  const bool says = (flags & flag) != 0;
  if (says != in_manifest)
    refuse(name + (says ? " says that it can " : " does not say that it can ") + word +
           ", and its manifest says the contrary");
}

void check_object(const std::string& name, const polycodec_codec& codec, const CodecInfo& info) {
  const std::uint32_t can = codec.capabilities;
  check_bits(name, can, POLYCODEC_CAN_READ_STREAM, info.can_read_stream, "read streams");
  check_bits(name, can, POLYCODEC_CAN_WRITE_STREAM, info.can_write_stream, "write streams");
  check_bits(name, can, POLYCODEC_CAN_LIST, info.can_list, "list");
  const auto parts = [](std::uint32_t given) { return given == 0 ? POLYCODEC_INPUT_BYTES : given; };
  if (info.can_decode && parts(codec.inputs) != info.inputs)
    refuse(name + " takes other inputs than its manifest says");
  if (info.can_encode && parts(codec.outputs) != info.outputs)
    refuse(name + " has other outputs than its manifest says");
}

void check_object(const std::string&, const polycodec_filter&, const CodecInfo&) {}

void check_object(const std::string& name, const polycodec_store_format& store,
                  const CodecInfo& info) {
  check_bits(name, store.capabilities, POLYCODEC_CAN_EDIT, info.can_edit, "edit");
  if (info.can_encode && store.create == nullptr) refuse(name + " has no create function");
  if (info.can_edit && store.edit == nullptr) refuse(name + " has no edit function");
}

/// Puts the objects of a kind into `found`, in the order of the manifest.
template <class T>
void take_objects(const Objects<T>& objects, const Manifest& manifest, Kind kind,
                  std::uint32_t can_encode, std::vector<const void*>& found) {
  std::uint32_t named = 0;
  for (std::size_t i = 0; i < manifest.codecs.size(); ++i) {
    const CodecInfo& info = manifest.codecs[i];
    if (info.kind != kind) continue;
    ++named;
    const std::string name = "its " + std::string(kind_word(kind)) + " " + quote(info.name);
    const T* match = nullptr;
    for (std::uint32_t j = 0; j < objects.count; ++j) {
      const T* object = objects.items[j];
      if (object == nullptr || !POLYCODEC_HAS(T, object, release) || object->name == nullptr)
        refuse("a " + std::string(kind_word(kind)) +
               " in its list is absent, too short or has no name");
      if (object->name == info.name) match = object;
    }
    if (match == nullptr)
      refuse("it does not offer the " + std::string(kind_word(kind)) + " " + quote(info.name) +
             " of its manifest");
    check_bits(name, match->capabilities, POLYCODEC_CAN_DECODE, info.can_decode, "decode");
    check_bits(name, match->capabilities, can_encode, info.can_encode, "encode");
    if (match->open == nullptr) refuse(name + " has no open function");
    if ((match->sniff != nullptr) != info.can_sniff)
      refuse(name + (info.can_sniff
                         ? " has no sniff function, and its manifest says \"sniff\": true"
                         : " has a sniff function, which hosts never call: add \"sniff\": true to "
                           "its entry in the manifest"));
    check_object(name, *match, info);
    found[i] = match;
  }
  if (objects.count != named)
    refuse("it offers " + to_string(objects.count) + " " + std::string(kind_word(kind)) +
           "s, its manifest " + to_string(named));
}

FunctionTable take_functions(const Objects<polycodec_function>& objects, const Manifest& manifest) {
  if (objects.count != manifest.functions.size())
    refuse("it offers " + to_string(objects.count) + " functions, its manifest " +
           to_string(manifest.functions.size()));
  FunctionTable::Builder builder;
  try {
    for (std::uint32_t i = 0; i < objects.count; ++i) builder.add(objects.items[i], manifest.id);
  } catch (const Error& e) {
    refuse(e);
  }
  FunctionTable functions = builder.freeze();
  for (const auto& name : manifest.functions) {
    const std::vector<std::string_view> path(name.begin(), name.end());
    if (functions.find(path) == nullptr)
      refuse("it does not offer the function " + describe_path(path) + " of its manifest");
  }
  return functions;
}

void check_types(const Objects<polycodec_type>& objects, const Manifest& manifest) {
  if (objects.count != manifest.types.size())
    refuse("it offers " + to_string(objects.count) + " types, its manifest " +
           to_string(manifest.types.size()));
  for (const auto& [name, notation] : manifest.types) {
    bool same = false;
    for (std::uint32_t i = 0; i < objects.count && !same; ++i) {
      const polycodec_type* type = objects.items[i];
      same = type != nullptr && POLYCODEC_HAS(polycodec_type, type, release) &&
             type->name != nullptr && type->notation != nullptr && type->name == name &&
             type->notation == notation;
    }
    if (!same) refuse("it does not offer the type " + quote(name) + " as its manifest says");
  }
}

struct AllObjects {
  Objects<polycodec_codec> codecs;
  Objects<polycodec_filter> filters;
  Objects<polycodec_store_format> stores;
  Objects<polycodec_function> functions;
  Objects<polycodec_type> types;
};

std::shared_ptr<const LoadedPlugin> check_objects(const AllObjects& all, const Manifest& manifest,
                                                  std::shared_ptr<const PluginHold> hold) {
  auto loaded = std::make_shared<LoadedPlugin>();
  loaded->hold = std::move(hold);
  loaded->objects.resize(manifest.codecs.size());
  take_objects(all.codecs, manifest, Kind::codec, POLYCODEC_CAN_ENCODE, loaded->objects);
  take_objects(all.filters, manifest, Kind::filter, POLYCODEC_CAN_ENCODE, loaded->objects);
  take_objects(all.stores, manifest, Kind::store, POLYCODEC_CAN_CREATE, loaded->objects);
  loaded->functions = take_functions(all.functions, manifest);
  check_types(all.types, manifest);
  return loaded;
}

std::shared_ptr<const LoadedPlugin> check_plugin(const polycodec_plugin& plugin,
                                                 const Manifest& manifest,
                                                 std::shared_ptr<const PluginHold> hold) {
  return check_objects(
      {find_objects<polycodec_codecs, polycodec_codec>(plugin, POLYCODEC_CODECS_INTERFACE),
       find_objects<polycodec_filters, polycodec_filter>(plugin, POLYCODEC_FILTERS_INTERFACE),
       find_objects<polycodec_stores, polycodec_store_format>(plugin, POLYCODEC_STORES_INTERFACE),
       find_objects<polycodec_functions, polycodec_function>(plugin, POLYCODEC_FUNCTIONS_INTERFACE),
       find_objects<polycodec_types, polycodec_type>(plugin, POLYCODEC_TYPES_INTERFACE)},
      manifest, std::move(hold));
}

// -- objects of the program --

/// Calls release() of what a program added, when nobody uses it any more.
class ProgramHold final : public PluginHold {
 public:
  explicit ProgramHold(const ProgramObjects& objects)
      : PluginHold(address(objects)), objects_(objects) {}
  ~ProgramHold() override {
    if (!owned_) return;
    const auto release = [](const auto& all) {
      for (const auto* object : all)
        if (object->release != nullptr) give_back([&] { object->release(object); });
    };
    release(objects_.codecs), release(objects_.filters), release(objects_.stores);
    release(objects_.functions), release(objects_.types);
  }
  void own() const noexcept { owned_ = true; }

 private:
  /// Somewhere in the code that brought them.
  static const void* address(const ProgramObjects& objects) noexcept {
    if (!objects.codecs.empty()) return reinterpret_cast<const void*>(objects.codecs[0]->open);
    if (!objects.filters.empty()) return reinterpret_cast<const void*>(objects.filters[0]->open);
    return nullptr;
  }
  ProgramObjects objects_;
  mutable bool owned_ = false;
};

/// The entries of the manifests of all objects, as a JSON list.
template <class T>
std::string entries_of(const std::vector<const T*>& objects, const char* what) {
  std::string list;
  for (const T* object : objects) {
    if (object == nullptr || !POLYCODEC_HAS(T, object, release) || object->name == nullptr ||
        object->manifest == nullptr)
      throw Error(Status::option, std::string("a ") + what +
                                      " of the program is null, too short, or has no name or "
                                      "manifest");
    list.append(list.empty() ? "" : ",").append(object->manifest);
  }
  return "[" + list + "]";
}

}  // namespace

Manifest program_manifest(const ProgramObjects& objects) {
  const std::string text = JsonObjectText()
                               .add("manifest", "2")
                               .add("id", R"("program")")
                               .add("version", R"("0.0.0")")
                               .add("library", R"("program.so")")
                               .add("abi", "2")
                               .add("summary", R"("objects of the program")")
                               .add("license", R"("")")
                               .add("codecs", entries_of(objects.codecs, "codec"))
                               .add("filters", entries_of(objects.filters, "filter"))
                               .add("stores", entries_of(objects.stores, "store"))
                               .end();
  Manifest manifest = parse_manifest(text, "manifest of the program's objects");
  // Nothing is loaded for what is there.
  std::size_t number = 0;
  const auto take_sniffers = [&](const auto& all) {
    for (const auto* object : all) manifest.codecs[number++].can_sniff = object->sniff != nullptr;
  };
  take_sniffers(objects.codecs), take_sniffers(objects.filters), take_sniffers(objects.stores);
  for (const auto* function : objects.functions) {
    if (function == nullptr || !POLYCODEC_HAS(polycodec_function, function, release))
      throw Error(Status::option, "a function of the program is null or too short");
    manifest.functions.emplace_back(function->path, function->path + function->n_path);
  }
  for (const auto* type : objects.types) {
    if (type == nullptr || !POLYCODEC_HAS(polycodec_type, type, release) || type->name == nullptr ||
        type->notation == nullptr)
      throw Error(Status::option, "a type of the program is null, too short or has no name");
    manifest.types.emplace_back(type->name, type->notation);
  }
  return manifest;
}

std::shared_ptr<const LoadedPlugin> take_program_objects(const ProgramObjects& objects,
                                                         const Manifest& manifest) {
  const auto list = [](const auto& all, const char* id) {
    return Objects<std::remove_cvref_t<decltype(*all[0])>>{id, all.data(),
                                                           static_cast<std::uint32_t>(all.size())};
  };
  try {
    return check_objects({list(objects.codecs, POLYCODEC_CODECS_INTERFACE),
                          list(objects.filters, POLYCODEC_FILTERS_INTERFACE),
                          list(objects.stores, POLYCODEC_STORES_INTERFACE),
                          list(objects.functions, POLYCODEC_FUNCTIONS_INTERFACE),
                          list(objects.types, POLYCODEC_TYPES_INTERFACE)},
                         manifest, std::make_shared<const ProgramHold>(objects));
  } catch (const LoadFailure& failure) {
    throw Error(Status::option, "an object of the program is rejected: " + failure.reason);
  }
}

void own_program_objects(const LoadedPlugin& loaded) {
  static_cast<const ProgramHold&>(*loaded.hold).own();
}

const LoadedPlugin& Catalog::load(const PluginSlot& slot, const std::atomic<bool>* cancel) const {
  if (slot.state.load(std::memory_order_acquire) == PluginSlot::State::untouched) {
    const std::lock_guard lock(slot.loading);
    if (slot.state.load(std::memory_order_relaxed) == PluginSlot::State::untouched)
      load_once(slot, cancel);
  }
  if (slot.state.load(std::memory_order_acquire) == PluginSlot::State::refused) throw slot.failure;
  return *slot.result;
}

std::shared_ptr<const LoadedPlugin> load_plugin(const polycodec_plugin& plugin,
                                                const Manifest& manifest,
                                                std::shared_ptr<const polycodec_host> host) {
  check_entry(plugin, manifest);
  return check_plugin(plugin, manifest, hold_plugin(plugin, std::move(host)));
}

void Catalog::load_once(const PluginSlot& slot, const std::atomic<bool>* cancel) const {
  auto state = PluginSlot::State::refused;
  try {
    const IsolationRule rule = isolation_rule(options.policy, *slot.manifest, slot.origin);
    if (rule.mode == IsolationMode::process) {
      slot.result = starter.start_isolated(slot, options.policy, rule, options.log, cancel);
    } else {
      if (!slot.manifest->libraries.empty())
        throw LoadFailure{Stage::policy,
                          "it has libraries of its own, and the policy runs it in-process, where "
                          "those of two plugins could be mixed up: let it run in a process"};
      const polycodec_plugin* plugin = slot.builtin;
      if (std::filesystem::path path; plugin == nullptr) {
        const std::string& library = slot.manifest->library;
        FileHandle file = open_plugin_file(slot, options.policy, library, path);
        plugin = is_module(library) ? open_module(file, options.policy, options.log)
                                    : open_library(std::move(file), path);
      }
      slot.result = load_plugin(*plugin, *slot.manifest, starter.host(options.log));
    }
    state = PluginSlot::State::loaded;
  } catch (const LoadFailure& failure) {
    slot.failure = failure;
  } catch (const std::bad_alloc&) {
    throw;  // the plugin may be loaded when there is memory again
  } catch (const Error& e) {
    if (e.code() == Status::memory || e.code() == Status::cancelled) throw;
    slot.failure = {Stage::load, e.what()};
  } catch (const std::exception& e) {
    slot.failure = {Stage::load, e.what()};
  }
  slot.state.store(state, std::memory_order_release);
  if (state != PluginSlot::State::refused) return;
  // The first one in full, then one line for all others.
  const std::uint32_t before = load_refusals.fetch_add(1);
  log(before == 0 ? POLYCODEC_LOG_WARNING : POLYCODEC_LOG_INFO,
      "plugin " + quote(slot.manifest->id) + " rejected (" +
          std::string(stage_name(slot.failure.stage)) + "): " + slot.failure.reason);
  if (before == 1)
    log(POLYCODEC_LOG_WARNING, "more plugins are rejected: `polycodec doctor` lists all");
}

std::shared_ptr<const LoadedPlugin> Catalog::load_for(const CodecSlot& slot,
                                                      const std::atomic<bool>* cancel) const {
  try {
    load(*slot.plugin, cancel);
    return slot.plugin->result;
  } catch (const LoadFailure& failure) {
    throw Error(
        Status::plugin,
        "plugin " + quote(slot.plugin->manifest->id) + " was rejected (" +
            std::string(stage_name(failure.stage)) + "): " + failure.reason +
            "\n  manifest: " + slot.plugin->manifest_path +
            "\n  what to do: fix the cause above or reinstall the plugin; to add a directory "
            "set POLYCODEC_PLUGIN_PATH or --plugin-path; `polycodec doctor` shows "
            "everything that was found")
        .codec(slot.info->name)
        .detail("plugin." + std::string(stage_name(failure.stage)));
  }
}

ProbeRecord Catalog::record_of(const PluginSlot& slot) const {
  ProbeRecord record;
  record.path = slot.manifest_path;
  record.id = slot.manifest->id;
  try {
    record.runs = isolation_rule(options.policy, *slot.manifest, slot.origin).mode;
    record.why_there = reason_of_place(options.policy, *slot.manifest, slot.origin);
  } catch (const LoadFailure&) {  // NOLINT: it runs nowhere
  }
  switch (slot.state.load(std::memory_order_acquire)) {
    case PluginSlot::State::untouched:
      record.outcome = Outcome::listed;
      record.stage = Stage::policy;
      break;
    case PluginSlot::State::loaded:
      record.outcome = Outcome::loaded;
      record.stage = Stage::ready;
      record.isolation = slot.result->hold->isolation();
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
