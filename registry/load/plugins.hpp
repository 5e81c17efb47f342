// SPDX-License-Identifier: MIT
// Plugins: what their manifests say of them, read without running their code; which may be used;
// what the registry saw of them.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/node_view.hpp>

#include "core/value/value.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec {

/// Bytes at a fixed place that tell a format.
struct Magic {
  std::uint64_t offset = 0;
  std::string bytes;        ///< raw bytes, at least one
  std::uint32_t score = 0;  ///< 1 to 100; see polycodec_sniff for the scale
};

/// What a plugin or a program offers.
enum class Kind : std::uint8_t { codec, filter, store };
/// The word for a kind, such as "codec".
std::string_view kind_word(Kind kind) noexcept;

/// A codec, a filter (bytes to bytes) or a store format as its manifest describes it.
struct CodecInfo {
  Kind kind = Kind::codec;
  std::string name;                      ///< canonical: ^[a-z][a-z0-9._-]{0,62}$
  std::string summary;                   ///< one line
  std::string format_version;            ///< version of the format, not of the plugin
  std::vector<std::string> aliases;      ///< other names, for looking up only: never written
  std::vector<std::string> media_types;  ///< such as "application/msgpack"
  std::vector<std::string> extensions;   ///< lower case, with the dot: ".msgpack"
  std::vector<Magic> magic;
  bool can_sniff = false;   ///< it looks at bytes: otherwise nothing is loaded to choose a codec
  bool can_decode = false;  ///< of a store: can be opened
  bool can_encode = false;  ///< of a store: can be created
  bool can_read_stream = false;
  bool can_write_stream = false;
  bool can_list = false;      ///< names the values in a store
  bool is_canonical = false;  ///< equal values become the same bytes: for content addresses
  bool can_edit = false;      ///< of a store: can be changed in place
  std::uint32_t inputs = POLYCODEC_INPUT_BYTES;   ///< POLYCODEC_INPUT_*
  std::uint32_t outputs = POLYCODEC_INPUT_BYTES;  ///< POLYCODEC_INPUT_*
  NodeView options_schema;  ///< JSON Schema of the options: a part of `description`
  /// The allowlist that applies where neither the call nor the registry has one: what the format
  /// needs.
  std::vector<std::vector<std::string>> calls;
  NodeView description;   ///< the whole entry; lives as long as the manifest's document
  std::string plugin_id;  ///< empty: the program itself offers it
  std::string plugin_version;
  std::string library;  ///< empty if the plugin is built in

  bool takes(std::uint32_t parts) const noexcept { return (inputs & parts) != 0; }
};

/// A named type.
struct TypeInfo {
  std::string name;
  std::string notation;
  std::string origin;  ///< id of a plugin, "program" or "configuration"
};

/// A function that data may call, if the allowlist allows it.
struct FunctionInfo {
  std::vector<std::string> name;  ///< in parts
  std::string plugin_id;          ///< empty: of the program
};

/// A manifest, `<id>.polycodec.json`.
struct Manifest {
  std::string id;
  std::string version;
  /// File name of the library for this platform, in the manifest's directory; empty: none.
  std::string library;
  std::vector<std::string> libraries;  ///< file names of its own libraries, in order of loading
  std::string summary;
  std::uint32_t abi = 0;                                   ///< major version
  std::vector<CodecInfo> codecs;                           ///< and filters and stores
  std::vector<std::vector<std::string>> functions;         ///< names of functions, in parts
  std::vector<std::pair<std::string, std::string>> types;  ///< names and notations of types
  bool isolate = false;  ///< runs in a process of its own, unless the policy says otherwise
  std::shared_ptr<const Value> document;  ///< the whole manifest; copies share it
};

/// True if `name` is a canonical codec name or plugin id: ^[a-z][a-z0-9._-]{0,62}$.
bool is_canonical_name(std::string_view name) noexcept;

/// Where a plugin runs (docs/isolation.md). `automatic`: plugins of the package in-process, unless
/// their manifests ask for isolation, and all others in a process.
enum class IsolationMode : std::uint8_t { automatic, in_process, process };

/// The layers that take rights from an isolated plugin. The kernel may refuse any of them.
enum class Layer : std::uint8_t {
  no_new_privileges,
  user_namespace,
  mount_namespace,
  network_namespace,
  ipc_namespace,
  pid_namespace,
  landlock,
  seccomp,
  limits,
  not_dumpable
};
/// The word for a layer, such as "user_namespace".
std::string_view layer_name(Layer layer) noexcept;

