// SPDX-License-Identifier: MIT
// Work in parts whose ends show only on the way, shared by threads.
#pragma once

#include <base/threads.hpp>
#include <polycodec/call.hpp>

#include <cstdint>
#include <mutex>

namespace polycodec {

/// Cuts parts off and works on them: `cut(call, part)` finds the next part, and returns false
/// after the last one. One thread at a time cuts. `work(call, part)` runs at the same time as
/// others, right after the cut, while the bytes of the part are in the cache of its thread. False:
/// there are more than `most` parts. Throws what one of them threw; which one depends on threads.
template <class Part, class Cut, class Work>
bool for_each_cut(const Call& call, std::uint64_t most, const Cut& cut, const Work& work) {
  Mutex mutex;
  bool is_over = false;
  call.parallel_for(most, 1, [&](const Call& child, std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t i = from; i < to; ++i) {
      Part part;
      {
        const std::unique_lock lock(mutex);
        if (is_over) return;
        is_over = true;  // also if it throws
        if (!cut(child, part)) return;
        is_over = false;
      }
      work(child, part);
    }
  });
  Part part;
  return is_over || !cut(call, part);
}

}  // namespace polycodec
