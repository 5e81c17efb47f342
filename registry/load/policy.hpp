// SPDX-License-Identifier: MIT
// What a policy allows.
#pragma once

#include "registry/load/plugins.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec {

/// What is to be done with a codec.
enum class Right : std::uint8_t { decode = 1, encode = 2 };

/// Returns how much a pattern says: the number of its literal characters, and more than any
/// pattern's for an exact name.
std::size_t pattern_weight(std::string_view pattern) noexcept;

/// Why the plugin may not be loaded; empty if it may.
std::string refuses_plugin(const Policy& policy, std::string_view id);
/// Why the codec may not be used so; empty if it may. `name` is the canonical name. In mode
/// `listed`, a codec that no codec rule matches is allowed if allow_plugins allows its plugin by
/// name.
std::string refuses_codec(const Policy& policy, std::string_view name, std::string_view plugin_id,
                          Right right);
/// Why a library with this digest (64 lower-case hex digits) is refused; empty if it is not.
std::string refuses_digest(const Policy& policy, std::string_view id, std::string_view sha256);
/// True if the library of this plugin must be hashed before it is loaded.
bool needs_digest(const Policy& policy, std::string_view id);

}  // namespace polycodec
