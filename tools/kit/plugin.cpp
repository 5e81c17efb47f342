// SPDX-License-Identifier: MIT
#include "plugin.hpp"

#include <polycodec/polycodec.hpp>

#include "case.hpp"

#include <dlfcn.h>
#include <link.h>

#include <new>

namespace polycodec::kit {

Regions constants_of(const void* object) {
  struct Search {
    std::uintptr_t inside;
    Regions found;
    bool has_failed;
  } search{reinterpret_cast<std::uintptr_t>(object), {}, false};
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* data) noexcept {
        auto& wanted = *static_cast<Search*>(data);
        const auto each = [&](auto use) {
          for (ElfW(Half) i = 0; i < info->dlpi_phnum; ++i) use(info->dlpi_phdr[i]);
        };
        bool here = false;
        each([&](const ElfW(Phdr) & segment) {
          here |= segment.p_type == PT_LOAD &&
                  wanted.inside - info->dlpi_addr - segment.p_vaddr < segment.p_memsz;
        });
        if (!here) return 0;
        try {
          each([&](const ElfW(Phdr) & segment) {
            // Constants, and the tables of pointers that the loader filled in.
            if (segment.p_type == PT_GNU_RELRO ||
                (segment.p_type == PT_LOAD && (segment.p_flags & PF_W) == 0))
              wanted.found.add(reinterpret_cast<const void*>(info->dlpi_addr + segment.p_vaddr),
                               segment.p_memsz);
          });
        } catch (const std::bad_alloc&) {  // it must not cross the C library
          wanted.has_failed = true;
        }
        return 1;
      },
      &search);
  require(!search.has_failed && !search.found.all().empty(), "the library has no constants");
  return std::move(search.found);
}

Json checked_manifest(const Settings& settings) {
  return parsed(Registry().description(About::manifest, settings.manifest.string()));
}

std::string library_of(const Json& manifest) {
#if defined __aarch64__
  constexpr const char* platform = "linux_arm64";
#else
  constexpr const char* platform = "linux_amd64";
#endif
  const std::string name = text_at(manifest, "library");
  return name.empty() ? text_at(object_at(manifest, "library"), platform) : name;
}

const polycodec_plugin& entry_object(const Settings& settings) {
  static const polycodec_plugin* const object = [&]() -> const polycodec_plugin* {
    if (is_module(settings)) return &open_module(settings);
    void* library = ::dlopen(settings.library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) fail(std::string("the library can't be loaded: ") + ::dlerror());
    void* symbol = ::dlsym(library, POLYCODEC_ENTRY_SYMBOL);
    if (symbol == nullptr) fail("the library does not export " POLYCODEC_ENTRY_SYMBOL);
    return static_cast<const polycodec_plugin*>(symbol);
  }();
  return *object;
}

Plugin::Plugin(const Settings& settings) : object_(entry_object(settings)) {
  const polycodec_plugin& object = object_;
  if (!is_module(settings)) constants_ = constants_of(&object);
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
  static Plugin plugin(settings);
  return plugin;
}

void Plugin::shut_down() {
  if (object_.deinit != nullptr) object_.deinit(&object_);
}

}  // namespace polycodec::kit
