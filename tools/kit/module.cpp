// SPDX-License-Identifier: MIT
// Plugins that are WebAssembly modules, as the host runs them.
#include "case.hpp"
#include "json.hpp"
#include "plugin.hpp"
#include "registry/wasm/modules.hpp"

#include <dlfcn.h>

#include <string>

namespace polycodec::kit {
namespace {

void* open_needed(const std::string& file, const char* advice) {
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    fail(std::string("what runs modules can't be loaded: ") + ::dlerror() + "; " + advice);
  return library;
}

}  // namespace

bool is_module(const Settings& settings) {
  return settings.library.extension() == ".wasm";
}

const polycodec_plugin& open_module(const Settings& settings) {
  void* const host = open_needed("libpolycodec-wasm.so." POLYCODEC_SOVERSION,
                                 "install the package libpolycodec-wasm" POLYCODEC_SOVERSION);
  const auto* const modules =
      static_cast<const wasm::Modules*>(::dlsym(host, POLYCODEC_WASM_MODULES_SYMBOL));
  require(modules != nullptr && modules->struct_size == sizeof(wasm::Modules) &&
              std::string(modules->version) == POLYCODEC_VERSION,
          "libpolycodec-wasm.so is not of version " POLYCODEC_VERSION " like this program");
  void* const runtime =
      open_needed(settings.wasm_runtime.empty() ? "libwasmtime.so" : settings.wasm_runtime.string(),
                  "name wasmtime's C library with --wasm-runtime");
  return *modules->open(runtime, nullptr, read_text(settings.library), nullptr);
}

}  // namespace polycodec::kit
