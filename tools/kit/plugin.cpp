// SPDX-License-Identifier: MIT
#include "plugin.hpp"

#include <base/loaded_constants.hpp>
#include <base/quote.hpp>
#include <base/utf8.hpp>
#include <polycodec/error.hpp>
#include <polycodec/text.hpp>

#include "case.hpp"
#include "registry/load/manifest.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace polycodec::kit {

Regions constants_of(const void* object) {
  Regions regions;
  for (const std::string_view part : constants_around(object)) regions.add(part);
  return regions;
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
