// SPDX-License-Identifier: MIT
// Shared libraries: opened once for the process, never closed.
#pragma once

#include <polycodec/abi.h>

#include "core/value/regions.hpp"
#include "registry/load/path_check.hpp"
#include "registry/load/plugins.hpp"
#include "registry/load/registry_options.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

/// Thrown while a plugin is loaded: which check failed, and why.
struct LoadFailure {
  Stage stage;
  std::string reason;
};

/// A data object that a library exports, and the size that its first field states.
struct SharedObject {
  const void* address;
  std::uint32_t size;
};

/// Loads the library in the open file and gives its data object `name`, which stays mapped for the
/// rest of the process. A file that is loaded already is not loaded again. `path` is for messages,
/// and for systems without /proc. Throws LoadFailure (stages elf, load, entry). [thread-safe]
SharedObject open_object(FileHandle file, const std::filesystem::path& path,
                         const std::string& name);

/// Loads a library that a plugin needs, so that the loader finds it by its SONAME. Throws
/// LoadFailure (stages elf, load). Returns what dlopen() does. [thread-safe]
void* open_needed_library(FileHandle file, const std::filesystem::path& path);

/// The entry object of the plugin in the open file, as open_object().
const polycodec_plugin* open_library(FileHandle file, const std::filesystem::path& path);

/// A plugin between init() and deinit(): whoever has anything of it holds this. Its regions are the
/// constants of its library.
class PluginHold : public Regions {
 public:
  virtual ~PluginHold() = default;
  std::string_view region_of(const void* data, std::uint64_t size) const noexcept override;
  /// False if its objects are those of this process.
  virtual bool is_isolated() const noexcept { return false; }
  /// Returns the state of an isolated plugin; null for one that runs in-process.
  virtual std::shared_ptr<const IsolationReport> isolation() const { return nullptr; }

 protected:
  /// `inside`: an address in the library.
  explicit PluginHold(const void* inside);

 private:
  std::vector<std::string_view> constants_;
};

/// Calls the plugin's init function, unless somebody holds the plugin already. Its host is kept
/// until deinit() has returned. Throws LoadFailure (stage init). [thread-safe]
std::shared_ptr<const PluginHold> hold_plugin(const polycodec_plugin& plugin,
                                              std::shared_ptr<const polycodec_host> host);

}  // namespace polycodec
