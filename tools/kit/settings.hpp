// SPDX-License-Identifier: MIT
// What a run of the kit was asked for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace polycodec::kit {

struct Settings {
  std::filesystem::path library;   ///< the plugin's shared library or module
  std::filesystem::path manifest;  ///< the manifest beside it
  std::vector<std::filesystem::path> fixtures;
  std::filesystem::path
      options;  ///< a JSON object: name of a codec -> options to open it with; or empty
  /// Changes that the codecs declare, see changes.hpp; nothing: they declare none, and the kit says
  /// what it finds.
  std::optional<std::vector<std::string>> changes;
  std::vector<std::string>
      filters;  ///< shell patterns; a case runs if one matches, or if there are none
  std::vector<std::string> exclude;    ///< shell patterns; a case that one matches does not run
  std::filesystem::path wasm_runtime;  ///< wasmtime's C library; empty: the one beside polycodec's
  unsigned timeout_seconds = 60;       ///< for one case
  bool in_process = false;
  bool only_failed = false;
  bool json = false;
};

}  // namespace polycodec::kit
