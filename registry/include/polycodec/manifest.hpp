// SPDX-License-Identifier: MIT
// What a plugin says about itself in the JSON file beside its library, read without running any of
// its code.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/export.hpp>
#include <polycodec/node_view.hpp>
#include <polycodec/value.hpp>

#include <cstdint>
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
  std::uint32_t score = 0;  ///< 1..100; see polycodec_sniff for the scale
};

/// What a plugin or a program offers.
enum class Kind : std::uint8_t { codec, filter, store };
/// The word for a kind, such as "codec".
POLYCODEC_API std::string_view kind_word(Kind kind) noexcept;

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

/// A manifest, `<id>.polycodec.json`.
struct Manifest {
  std::string id;
  std::string version;
  std::string library;  ///< file name of the library, in the manifest's directory
  std::string summary;
  std::string license;
  std::uint32_t abi = 0;                                   ///< major version
  std::vector<CodecInfo> codecs;                           ///< and filters and stores
  std::vector<std::vector<std::string>> functions;         ///< names of functions, in parts
  std::vector<std::pair<std::string, std::string>> types;  ///< names and notations of types
  std::shared_ptr<const Value> document;                   ///< the whole manifest; copies share it
};

/// The greatest manifest that is read, in bytes.
inline constexpr std::uint64_t max_manifest_bytes = std::uint64_t{1} << 20;

/// Parses and checks a manifest. `origin` is its path or another word for it, for messages only.
/// Throws Error(Status::plugin): not JSON, an unknown key (with near ones), a missing key, a wrong
/// type, a bad name, a name twice, an options schema that is not of the supported subset or does
/// not accept its own defaults. The message has the form `origin:line: what`.
POLYCODEC_API Manifest parse_manifest(std::string_view text, std::string_view origin);

/// True if `name` is a canonical codec name or plugin id: ^[a-z][a-z0-9._-]{0,62}$.
POLYCODEC_API bool is_canonical_name(std::string_view name) noexcept;

}  // namespace polycodec
