// SPDX-License-Identifier: MIT
// Names that a mistyped name may have meant.
#pragma once

#include <polycodec/export.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

/// Edit distance in bytes: insertions, deletions, replacements and swaps of neighbors count 1
/// each.
POLYCODEC_API std::size_t edit_distance(std::string_view a, std::string_view b);

/// At most `most` of the candidates that are near `wanted` (edit distance at most a third of its
/// length, letters compared without case, or one being the beginning of the other), nearest first,
/// then in order of name.
POLYCODEC_API std::vector<std::string> suggestions(std::string_view wanted,
                                                   std::span<const std::string> candidates,
                                                   std::size_t most = 3);

/// ` (did you mean 'a', 'b'?)`, or nothing if no candidate is near: to be appended to a message.
POLYCODEC_API std::string did_you_mean(std::string_view wanted,
                                       std::span<const std::string> candidates);

}  // namespace polycodec
