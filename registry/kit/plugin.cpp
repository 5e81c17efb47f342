// SPDX-License-Identifier: MIT
#include "plugin.hpp"

#include <base/quote.hpp>
#include <base/utf8.hpp>
#include <polycodec/error.hpp>
#include <polycodec/text.hpp>

#include "case.hpp"
#include "registry/load/manifest.hpp"

#include <dlfcn.h>
#include <link.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace polycodec::kit {

// The segments without write permission, and those that are read-only after relocation.
Regions constants_of(const void* object) {
  struct Search {
    std::uintptr_t address;
    Regions found;
  } search{reinterpret_cast<std::uintptr_t>(object), {}};
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) {
        auto& s = *static_cast<Search*>(data);
        Regions regions;
        bool holds = false;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& segment = info->dlpi_phdr[i];
          const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
          if (segment.p_type == PT_LOAD && s.address - begin < segment.p_memsz) holds = true;
          if ((segment.p_type == PT_LOAD && (segment.p_flags & PF_W) == 0) ||
              segment.p_type == PT_GNU_RELRO)
            regions.add(reinterpret_cast<const void*>(begin), segment.p_memsz);
        }
        if (holds) s.found = std::move(regions);
        return holds ? 1 : 0;
      },
      &search);
  return std::move(search.found);
}

std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string content((std::istreambuf_iterator<char>(in)), {});
  if (!in.is_open() || in.bad()) fail("cannot read " + quote_path(path.string()));
  return content;
}

Value parsed(std::string_view json) {
  try {
    return parse_json(json);
  } catch (const Error&) {
    return {};
  }
}

Manifest read_manifest(const Settings& settings) {
  return parse_manifest(read_text(settings.manifest), settings.manifest.filename().string());
}

const polycodec_plugin& entry_object(const Settings& settings) {
  static const polycodec_plugin* const object = [&]() -> const polycodec_plugin* {
    void* library = ::dlopen(settings.library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) fail(std::string("the library can't be loaded: ") + ::dlerror());
    void* symbol = ::dlsym(library, POLYCODEC_ENTRY_SYMBOL);
    if (symbol == nullptr) fail("the library does not export " POLYCODEC_ENTRY_SYMBOL);
    return static_cast<const polycodec_plugin*>(symbol);
  }();
  return *object;
}

Plugin::Plugin(const polycodec_plugin& object)
    : object_(object), constants_(constants_of(&object)) {
  if (object.init != nullptr) {
    Call call(host_, {});
    const Answer answer = call.run("init", 0, [&](polycodec_error* error) {
      return object.init(&object, host_.abi(), error);
    });
    if (!answer.ok()) fail("init failed: " + answer.text());
  }
  const auto get = [&](auto& table, const char* id) {
    table =
        static_cast<std::remove_reference_t<decltype(table)>>(object.get_interface(&object, id));
  };
  get(tables_.codecs, POLYCODEC_CODECS_INTERFACE);
  get(tables_.filters, POLYCODEC_FILTERS_INTERFACE);
  get(tables_.stores, POLYCODEC_STORES_INTERFACE);
  get(tables_.functions, POLYCODEC_FUNCTIONS_INTERFACE);
  get(tables_.types, POLYCODEC_TYPES_INTERFACE);
  host_.serve(tables_);
}

Plugin& Plugin::get(const Settings& settings) {
  static Plugin plugin(entry_object(settings));
  return plugin;
}

void Plugin::shut_down() {
  if (object_.deinit != nullptr) object_.deinit(&object_);
}

}  // namespace polycodec::kit
