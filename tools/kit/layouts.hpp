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
};

/// `value` with its strided arrays placed so; nothing if it has none with elements. It views
/// `value`.
std::optional<Sample> placed(const Sample& value, Placement placement);

/// `value` with metadata of its root, beside those that it has; nothing if it has some. It views
/// `value`.
std::optional<Sample> with_metadata(const Sample& value);

}  // namespace polycodec::kit
