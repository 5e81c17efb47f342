// SPDX-License-Identifier: MIT
// What a plugin says about itself in the JSON file beside its library, read without running any of its code.
#pragma once

#include <polycodec/export.hpp>

#include <cstdint>
#include <filesystem>
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

/// What a codec's values are: anything, or bytes alone, as those of a compressor or a checksum. A codec of bytes is a
/// stage of a Pipeline.
enum class CodecRole : std::uint8_t { value, bytes };

/// A codec as its manifest describes it.
struct CodecInfo {
  std::string name;                      ///< canonical: ^[a-z][a-z0-9._-]{0,62}$
  CodecRole role = CodecRole::value;     ///< "role": "value" (the default) or "bytes"
  std::string summary;                   ///< one line
  std::string format_version;            ///< version of the format, not of the plugin
  std::vector<std::string> aliases;      ///< other names, for looking up only: never written
  std::vector<std::string> media_types;  ///< such as "application/msgpack"
  std::vector<std::string> extensions;   ///< lower case, with the dot: ".msgpack"
  std::vector<Magic> magic;
  bool can_decode = false;
  bool can_encode = false;
  bool can_stream = false;  ///< several values one after another: Codec::stream_next
  bool takes_bytes = false;
  bool takes_store = false;
  bool takes_bytes_and_store = false;  ///< a file and its folder at once
  std::string options_schema;          ///< JSON Schema of the options, as JSON text
  /// The whitelist that applies where neither the call nor the registry has one: what the format needs.
  std::vector<std::vector<std::string>> calls;
  std::string description;  ///< the whole entry as JSON text
  std::string plugin_id;
  std::string plugin_version;
  std::filesystem::path library;  ///< empty if the plugin is built in
};

/// A manifest, `<id>.polycodec.json`.
struct Manifest {
  std::string id;
  std::string version;
  std::string library;  ///< file name of the library, in the manifest's directory
  std::string summary;
  std::string license;
  std::uint32_t abi_min = 0;
  std::uint32_t abi_max = 0;
  std::vector<CodecInfo> codecs;
  std::vector<std::vector<std::string>> functions;         ///< names of functions, in parts
  std::vector<std::pair<std::string, std::string>> types;  ///< names and notations of types
};

/// The greatest manifest that is read, in bytes.
inline constexpr std::uint64_t max_manifest_bytes = std::uint64_t{1} << 20;

/// Parses and checks a manifest. `origin` is its path or another word for it, for messages only.
/// Throws Error(Status::plugin): not JSON, an unknown key (with near ones), a missing key, a wrong type, a bad name,
/// a name twice, an options schema that is not of the supported subset or does not accept its own defaults. The
/// message has the form `origin:line: what`.
POLYCODEC_API Manifest parse_manifest(std::string_view text, std::string_view origin);

/// True if `name` is a canonical codec name or plugin id: ^[a-z][a-z0-9._-]{0,62}$.
POLYCODEC_API bool is_canonical_name(std::string_view name) noexcept;

}  // namespace polycodec
