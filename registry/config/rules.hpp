// SPDX-License-Identifier: MIT
// The conditions of the rules of a configuration.
#pragma once

#include "registry/config/config.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

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

}  // namespace polycodec
