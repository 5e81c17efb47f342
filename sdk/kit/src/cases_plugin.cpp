// SPDX-License-Identifier: MIT
#include <polycodec/registry.hpp>

#include "cases.hpp"
#include "elf.hpp"
#include "plugin.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace polycodec::kit {
namespace {

void check_manifest(const Settings& settings) {
  const Manifest manifest = read_manifest(settings);
  require(settings.manifest.filename() == manifest.id + ".polycodec.json",
          "the manifest must be called " + manifest.id + ".polycodec.json");
  require(settings.library.filename() == manifest.library, "the manifest names the library '" + manifest.library +
                                                               "', the file is called '" +
                                                               settings.library.filename().string() + "'");
}

void check_exports(const Settings& settings) {
  auto exported = read_elf(settings.library).exported;
  std::erase(exported, POLYCODEC_ENTRY_SYMBOL);
  std::string names;
  for (std::size_t i = 0; i < std::min<std::size_t>(exported.size(), 10); ++i) names += " " + exported[i];
  require(exported.empty(), std::to_string(exported.size()) +
                                " symbols are exported besides " POLYCODEC_ENTRY_SYMBOL +
                                " (use polycodec_add_plugin, or a version script):" + names);
}

void check_dependencies(const Settings& settings) {
  const ElfSummary elf = read_elf(settings.library);
  for (const std::string& name : elf.needed)
    require(!name.starts_with("libpolycodec"),
            "the plugin needs " + name + "; a plugin must not link polycodec's host libraries");
  require(elf.run_path.empty(), "the plugin brings a search path for libraries: " + elf.run_path);
  require(!elf.executable_stack, "the plugin asks for an executable stack");
  require(!elf.text_relocations, "the plugin has text relocations: it was compiled without -fPIC");
}

void check_entry(const Settings& settings) {
  const Manifest manifest = read_manifest(settings);
  const polycodec_plugin& entry = entry_object(settings);
  require(entry.struct_size >= sizeof(polycodec_plugin), "struct_size is " + std::to_string(entry.struct_size) +
                                                             ", at least " +
                                                             std::to_string(sizeof(polycodec_plugin)) + " is needed");
  require(entry.flags == 0, "flags must be 0");
  require(entry.abi_min <= entry.abi_max, "abi_min is greater than abi_max");
  require(entry.abi_min <= POLYCODEC_ABI_MAJOR && POLYCODEC_ABI_MAJOR <= entry.abi_max,
          "the plugin speaks ABI " + std::to_string(entry.abi_min) + " to " + std::to_string(entry.abi_max) +
              ", not " + std::to_string(POLYCODEC_ABI_MAJOR));
  require(entry.abi_min == manifest.abi_min && entry.abi_max == manifest.abi_max,
          "the ABI range of the entry object is not that of the manifest");
  require(entry.id != nullptr && entry.id == manifest.id, "id is not that of the manifest, " + manifest.id);
  require(entry.version != nullptr && entry.version == manifest.version,
          "version is not that of the manifest, " + manifest.version);
  require(entry.get_interface != nullptr, "get_interface is NULL");
}

// The object is checked before code of the plugin runs, so code of the plugin must not be able to change it later.
void check_constant(const Settings& settings) {
  const auto address = reinterpret_cast<std::uintptr_t>(&entry_object(settings));
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream fields(line);
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    char dash = 0;
    std::string permissions;
    fields >> std::hex >> begin >> dash >> end >> permissions;
    if (address < begin || address >= end) continue;
    require(permissions.find('w') == std::string::npos,
            "the entry object lies in writable memory: make it const, and link with -z relro -z now");
    return;
  }
  skip("/proc/self/maps does not list the entry object");
}

void check_interfaces(const Settings& settings) {
  const polycodec_plugin& object = Plugin::get(settings).object();
  for (const char* id : {"", "polycodec", "polycodec.codecs", "polycodec.codecs/", "polycodec.codecs/2",
                         "polycodec.codecs/11", "polycodec.unknown/1", "POLYCODEC.CODECS/1"})
    require(object.get_interface(id) == nullptr, std::string("get_interface(\"") + id + "\") is not NULL");
  for (const char* id : {POLYCODEC_CODECS_INTERFACE, POLYCODEC_FUNCTIONS_INTERFACE, POLYCODEC_TYPES_INTERFACE})
    require(object.get_interface(id) == object.get_interface(id),
            std::string("get_interface(\"") + id + "\") changes from call to call");
}

