// SPDX-License-Identifier: MIT
// The codecs `text` (typed JSON) and `json`, which the library itself brings.
#pragma once

#include <polycodec/abi.h>

#include <string_view>

namespace polycodec::json {

/// Nobody else's plugin has this id. No policy of plugins leaves it out, and it always runs
/// in-process: its code is that of the library.
inline constexpr std::string_view plugin_id = "json";
/// The plugin that every catalog has.
const polycodec_plugin& plugin() noexcept;
/// The text of its manifest.
std::string_view manifest() noexcept;

}  // namespace polycodec::json
