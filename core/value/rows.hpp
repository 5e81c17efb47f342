// SPDX-License-Identifier: MIT
// A range of the items of an array.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/builder.hpp>

#include "core/call/limits.hpp"

#include <cstdint>

namespace polycodec {

/// Items [first, first + count) of `array`, which has them, as a view of it: only what is shorter
/// than an item (the bits of masks) is copied. Contents of lists stay whole. Throws
/// Error(Status::limit) where forms nest deeper than limits.max_depth. [thread-safe]
const polycodec_array* rows(const polycodec_array& array, std::uint64_t first, std::uint64_t count,
                            Builder& out, const Limits& limits);

}  // namespace polycodec
