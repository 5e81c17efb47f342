// SPDX-License-Identifier: MIT
// Work on a run of bytes in slices, which several threads may do.
#pragma once

#include <polycodec/call.hpp>

#include <algorithm>
#include <cstdint>

namespace polycodec {

/// Fewer bytes are not worth a second thread.
inline constexpr std::uint64_t parallel_bytes = std::uint64_t{4} << 20;

/// Calls work(from, to) for each slice of [0, size), where all but the last have `slice` bytes.
/// Each is charged 1 unit for `per_unit` bytes before the work. From parallel_bytes on slices may
/// run on several threads. Where they lie does not depend on threads. Throws what the first slice
/// that failed threw.
template <class Work>
void for_each_slice(const Call& call, std::uint64_t size, std::uint64_t slice,
                    std::uint64_t per_unit, const Work& work) {
  auto run = [&](const Call& own, std::uint64_t from, std::uint64_t to) {
    own.tick((to - from) / per_unit);
    work(from, to);
  };
  if (size >= parallel_bytes) return call.parallel_for(size, slice, run);
  for (std::uint64_t from = 0; from < size; from += slice)
    run(call, from, std::min(size, from + slice));
}

}  // namespace polycodec
