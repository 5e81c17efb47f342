// SPDX-License-Identifier: MIT
// Deflate streams (RFC 1951) of blocks, each compressed by itself.
#pragma once

#include <polycodec/filter.hpp>

#include <cstdint>
#include <string_view>

namespace polycodec::zlib {

/// Bytes for a library that takes a pointer to bytes that it may change, and only reads.
inline std::uint8_t* input_of(std::string_view bytes) noexcept {
  return reinterpret_cast<std::uint8_t*>(const_cast<char*>(bytes.data()));
}

/// A checksum of bytes that can be put together of those of their blocks.
struct Checksum {
  std::uint32_t none;  ///< of no bytes
  std::uint32_t (*of)(std::string_view bytes);
  /// Of the bytes of `first` and then `size` bytes with the sum `second`.
  std::uint32_t (*combine)(std::uint32_t first, std::uint32_t second, std::uint64_t size);
};

/// Writes a deflate stream of a level of 0 to 9 on several threads, and returns the checksum of
/// what is in it. The bytes that are written do not depend on who compresses which block.
std::uint32_t write_deflate(Call& call, const Pieces& pieces, Writer& out, int level,
                            const Checksum& checksum);

}  // namespace polycodec::zlib
