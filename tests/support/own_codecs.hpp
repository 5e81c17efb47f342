// SPDX-License-Identifier: MIT
// What every registry has.
#pragma once

#include <cstddef>

namespace polycodec::test {

/// The codecs of the library itself: `json` and `text`.
inline constexpr std::size_t own_codecs = 2;

}  // namespace polycodec::test
