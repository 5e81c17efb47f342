// SPDX-License-Identifier: MIT
// Which plugins may be loaded and which codecs may be used.
#pragma once

#include <polycodec/export.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

/// What is to be done with a codec.
enum class Right : std::uint8_t { decode = 1, encode = 2 };

/// What an operator trusts. Names are exact or shell patterns (see match_pattern).
/// Of the entries that match a name, the one with the most literal characters decides (an exact
/// name before every pattern), and deny before allow where they are equal; so `deny: ["*"], allow:
/// ["ply"]` allows ply alone. What no entry matches is allowed in mode `open` and refused in mode
/// `listed`.
struct POLYCODEC_API Policy {
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

  /// Why the plugin may not be loaded; empty if it may.
  std::string refuses_plugin(std::string_view id) const;
  /// Why the codec may not be used so; empty if it may. `name` is the canonical name.
  /// In mode `listed`, a codec that no codec rule matches is allowed if allow_plugins allows its
  /// plugin by name.
  std::string refuses_codec(std::string_view name, std::string_view plugin_id, Right right) const;
  /// Why a library with this digest (64 lower-case hex digits) is refused; empty if it is not.
  std::string refuses_digest(std::string_view id, std::string_view sha256) const;
  /// True if the library of this plugin must be hashed before it is loaded.
  bool needs_digest(std::string_view id) const;
};

}  // namespace polycodec
