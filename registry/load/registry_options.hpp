// SPDX-License-Identifier: MIT
// How a registry is to be built: where it searches, what it may use, what the program brings.
#pragma once

#include <polycodec/abi.h>

#include "core/call/limits.hpp"
#include "core/dispatch/function_table.hpp"
#include "registry/load/plugins.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

/// Receives one line of text without its newline. `source` is "registry" or "plugin". Called from
/// any thread, also from several at once; must not throw and must not call the registry.
using LogHook =
    std::function<void(polycodec_log_level level, std::string_view source, std::string_view text)>;

/// A plugin that is linked into the host. Both pointers must stay valid for the rest of the
/// process.
struct BuiltinPlugin {
  const polycodec_plugin* plugin = nullptr;
  std::string_view manifest;  ///< the text of its manifest
};

/// What a program itself offers: C tables, each (but functions and types) with its entry of a
/// manifest. They come before those of plugins and always run in-process. Registry::open() takes
/// them over if it succeeds: it calls `release` when the last user is gone.
struct ProgramObjects {
  std::vector<const polycodec_codec*> codecs;
  std::vector<const polycodec_filter*> filters;
  std::vector<const polycodec_store_format*> stores;
  std::vector<const polycodec_function*> functions;
  std::vector<const polycodec_type*> types;

  bool empty() const noexcept {
    return codecs.empty() && filters.empty() && stores.empty() && functions.empty() &&
           types.empty();
  }
};

/// Calls task(i) for each i < n on any threads, and returns when all have ended. No task throws.
using Executor = std::function<void(std::uint64_t n, const std::function<void(std::uint64_t)>&)>;

/// How a registry is to be built.
struct RegistryOptions {
  /// Directories to search instead of the default one; absolute. Empty: the default.
  std::vector<std::string> plugin_paths;
  /// Directories to search before the others; absolute.
  std::vector<std::string> add_paths;
  /// Obey POLYCODEC_PLUGIN_PATH (adds directories in front), POLYCODEC_PLUGIN_SYSTEM_PATH (replaces
  /// plugin_paths and the default), both lists of absolute paths separated by ':', and VIRTUAL_ENV,
  /// CONDA_PREFIX and XDG_DATA_HOME (prefixes before the default). Privileged (set-user-id)
  /// processes ignore them all.
  bool use_environment = true;
  /// Plugins that the host brings; they come before all others. Those built into the registry
  /// follow them.
  std::vector<BuiltinPlugin> builtins;
  bool use_builtins = true;  ///< use the plugins built in; `text` and `json` are there anyway
  ProgramObjects objects;    ///< codecs, filters, stores, functions and types of the program
  Policy policy;
  Limits limits;
  /// Functions that data may call by name; null: none.
  std::shared_ptr<const Allowlist> allowlist;
  /// Further functions, beside those of `allowlist` or what a codec needs; null: none.
  std::shared_ptr<const Allowlist> allow_also;
  /// Functions of the host, found before those of plugins; null: none.
  std::shared_ptr<const FunctionTable> functions;
  /// Options of codecs that hold where a caller says nothing else: canonical codec name -> JSON
  /// object as text.
  std::map<std::string, std::string> default_options;
  /// Rules of compression as JSON text, or empty: the option `compression` of each codec that has
  /// one, where neither a caller nor default_options sets it.
  std::string compression;
  /// Named types, before those of plugins: name -> datashape notation.
  std::map<std::string, std::string> types;
  LogHook log;        ///< empty: silence
  Executor executor;  ///< threads of the host; empty: the library starts its own, if `threads` > 1
  /// The most threads of a codec's work; UINT32_MAX: as many as there are processors to use.
  std::uint32_t threads = 1;
};

}  // namespace polycodec