void check_codec(const polycodec_codec& codec, const CodecInfo& info) {
  require(codec.struct_size >= sizeof(polycodec_codec), "struct_size is too small");
  const auto flag = [&](std::uint32_t bit, bool declared, const char* word) {
    require(((codec.capabilities & bit) != 0) == declared,
            std::string("capabilities and manifest disagree about ") + word);
  };
  flag(POLYCODEC_CAN_DECODE, info.can_decode, "decode");
  flag(POLYCODEC_CAN_ENCODE, info.can_encode, "encode");
  flag(POLYCODEC_CAN_STREAM, info.can_stream, "stream");
  flag(POLYCODEC_TAKES_BYTES, info.takes_bytes, "input bytes");
  flag(POLYCODEC_TAKES_STORE, info.takes_store, "input store");
  flag(POLYCODEC_TAKES_BYTES_AND_STORE, info.takes_bytes_and_store, "input bytes+store");
  require(codec.open != nullptr && codec.close != nullptr, "open or close is NULL");
  require((codec.decode != nullptr) == info.can_decode, "decode() is there, or missing, against the manifest");
  require((codec.encode != nullptr) == info.can_encode, "encode() is there, or missing, against the manifest");
  require((codec.stream_next != nullptr) == info.can_stream, "stream_next() disagrees with the manifest");
  require(codec.description != nullptr, "description is NULL");
  const auto described = nlohmann::json::parse(codec.description, nullptr, false);
  require(!described.is_discarded(), "description is not JSON");
  require(described == nlohmann::json::parse(info.description), "description is not the manifest's entry");
}

void check_codecs(const Settings& settings) {
  const Manifest manifest = read_manifest(settings);
  const Plugin& plugin = Plugin::get(settings);
  const polycodec_codecs* codecs = plugin.codecs();
  if (manifest.codecs.empty() && codecs == nullptr) skip("the plugin has no codecs");
  require(codecs != nullptr, "the plugin does not offer " POLYCODEC_CODECS_INTERFACE);
  require(codecs->struct_size >= sizeof(polycodec_codecs), "polycodec_codecs.struct_size is too small");
  require(codecs->count == manifest.codecs.size(), "the manifest has " + std::to_string(manifest.codecs.size()) +
                                                       " codecs, the library " + std::to_string(codecs->count));
  Problems problems;
  for (const CodecInfo& info : manifest.codecs)
    problems.run(info.name, [&] { check_codec(plugin.codec(info.name), info); });
  problems.check();
}

void check_functions(const Settings& settings) {
  const Manifest manifest = read_manifest(settings);
  const polycodec_functions* functions = Plugin::get(settings).functions();
  const std::uint32_t count = functions == nullptr ? 0 : functions->count;
  if (count == 0 && manifest.functions.empty()) skip("the plugin registers no functions");
  std::vector<std::vector<std::string>> names;
  for (std::uint32_t i = 0; i < count; ++i) {
    const polycodec_function& f = *functions->functions[i];
    require(f.struct_size >= sizeof f && f.call != nullptr && f.doc != nullptr && f.min_args <= f.max_args,
            "function " + std::to_string(i) + " breaks the contract of polycodec_function");
    names.emplace_back(f.path, f.path + f.n_path);
  }
  auto declared = manifest.functions;
  std::sort(names.begin(), names.end());
  std::sort(declared.begin(), declared.end());
  require(names == declared, "the functions are not those of the manifest");
}

void check_lifecycle(const Settings& settings) {
  if (settings.in_process) skip("deinit() can only be called once, and other cases need the plugin");
  const Manifest manifest = read_manifest(settings);
  Plugin& plugin = Plugin::get(settings);
  for (const CodecInfo& info : manifest.codecs) const Instance instance(plugin, plugin.codec(info.name));
  note("deinit");
  plugin.shut_down();
  require(plugin.host().blocks_held() == 0,
          std::to_string(plugin.host().blocks_held()) + " blocks from host->allocate were not freed");
}

void check_registry(const Settings& settings) {
  const Manifest manifest = read_manifest(settings);
  RegistryOptions options;
  options.plugin_paths = {settings.manifest.parent_path()};
  options.use_environment = false;
  options.use_builtins = false;
  const Registry registry = Registry::open(options);
  const ProbeRecord record = registry.probe(manifest.id);
  require(record.outcome == polycodec::Outcome::loaded,
          "refused at stage " + std::string(stage_name(record.stage)) + ": " + record.reason);
  for (const CodecInfo& info : manifest.codecs) {
    const Codec codec = registry.codec(info.name);
    const auto refused = attempt([&] { return registry.codec_with_json(info.name, "{\"no such option\": 1}"); });
    require(!refused.ok(), info.name + ": an unknown option is not refused; set \"additionalProperties\": false");
    require(refused.error().code() == Status::option, info.name + ": an unknown option is refused as another error");
  }
}

}  // namespace

std::vector<Case> plugin_cases(const Settings& s) {
  const auto add = [&s](auto check) { return [check, &s] { check(s); }; };
  return {
      {"plugin/manifest", "the manifest follows its schema and names the library", add(check_manifest)},
      {"plugin/exports", "the library exports the entry object and nothing else", add(check_exports)},
      {"plugin/dependencies", "the library needs no library of polycodec and is safe to map",
       add(check_dependencies)},
      {"plugin/entry", "the entry object is complete and agrees with the manifest", add(check_entry)},
      {"plugin/constant", "the entry object is constant data", add(check_constant)},
      {"plugin/interfaces", "unknown interfaces are NULL, known ones stay the same", add(check_interfaces)},
      {"plugin/codecs", "the codecs are those of the manifest, with all their functions", add(check_codecs)},
      {"plugin/functions", "the functions are those of the manifest", add(check_functions)},
      {"plugin/lifecycle", "open, close and deinit work and give back the host's memory", add(check_lifecycle)},
      {"plugin/registry", "the registry loads the plugin and refuses unknown options", add(check_registry)},
  };
}

}  // namespace polycodec::kit
