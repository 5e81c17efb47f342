// SPDX-License-Identifier: MIT
#include <polycodec/polycodec.hpp>

#include "cases.hpp"
#include "elf.hpp"
#include "subjects.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace polycodec::kit {
namespace {

void check_manifest(const Settings& settings) {
  const Json manifest = checked_manifest(settings);
  const std::string name = text_at(manifest, "id") + ".polycodec.json";
  require(settings.manifest.filename() == name, "the manifest must be called " + name);
  const std::string library = library_of(manifest);
  require(settings.library.filename() == library, "the manifest names the library " +
                                                      quote(library) + ", the file is called " +
                                                      quote(settings.library.filename().string()));
}

void require_library(const Settings& settings) {
  if (is_module(settings)) skip("the plugin is a module");
}

void check_exports(const Settings& settings) {
  require_library(settings);
  auto exported = read_elf(settings.library).exported;
  std::erase(exported, POLYCODEC_ENTRY_SYMBOL);
  std::string names;
  for (std::size_t i = 0; i < std::min<std::size_t>(exported.size(), 10); ++i)
    names += " " + exported[i];
  require(exported.empty(), std::to_string(exported.size()) +
                                " symbols are exported besides " POLYCODEC_ENTRY_SYMBOL +
                                " (use polycodec_add_plugin, or a version script):" + names);
}

void check_dependencies(const Settings& settings) {
  require_library(settings);
  const ElfSummary elf = read_elf(settings.library);
  for (const std::string& name : elf.needed)
    require(!name.starts_with("libpolycodec"),
            "the plugin needs " + name + "; a plugin must not link polycodec's host libraries");
  require(elf.run_path.empty(), "the plugin brings a search path for libraries: " + elf.run_path);
  require(!elf.executable_stack, "the plugin asks for an executable stack");
  require(!elf.text_relocations, "the plugin has text relocations: it was compiled without -fPIC");
}

void check_entry(const Settings& settings) {
  const Json manifest = checked_manifest(settings);
  const std::string id = text_at(manifest, "id");
  const std::string version = text_at(manifest, "version");
  const polycodec_plugin& entry = entry_object(settings);
  require(entry.struct_size >= sizeof(polycodec_plugin),
          "struct_size is " + std::to_string(entry.struct_size) + ", at least " +
              std::to_string(sizeof(polycodec_plugin)) + " is needed");
  require(entry.abi >> 16 == POLYCODEC_ABI_MAJOR, "the plugin was compiled for ABI " +
                                                      std::to_string(entry.abi >> 16) + ", not " +
                                                      std::to_string(POLYCODEC_ABI_MAJOR));
  require((entry.abi & 0xffff) <= POLYCODEC_ABI_MINOR,
          "the plugin needs ABI minor " + std::to_string(entry.abi & 0xffff));
  require(entry.id != nullptr && entry.id == id, "id is not that of the manifest, " + id);
  require(entry.version != nullptr && entry.version == version,
          "version is not that of the manifest, " + version);
  require(entry.get_interface != nullptr, "get_interface is NULL");
}

// The object is checked before code of the plugin runs, so code of the plugin must not be able to
// change it later.
void check_constant(const Settings& settings) {
  require_library(settings);
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
    require(
        permissions.find('w') == std::string::npos,
        "the entry object lies in writable memory: make it const, and link with -z relro -z now");
    return;
  }
  skip("/proc/self/maps does not list the entry object");
}

void check_interfaces(const Settings& settings) {
  const polycodec_plugin& object = Plugin::get(settings).object();
  const auto get = [&](const char* id) { return object.get_interface(&object, id); };
  for (const char* id :
       {"", "polycodec", "polycodec.codecs", "polycodec.codecs/", "polycodec.codecs/1",
        "polycodec.codecs/21", "polycodec.unknown/1", "POLYCODEC.CODECS/2"})
    require(get(id) == nullptr, std::string("get_interface(\"") + id + "\") is not NULL");
  for (const char* id :
       {POLYCODEC_CODECS_INTERFACE, POLYCODEC_FILTERS_INTERFACE, POLYCODEC_STORES_INTERFACE,
        POLYCODEC_FUNCTIONS_INTERFACE, POLYCODEC_TYPES_INTERFACE})
    require(get(id) == get(id),
            std::string("get_interface(\"") + id + "\") changes from call to call");
}

/// The names of a table's objects, after what all tables have in common was checked.
template <class Table, class Name>
std::vector<std::string> names_of(const Table* table, Name name) {
  std::vector<std::string> names;
  if (table == nullptr) return names;
  require(table->struct_size >= sizeof *table, "the struct_size of a table is too small");
  for (std::uint32_t i = 0; i < table->count; ++i) {
    require(table->items[i] != nullptr, "a table has an item that is NULL");
    require(table->items[i]->struct_size >= sizeof *table->items[i],
            "the struct_size of object " + std::to_string(i) + " is too small");
    names.push_back(name(*table->items[i]));
  }
  std::sort(names.begin(), names.end());
  return names;
}

