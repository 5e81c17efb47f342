// SPDX-License-Identifier: MIT
// Unpredictable bytes. Private to core.
#pragma once

#include "core/io/posix_file.hpp"

#include <sys/random.h>

#include <cstdint>
#include <span>

namespace polycodec {

/// Fills `bytes` (at most 256) from the system's generator. Throws Status::io if there is none.
inline void random_bytes(std::span<std::uint8_t> bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::getrandom(bytes.data() + done, bytes.size() - done, 0);
    if (got < 0 && errno != EINTR) posix::throw_errno("read", "the system's random numbers");
    if (got > 0) done += static_cast<std::size_t>(got);
  }
}

}  // namespace polycodec