/// How a plugin is isolated. A limit of 0 means none.
struct IsolationRule {
  IsolationMode mode = IsolationMode::automatic;
  std::uint64_t memory_bytes = std::uint64_t{2} << 30;  ///< private memory of one worker process
  std::uint32_t cpu_seconds = 600;                      ///< processor time of one call
  std::uint32_t wall_seconds = 600;                     ///< duration of one call
  std::uint32_t load_seconds = 5;                       ///< duration of loading
  bool reuse = true;          ///< a worker serves calls until it fails; false: one call
  std::uint32_t require = 0;  ///< bits 1 << Layer that must hold, or the plugin is rejected
};

/// What an operator trusts, by names or shell patterns (see match_pattern). The entry with the most
/// literal characters decides, and deny before an equal allow. What no entry matches is allowed in
/// mode `open` and rejected in mode `listed`.
struct Policy {
  enum class Mode : std::uint8_t {
    open,   ///< allow what is not denied
    listed  ///< refuse what is not allowed
  };

  /// Codecs that match `pattern`, for decoding, encoding or both.
  struct CodecRule {
    std::string pattern;
    bool decode = true;
    bool encode = true;
  };

  Mode mode = Mode::open;
  std::vector<std::string> allow_plugins;  ///< plugin ids
  std::vector<std::string> deny_plugins;
  std::vector<CodecRule> allow_codecs;
  std::vector<CodecRule> deny_codecs;
  /// SHA-256 digests (64 hex digits) of the library files that are accepted for a plugin id. A
  /// plugin that is not named here needs no pin unless require_pins.
  std::map<std::string, std::vector<std::string>> pins;
  bool require_pins = false;
  /// User ids that may own plugin files and directories, beside root and the effective user.
  std::vector<std::uint32_t> trusted_owners;
  /// The file of wasmtime's C library, for plugins that are WebAssembly; absolute. Empty:
  /// libwasmtime.so beside this library.
  std::string wasm_runtime;
  /// The directory that keeps compiled modules between processes; absolute. Empty: none.
  std::string wasm_cache;
  /// Of the patterns that match a plugin id, the one with the most literal characters decides.
  std::map<std::string, IsolationRule> isolation_of;
  IsolationRule isolation;  ///< of plugins that no pattern matches
};

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
std::string_view stage_name(Stage stage) noexcept;

/// What became of a candidate.
enum class Outcome : std::uint8_t {
  listed,   ///< its manifest is in the catalog; its library has not been needed yet
  loaded,   ///< its library is loaded
  refused,  ///< it is not used; see stage and reason
  note  ///< it is used, with the reservation in `reason`, such as an alias that another codec has
};

/// The word for an outcome, such as "refused".
std::string_view outcome_name(Outcome outcome) noexcept;

/// What a layer is: `error` is 0 if it holds, else the errno with which the kernel refused it.
struct LayerResult {
  Layer layer = Layer::limits;
  int error = 0;
};

/// An isolated plugin: its layers, and counters since it was loaded.
struct IsolationReport {
  IsolationRule rule;
  std::vector<LayerResult> layers;
  std::uint64_t starts = 0;  ///< worker processes started
  std::uint64_t deaths = 0;  ///< workers that ended during a call by themselves
  std::uint64_t kills = 0;   ///< workers that the host ended, such as at a deadline
};

/// One candidate plugin, or something to know about it.
struct ProbeRecord {
  /// The manifest, or the library where that is to blame; empty for built-in plugins.
  std::string path;
  std::string id;  ///< plugin id, or empty if the manifest could not be read
  Outcome outcome = Outcome::listed;
  Stage stage = Stage::path;  ///< refused: the check that failed; otherwise the last one passed
  std::string reason;         ///< refused and note: why, human-readable
  std::shared_ptr<const IsolationReport> isolation = {};  ///< null if it is not loaded in a process
  /// Where it runs, `in_process` or `process`, and why; `automatic` if it does not run.
  IsolationMode runs = IsolationMode::automatic;
  std::string_view why_there = {};
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
std::string_view state_name(DirectoryRecord::State state) noexcept;

}  // namespace polycodec
