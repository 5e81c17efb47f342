// SPDX-License-Identifier: MIT
// How many rows go into one chunk of the engine.
#pragma once

#include <polycodec/abi.h>

#include <cstdint>

namespace polycodec_sql {

/// Returns how many rows from `first` on one chunk holds: at most `most`, and fewer where the rows
/// have long lists, but one at least.
std::uint64_t rows_of_chunk(const polycodec_array& array, std::uint64_t first, std::uint64_t most);

}  // namespace polycodec_sql
