// SPDX-License-Identifier: MIT
// Blocks of a deflate stream (RFC 1951), each compressed by itself.
#pragma once

#include <base/compress_blocks.hpp>

#include <cstdint>
#include <string_view>

namespace polycodec::zlib {

/// Bytes for a library that takes a pointer to bytes that it may change, and only reads.
inline std::uint8_t* input_of(std::string_view bytes) noexcept {
  return reinterpret_cast<std::uint8_t*>(const_cast<char*>(bytes.data()));
}

/// Bytes of a block. The bytes that are written do not depend on who compresses which block.
inline constexpr std::uint64_t deflate_block_bytes = std::uint64_t{1} << 19;

/// What a block is charged for each byte.
constexpr double deflate_units(int level) noexcept {
  return level == 1 ? 1 : 4;
}
/// How many bytes before a block it may repeat.
constexpr std::uint64_t deflate_history(int level) noexcept {
  return level == 1 ? 32768 : 0;
}

/// Compresses a block at a level of 0 to 9. The first may be the last; another one follows at a
/// whole byte.
void pack_deflate(int level, const Block& block, TextBlock& packed);

}  // namespace polycodec::zlib
