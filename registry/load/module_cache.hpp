// SPDX-License-Identifier: MIT
// Compiled code of WebAssembly modules, kept in a directory between processes.
#pragma once

#include "registry/load/path_check.hpp"
#include "registry/load/registry_options.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace polycodec {

/// The code of one module. It is machine code: only root and the effective user may own it and the
/// directories above it, nobody else may write there, and a process with more rights than who
/// started it neither reads nor writes any. Its functions are virtual since libpolycodec-wasm.so
/// calls them. For one thread.
class ModuleCache {
 public:
  /// `directory` is absolute, or empty: nothing is kept. `runtime` says which runtime compiles. All
  /// must live as long as this.
  ModuleCache(const std::string& directory, const std::string& runtime, std::string_view module,
              const LogHook& log)
      : directory_(directory), runtime_(runtime), module_(module), log_(log) {}
  ModuleCache(const ModuleCache&) = delete;
  ModuleCache& operator=(const ModuleCache&) = delete;
  virtual ~ModuleCache() = default;

  /// The code that an earlier process kept, or nothing. What may not be used is logged.
  virtual std::string find();
  /// The runtime does not take what find() gave: the file is removed.
  virtual void reject(const std::string& why);
  /// Keeps the code of the module. A failure is logged.
  virtual void keep(std::string_view code);
  /// After find(): whether keep() keeps anything.
  virtual bool is_on() const noexcept { return !name_.empty(); }

 private:
  void prepare();
  /// Removes the files that were not used for longest, while all are too large.
  void shrink() const;
  void warn(const std::string& text) const;
  std::string digest_of(std::string_view code) const;

  std::filesystem::path directory_;
  const std::string& runtime_;
  std::string_view module_;
  const LogHook& log_;
  std::string name_;
};

/// Says which file it is, and which version of it. Throws Error(Status::io).
std::string identity_of(const FileHandle& file);

}  // namespace polycodec
