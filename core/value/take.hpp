// SPDX-License-Identifier: MIT
// Rows of an array by index.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/builder.hpp>

#include "core/call/limits.hpp"

#include <cstdint>
#include <span>

namespace polycodec {

/// The items of `array` with these indices, without an INDEXED form at the top: leaves are
/// gathered, the index goes down into the columns of records and the contents of lists. Where an
/// index is negative any item of the type may stand: who asks has a mask for it. Results may view
/// the source. Throws Error(Status::limit).
const polycodec_array* take(const polycodec_array& array, std::span<const std::int64_t> index,
                            Builder& out, const Limits& limits);

}  // namespace polycodec
