// SPDX-License-Identifier: MIT
#pragma once

#include <base/text_block.hpp>

#include "sources.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace polycodec::obj {

inline constexpr std::size_t kinds = 7;
inline constexpr std::string_view codes[kinds] = {"v", "vt", "vn", "vp", "p", "l", "f"};

/// Prints the rows [first, last) of p, l or f, which are the kinds 4 to 6. Throws Error with the
/// path of an index out of range, and of a row with too few corners or lists of different lengths.
void print_elements(TextBlock& text, const Sources& sources, std::size_t kind,
                    std::string_view newline, std::uint64_t first, std::uint64_t last);

}  // namespace polycodec::obj
