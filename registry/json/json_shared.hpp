// SPDX-License-Identifier: MIT
// Long JSON on several threads.
#pragma once

#include <base/json_reader.hpp>
#include <polycodec/call.hpp>

#include <optional>
#include <string_view>

namespace polycodec::json {

/// Shorter text is read by one thread.
inline constexpr std::size_t least_shared = std::size_t{1} << 20;

/// What read_json() returns, read by several threads. Nothing if one thread is to read the text: it
/// is wrong, or has nothing to be cut. Throws Status::cancelled. The work is charged elsewhere.
std::optional<polycodec_node> read_shared(const Call& call, std::string_view text,
                                          const JsonOptions& options, Builder& out);

}  // namespace polycodec::json
