// SPDX-License-Identifier: MIT
// What this plugin registers.
#pragma once

#include <polycodec/abi.h>

namespace polycodec::awkward {

/// Interface POLYCODEC_FUNCTIONS_INTERFACE: the functions that files may call, under every name that files know them
/// by. They take values and make values; none of them reads a file, looks a name up, or runs anything that data
/// brings.
const polycodec_functions& functions() noexcept;

}  // namespace polycodec::awkward
