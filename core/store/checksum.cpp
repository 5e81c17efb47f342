// SPDX-License-Identifier: MIT
#include "core/store/checksum.hpp"

#include <isa-l/crc.h>

namespace polycodec {

std::uint32_t crc32(std::uint32_t crc, const void* data, std::size_t size) noexcept {
  return size == 0 ? crc : ::crc32_gzip_refl(crc, static_cast<const unsigned char*>(data), size);
}

}  // namespace polycodec
