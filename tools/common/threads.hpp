// SPDX-License-Identifier: MIT
// Threads of the command's own, for work that the library does not do.
#pragma once

#include <cstdint>
#include <functional>

namespace polycodec::cli {

/// The processors that this process may use: the least of what its affinity and the quota of its
/// control group allow.
std::uint32_t usable_processors();

/// Calls task(0) to task(n - 1), on this thread and others: up to `threads` in all, or one for each
/// processor (0). Returns when all have ended. Tasks never throw. Throws std::bad_alloc.
void share(std::uint64_t n, std::uint32_t threads, const std::function<void(std::uint64_t)>& task);

}  // namespace polycodec::cli
