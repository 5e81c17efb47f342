// SPDX-License-Identifier: MIT
// Unpredictable bytes. Private to core.
#pragma once

#include <cstdint>
#include <span>

namespace polycodec {

/// Fills `bytes` (at most 256) from the system's generator. Throws Status::io if there is none.
void random_bytes(std::span<std::uint8_t> bytes);

}  // namespace polycodec
