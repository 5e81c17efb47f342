// SPDX-License-Identifier: MIT
// The configuration file: what an operator decides. Every key is described in
// docs/configuration.md.
#pragma once

#include "registry/codec/registry.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

struct RuleCondition;

/// A rule that chooses a codec and its options.
struct CodecRule {
  std::shared_ptr<const RuleCondition> when;  ///< null: it always applies
  std::string codec;
  std::string options;  ///< a JSON object, or empty
  std::string filters;  ///< filters after it, as a JSON list, or empty
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

/// The text of a configuration file, and what messages call it.
struct ConfigLayer {
  std::string text, name;
};

/// What configuration files say.
struct Configuration {
  std::string path;                 ///< the file, or empty
  std::vector<ConfigLayer> layers;  ///< that it was read from
  /// Who set a key, such as `limits.max_work`, beside the layers.
  std::map<std::string, std::string> said_by;
  RegistryOptions registry;  ///< plugin paths, policy, limits, allowlist, default options of codecs
  std::optional<polycodec_log_level> log_level;
  std::string default_codec;  ///< for encoding where no rule applies; or empty
  std::vector<CodecRule> rules;

  /// The first rule that applies, or a rule with default_codec, or nothing.
  std::optional<CodecRule> choose(const RuleFacts& facts) const;
};

/// Reads a configuration file (at most 1 MiB). Throws Status::io if it cannot be read,
/// Status::option for what it says wrongly, with a message `path:line: what`: not JSON, an unknown
/// key (with near ones), a key twice, a wrong type, a value out of range.
Configuration load_config(const std::string& path);

/// The same from text; `origin` is what messages call it.
Configuration parse_config(std::string_view text, std::string_view origin);

/// The same from several: each key of a later layer is the one that holds, of `plugins`, `policy`,
/// `limits`, `types`, `defaults` and `defaults.options` each key of theirs. What is wrong with one
/// layer has its line, and what is wrong with all of them together the names of all.
Configuration parse_config(std::vector<ConfigLayer> layers);

/// The configuration that POLYCODEC_CONFIG names (an absolute path), or an empty one if it is not
/// set or the process is privileged. Throws as load_config does.
Configuration load_default_config();

}  // namespace polycodec
