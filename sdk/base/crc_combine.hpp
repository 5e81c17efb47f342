// SPDX-License-Identifier: MIT
// The CRC of bytes from the CRCs of their parts, which several threads may compute.
#pragma once

#include <cstdint>

namespace polycodec {

/// The product of two polynomials over GF(2), modulo that of a CRC of 32 bits. All have their bits
/// reflected: the highest bit is the constant.
constexpr std::uint32_t crc_multiply(std::uint32_t a, std::uint32_t b,
                                     std::uint32_t polynomial) noexcept {
  std::uint32_t product = 0;
  for (; a != 0; a <<= 1) {
    if ((a >> 31) != 0) product ^= b;
    b = (b >> 1) ^ ((b & 1) != 0 ? polynomial : 0);
  }
  return product;
}

/// The CRC of bytes whose front has the CRC `first`, and whose last `size` bytes have `second`.
constexpr std::uint32_t crc_combine(std::uint32_t first, std::uint32_t second, std::uint64_t size,
                                    std::uint32_t polynomial) noexcept {
  std::uint32_t power = 0x00800000;  // x to the power of 8: one byte
  for (; size != 0 && first != 0; size >>= 1) {
    if ((size & 1) != 0) first = crc_multiply(power, first, polynomial);
    power = crc_multiply(power, power, polynomial);
  }
  return first ^ second;
}

}  // namespace polycodec
