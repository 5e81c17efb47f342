// SPDX-License-Identifier: MIT
// The same value in other memory.
#pragma once

#include "subject.hpp"

#include <optional>

namespace polycodec::kit {

/// Where the elements of strided arrays are to lie.
enum class Placement {
  rows_apart,  ///< a gap after each item of the first dimension
  all_apart,   ///< the first dimension innermost and backward, with a gap in each
  swapped,     ///< contiguous, with the bytes of each number in the other order
};

/// `value` with its strided arrays placed so; nothing if it has none with elements. It views
/// `value`.
std::optional<Sample> placed(const Sample& value, Placement placement);

/// `value` with its lists and arrays repeated, all of them as often, so that they have some MiB;
/// nothing if it has none, or some of a layout that does not allow it. It views `value`.
std::optional<Sample> enlarged(const Sample& value);

}  // namespace polycodec::kit
