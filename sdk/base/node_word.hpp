// SPDX-License-Identifier: MIT
// What begins a node, as one word that is stored at once.
#pragma once

#include <bit>
#include <cstdint>

namespace polycodec {

/// The first eight bytes of a node of this machine. `size` is below 2^32.
constexpr std::uint64_t node_word(std::uint64_t kind, std::uint64_t dtype,
                                  std::uint64_t size) noexcept {
  if constexpr (std::endian::native == std::endian::little) return kind | dtype << 8 | size << 32;
  return kind << 56 | dtype << 48 | size;
}

}  // namespace polycodec
