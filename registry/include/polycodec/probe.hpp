// SPDX-License-Identifier: MIT
// What the registry saw: directories searched, plugins found, and why some were refused.
#pragma once

#include <polycodec/export.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec {

/// The checks of a plugin, in their order.
enum class Stage : std::uint8_t {
  path,       ///< place, owner and permissions of the manifest and the library
  manifest,   ///< the manifest is read and makes sense
  duplicate,  ///< its id and names are not taken by an earlier plugin
  policy,     ///< the operator allows it
  pin,        ///< the library has a digest that the operator named
  elf,        ///< the library is a complete ELF file for this machine
  load,       ///< the system's loader takes it
  entry,      ///< it exports the entry object
  abi,        ///< it speaks this ABI
  identity,   ///< its id and version are those of the manifest
  init,       ///< its init function succeeds
  interface,  ///< it offers what the manifest names, with all the functions that they need
  ready       ///< all checks passed
};

/// The word for a stage, such as "manifest".
POLYCODEC_API std::string_view stage_name(Stage stage) noexcept;

/// What became of a candidate.
enum class Outcome : std::uint8_t {
  listed,   ///< its manifest is in the catalog; its library has not been needed yet
  loaded,   ///< its library is loaded
  refused,  ///< it is not used; see stage and reason
  note  ///< it is used, with the reservation in `reason`, such as an alias that another codec has
};

/// The word for an outcome, such as "refused".
POLYCODEC_API std::string_view outcome_name(Outcome outcome) noexcept;

/// One candidate plugin, or something to know about it.
struct ProbeRecord {
  /// The manifest, or the library where that is to blame; empty for built-in plugins.
  std::string path;
  std::string id;  ///< plugin id, or empty if the manifest could not be read
  Outcome outcome = Outcome::listed;
  Stage stage = Stage::path;  ///< refused: the check that failed; otherwise the last one passed
  std::string reason;         ///< refused and note: why, for people
};

/// One entry of the search path.
struct DirectoryRecord {
  enum class State : std::uint8_t {
    used,     ///< manifests were found
    empty,    ///< it exists and holds no manifest
    missing,  ///< it does not exist
    denied    ///< it may not be used; see reason
  };
  std::string path;
  std::string origin;  ///< who named it, such as "default" or "POLYCODEC_PLUGIN_PATH"
  State state = State::missing;
  std::string reason;
  std::uint64_t manifests = 0;  ///< number of manifests seen
};

/// The word for a state of a directory, such as "missing".
POLYCODEC_API std::string_view state_name(DirectoryRecord::State state) noexcept;

}  // namespace polycodec
