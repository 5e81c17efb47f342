// SPDX-License-Identifier: MIT
// The plugin under test, loaded as a host loads it, but without the host's mercy.
#pragma once

#include <polycodec/host.h>

#include "host.hpp"
#include "json.hpp"
#include "settings.hpp"

#include <string>

namespace polycodec::kit {

/// The memory that nobody can write to, of the program or library that holds `object`. Throws
/// Failure.
Regions constants_of(const void* object);

/// True if the plugin is a WebAssembly module, which has no constants, symbols or libraries.
bool is_module(const Settings& settings);

/// The plugin in the module. Throws Failure, and Error(Status::plugin).
const polycodec_plugin& open_module(const Settings& settings);

/// The library, mapped; nothing of it has run. Mapped once a process. Throws Failure.
const polycodec_plugin& entry_object(const Settings& settings);

/// The manifest, checked as the registry does it. Throws Error.
Json checked_manifest(const Settings& settings);

/// The file name of the library for this machine that a manifest names; empty if it names none.
std::string library_of(const Json& manifest);

/// The plugin after init(); one a process, because init() is called once.
class Plugin {
 public:
  static Plugin& get(const Settings& settings);
  /// Calls deinit(); the plugin must not be used any more in this process.
  void shut_down();

  const polycodec_plugin& object() const noexcept { return object_; }
  const Host& host() const noexcept { return host_; }
  const Tables& tables() const noexcept { return tables_; }
  /// The memory of the library that nobody can write to: a value may point into it.
  const Regions& constants() const noexcept { return constants_; }

 private:
  explicit Plugin(const Settings& settings);
  const polycodec_plugin& object_;
  Host host_;
  Tables tables_;
  Regions constants_;
};

}  // namespace polycodec::kit
