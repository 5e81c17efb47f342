// SPDX-License-Identifier: MIT
// The configuration file: what an operator decides. Every key is described in
// docs/configuration.md.
#pragma once

#include <polycodec/export.hpp>
#include <polycodec/registry.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

/// When a rule applies: all conditions that are given must hold. Patterns of names are shell
/// patterns (match_pattern).
struct RuleCondition {
  std::shared_ptr<const type::Type> type;  ///< a datashape pattern, such as `N * float64`
  std::string type_text;                   ///< the pattern as it was written
  std::optional<std::uint64_t> min_size;   ///< bytes, inclusive
  std::optional<std::uint64_t> max_size;   ///< bytes, inclusive
  std::optional<std::string> peer;         ///< pattern of a peer's name
  std::optional<std::string> file;         ///< pattern of the file's name without its directory
  std::optional<std::string> media_type;   ///< pattern of a media type
};

/// A rule that chooses a codec and its options.
struct CodecRule {
  RuleCondition when;
  std::string codec;
  std::string options;  ///< a JSON object, or empty
  std::string filters;  ///< filters after it, as Registry::codec_with_json takes them: a JSON list,
                        ///< or empty
};

/// One rule of the compression policy of codecs that compress parts of their output: the first
/// whose conditions hold for a part applies; a part without a rule is not compressed.
struct CompressionRule {
  std::uint64_t min_size = 8192;   ///< bytes of the part, inclusive
  std::vector<std::string> types;  ///< datashape patterns of the part's elements; empty: all
  std::vector<std::string>
      contexts;        ///< patterns of where the part comes from in the format's words; empty: all
  std::string method;  ///< such as "zlib"; "none": do not compress
  std::optional<std::int64_t> level;  ///< as the method counts levels
};

/// What is known about something that is to be encoded. Leave out what is not known: a rule that
/// asks for it does not apply.
struct RuleFacts {
  const polycodec_node* value = nullptr;  ///< for rules that ask for its type
  std::optional<std::uint64_t> size;      ///< bytes
  std::string_view peer;
  std::string_view file;
  std::string_view media_type;
};

/// What a configuration file says.
struct Configuration {
  std::string path;          ///< the file, or empty
  RegistryOptions registry;  ///< plugin paths, policy, limits, allowlist, default options of codecs
  std::optional<polycodec_log_level> log_level;
  std::string default_codec;  ///< for encoding where no rule applies; or empty
  std::vector<CodecRule> rules;
  std::vector<CompressionRule> compression;

  /// The first rule that applies, or a rule with default_codec, or nothing.
  POLYCODEC_API std::optional<CodecRule> choose(const RuleFacts& facts) const;
};

/// Reads a configuration file (at most 1 MiB). Throws Status::io if it cannot be read,
/// Status::option for what it says wrongly, with a message `path:line: what`: not JSON, an unknown
/// key (with near ones), a key twice, a wrong type, a value out of range.
POLYCODEC_API Configuration load_config(const std::string& path);

/// The same from text; `origin` is what messages call it.
POLYCODEC_API Configuration parse_config(std::string_view text, std::string_view origin);

/// The configuration that POLYCODEC_CONFIG names (an absolute path), or an empty one if it is not
/// set or the process is privileged. Throws as load_config does.
POLYCODEC_API Configuration load_default_config();

/// The JSON schema of configuration files, as it is installed.
POLYCODEC_API std::string_view config_schema() noexcept;

struct ConfigProblem {
  std::size_t line = 0;
  std::string key;  ///< such as `limits.max_dept`; or empty
  std::string message;
  bool warning = false;  ///< the file can be used all the same
};

/// Everything that is wrong with a configuration, not only what is first: against the schema, then
/// what no schema can say, then (`with_codecs`, which opens a registry) whether the codecs and
/// options that it names exist. In order of line; empty if all is well.
POLYCODEC_API std::vector<ConfigProblem> check_config(std::string_view text, bool with_codecs);

}  // namespace polycodec