void require_same(std::vector<std::string> declared, const std::vector<std::string>& offered,
                  const std::string& what) {
  std::sort(declared.begin(), declared.end());
  const auto list = [](const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text.empty() ? std::string("none") : text;
  };
  require(declared == offered, "the manifest declares the " + what + " " + list(declared) +
                                   ", the library offers " + list(offered));
}

/// Checks that a capability is declared, offered and implemented, or none of it.
void check_flag(std::uint32_t capabilities, std::uint32_t bit, bool declared, bool implemented,
                const std::string& what) {
  require(((capabilities & bit) != 0) == declared,
          "capabilities and manifest disagree about " + what);
  require(declared == implemented,
          what + " is " + (implemented ? "" : "not ") + "implemented, against the manifest");
}

/// Checks that codec and manifest agree about one kind of input or output.
void check_inputs(std::uint32_t flags, const Json& json, const char* key) {
  constexpr std::string_view names[] = {"bytes", "file", "store", "companions"};
  std::uint32_t declared = 0;
  for (const Json& word : list_at(json, key))
    for (unsigned i = 0; i < 4; ++i)
      if (word == names[i]) declared |= 1u << i;
  const auto or_bytes = [](std::uint32_t f) { return f == 0 ? POLYCODEC_INPUT_BYTES + 0u : f; };
  require(or_bytes(flags) == or_bytes(declared),
          std::string("codec and manifest disagree about ") + key);
}

void check_codec(const Subject& subject, const Json& json) {
  const auto& tested = static_cast<const CodecSubject&>(subject);
  const polycodec_codec& codec = tested.object();
  const polycodec_instance& instance = tested.instance();
  require(instance.struct_size >= sizeof instance, "the struct_size of the instance is too small");
  require(instance.release != nullptr, "release is NULL");
  const std::uint32_t bits = codec.capabilities;
  const auto flag = [&](std::uint32_t bit, const char* word, bool implemented) {
    check_flag(bits, bit, flag_at(json, word), implemented, word);
  };
  flag(POLYCODEC_CAN_DECODE, "decode", instance.decode != nullptr);
  flag(POLYCODEC_CAN_ENCODE, "encode", instance.encode != nullptr);
  flag(POLYCODEC_CAN_READ_STREAM, "read_stream", instance.open_reader != nullptr);
  flag(POLYCODEC_CAN_WRITE_STREAM, "write_stream", instance.open_writer != nullptr);
  flag(POLYCODEC_CAN_LIST, "list", instance.list != nullptr);
  check_inputs(codec.inputs, json, "inputs");
  check_inputs(codec.outputs, json, "outputs");
}

void check_tables(const Settings& settings) {
  const Tables& tables = Plugin::get(settings).tables();
  const auto named = [](const auto& object) { return std::string(object.name); };
  const std::vector<std::string> offered[] = {
      names_of(tables.codecs, named), names_of(tables.filters, named),
      names_of(tables.stores, named), names_of(tables.functions, function_name)};
  std::vector<std::string> declared[4];
  for (const Entry& entry : entries_of(settings))
    declared[static_cast<int>(entry.kind)].push_back(entry.name);
  for (const Kind kind : {Kind::codec, Kind::filter, Kind::store, Kind::function})
    require_same(declared[static_cast<int>(kind)], offered[static_cast<int>(kind)],
                 std::string(kind_word(kind)) + "s");
  Problems problems;
  for (const Entry& entry : entries_of(settings))
    problems.run(entry.name, [&] {
      const SubjectPointer subject = open_subject(settings, entry);
      if (entry.kind == Kind::codec) check_codec(*subject, entry.json);
      if (entry.kind == Kind::filter) {
        const polycodec_filter& filter = find_object(tables.filters, entry.name);
        const auto& instance = static_cast<const FilterSubject&>(*subject).instance();
        check_flag(filter.capabilities, POLYCODEC_CAN_DECODE, entry.can_read,
                   instance.decode != nullptr, "decode");
        check_flag(filter.capabilities, POLYCODEC_CAN_ENCODE, entry.can_write,
                   instance.encode != nullptr, "encode");
      }
      if (entry.kind == Kind::store) {
        const polycodec_store_format& format = find_object(tables.stores, entry.name);
        check_flag(format.capabilities, POLYCODEC_CAN_DECODE, entry.can_read,
                   format.open != nullptr, "decode");
        check_flag(format.capabilities, POLYCODEC_CAN_CREATE, entry.can_write,
                   format.create != nullptr, "create");
        check_flag(format.capabilities, POLYCODEC_CAN_EDIT, flag_at(entry.json, "edit"),
                   format.edit != nullptr, "edit");
      }
      if (entry.kind == Kind::function) {
        const auto& f = static_cast<const FunctionSubject&>(*subject).object();
        require(f.call != nullptr && f.doc != nullptr && f.min_args <= f.max_args,
                "the function breaks the contract of polycodec_function");
      }
    });
  problems.check();
}

