// SPDX-License-Identifier: MIT
// The threads that codecs work on in parallel.
#pragma once

#include <polycodec/host.h>

#include <cstdint>

namespace polycodec_python {

/// The executor of all registries of this process. Its threads start with the first task for more
/// than one, and anew after fork().
const polycodec_executor* executor();

/// Bounds the threads of calls of the library on this thread (0: one for each processor). Returns
/// the bound before.
std::uint32_t limit_threads(std::uint32_t threads) noexcept;

}  // namespace polycodec_python
