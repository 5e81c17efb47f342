// SPDX-License-Identifier: MIT
// The checksum of ZIP members. Private to core.
#pragma once

#include <cstddef>
#include <cstdint>

#include <isa-l/crc.h>

namespace polycodec {

/// The CRC-32 of what `crc` is the checksum of (0: nothing), followed by `size` bytes at `data`.
/// Several times as fast as memory can be copied on processors that multiply without carry.
inline std::uint32_t crc32(std::uint32_t crc, const void* data, std::size_t size) noexcept {
  return size == 0 ? crc : ::crc32_gzip_refl(crc, static_cast<const unsigned char*>(data), size);
}

}  // namespace polycodec
