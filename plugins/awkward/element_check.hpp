// SPDX-License-Identifier: MIT
// Elements that not all bytes are.
#pragma once

#include <polycodec/abi.h>

namespace polycodec::awkward {

/// True if every element of this leaf is one of its dtype: booleans 0 or 1, texts of a fixed
/// size valid Unicode. Other dtypes have no wrong bytes, and are not read.
bool elements_are_valid(const polycodec_array& leaf);

}  // namespace polycodec::awkward
