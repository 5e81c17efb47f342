// SPDX-License-Identifier: MIT
// The checksum of ZIP members. Private to core.
#pragma once

#include <base/crc_combine.hpp>

#include "core/call/call_scope.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <isa-l/crc.h>

namespace polycodec {

/// The CRC-32 of what `crc` is the checksum of (0: nothing), followed by `size` bytes at `data`.
/// Several times as fast as memory can be copied on processors that multiply without carry.
inline std::uint32_t crc32(std::uint32_t crc, const void* data, std::size_t size) noexcept {
  return size == 0 ? crc : ::crc32_gzip_refl(crc, static_cast<const unsigned char*>(data), size);
}

/// The same; the threads of the call around it may share the work.
inline std::uint32_t crc32_shared(std::uint32_t crc, const void* data, std::size_t size) {
  constexpr std::size_t slice = std::size_t{1} << 20;
  if (size < parallel_bytes || CallScope::current() == nullptr) return crc32(crc, data, size);
  std::vector<std::uint32_t> sums((size - 1) / slice + 1);
  for_each_host_slice(size, slice, [&](std::uint64_t from, std::uint64_t to) {
    sums[static_cast<std::size_t>(from / slice)] =
        crc32(0, static_cast<const std::byte*>(data) + from, static_cast<std::size_t>(to - from));
  });
  constexpr std::uint32_t polynomial = 0xedb88320;
  for (std::size_t i = 0; i < sums.size(); ++i)
    crc = crc_combine(crc, sums[i], std::min(slice, size - i * slice), polynomial);
  return crc;
}

}  // namespace polycodec