/// ^[a-z][a-z0-9._-]{0,62}$
bool is_type_name(std::string_view name) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz";
  constexpr std::string_view all = "abcdefghijklmnopqrstuvwxyz0123456789._-";
  return !name.empty() && name.size() <= 63 && letters.find(name[0]) != letters.npos &&
         name.find_first_not_of(all) == name.npos;
}

void check_types(const Settings& settings) {
  const polycodec_types* types = Plugin::get(settings).tables().types;
  const Json manifest = parsed(read_text(settings.manifest));
  const Json& declared = object_at(manifest, "types");
  const std::vector<std::string> offered =
      names_of(types, [](const polycodec_type& type) { return std::string(type.name); });
  std::vector<std::string> names;
  for (const auto& [name, notation] : declared.items()) names.push_back(name);
  if (names.empty() && offered.empty()) skip("the plugin registers no types");
  require_same(names, offered, "types");
  Problems problems;
  for (std::uint32_t i = 0; i < types->count; ++i) {
    const polycodec_type& type = *types->items[i];
    problems.run(type.name, [&] {
      require(is_type_name(type.name), "the name is not that of a type");
      require(type.notation != nullptr && type.doc != nullptr, "notation or doc is NULL");
      require(text_at(declared, type.name) == type.notation,
              "the notation is not that of the manifest");
      try {
        static_cast<void>(Type(type.notation));
      } catch (const Error& e) {
        fail("the notation " + quote(type.notation) + " is not valid: " + e.describe());
      }
    });
  }
  problems.check();
}

void check_lifecycle(const Settings& settings) {
  if (settings.in_process)
    skip("deinit() can only be called once, and other cases need the plugin");
  Plugin& plugin = Plugin::get(settings);
  for (const Entry& entry : entries_of(settings)) static_cast<void>(open_subject(settings, entry));
  note("deinit");
  plugin.shut_down();
  const auto complaints = plugin.host().complaints();
  require(complaints.empty(), "the plugin logged: " + (complaints.empty() ? "" : complaints[0]));
}

void check_registry(const Settings& settings) {
  const std::string id = text_at(checked_manifest(settings), "id");
  RegistryOptions options;
  options.plugin_paths = {settings.manifest.parent_path().string()};
  options.flags = POLYCODEC_REGISTRY_NO_ENVIRONMENT | POLYCODEC_REGISTRY_NO_BUILTINS;
  // The process of this case is the plugin's own already.
  options.isolation = "in-process";
  if (!settings.wasm_runtime.empty()) {
    const Json policy = {{"wasm_runtime", settings.wasm_runtime.string()}};
    options.layers = {{Json{{"policy", policy}}.dump(), "--wasm-runtime"}};
  }
  const Registry registry = Registry::open(options);
  const Json record = parsed(registry.description(About::plugin, id));
  require(text_at(record, "outcome") == "loaded",
          "rejected at stage " + text_at(record, "stage") + ": " + text_at(record, "reason"));
  for (const Json& codec : parsed(registry.description(About::codecs))) {
    if (text_at(object_at(codec, "plugin"), "id") != id) continue;
    const std::string name = text_at(codec, "name");
    static_cast<void>(registry.codec(name));
    try {
      static_cast<void>(registry.codec(name, "{\"no such option\": 1}"));
      fail(name + ": an unknown option is not rejected; set \"additionalProperties\": false");
    } catch (const Error& e) {
      require(e.code() == Status::option,
              name + ": an unknown option is rejected as another error");
    }
  }
}

}  // namespace

std::vector<Case> plugin_cases(const Settings& s) {
  const auto add = [&s](auto check) { return [check, &s] { check(s); }; };
  return {
      {"plugin/manifest", "the manifest follows its schema and names the library",
       add(check_manifest)},
      {"plugin/exports", "the library exports the entry object and nothing else",
       add(check_exports)},
      {"plugin/dependencies", "the library needs no library of polycodec and is safe to map",
       add(check_dependencies)},
      {"plugin/entry", "the entry object is complete and agrees with the manifest",
       add(check_entry)},
      {"plugin/constant", "the entry object is constant data", add(check_constant)},
      {"plugin/interfaces", "unknown interfaces are NULL, known ones stay the same",
       add(check_interfaces)},
      {"plugin/tables", "the objects are those of the manifest, with all their functions",
       add(check_tables)},
      {"plugin/types", "the types are those of the manifest, and valid", add(check_types)},
      {"plugin/lifecycle", "init, open, release and deinit work", add(check_lifecycle)},
      {"plugin/registry", "the registry loads the plugin and rejects unknown options",
       add(check_registry)},
  };
}

}  // namespace polycodec::kit
