// SPDX-License-Identifier: MIT
// Numbers, booleans and nil as bytes; all but floats without a branch on what they are.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/byte_order.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace polycodec::msgpack_ndarray {

/// How a number is written: `code`, and then, `from` bytes behind the first byte, the number moved
/// up by `shift`, as a big-endian integer of 64 bits; of all that, `length` bytes stay.
struct NumberHead {
  std::uint8_t code = 0;
  std::uint8_t from = 0;
  std::uint8_t shift = 0;
  std::uint8_t length = 0;
};

/// By kind (NULL, BOOLEAN, SIGNED, UNSIGNED), by the first bit, and by how many bits follow the
/// last one that is like the first.
inline constexpr auto number_heads = [] {
  std::array<std::array<std::array<NumberHead, 64>, 2>, 4> heads;
  const auto wide = [](unsigned code, unsigned width) {
    return NumberHead{static_cast<std::uint8_t>(code), 1, static_cast<std::uint8_t>(64 - 8 * width),
                      static_cast<std::uint8_t>(1 + width)};
  };
  for (unsigned bits = 0; bits < 64; ++bits) {
    const NumberHead positive = bits <= 7    ? NumberHead{0, 0, 56, 1}
                                : bits <= 8  ? wide(0xcc, 1)
                                : bits <= 16 ? wide(0xcd, 2)
                                : bits <= 32 ? wide(0xce, 4)
                                             : wide(0xcf, 8);
    const NumberHead negative = bits <= 5    ? NumberHead{0, 0, 56, 1}
                                : bits <= 7  ? wide(0xd0, 1)
                                : bits <= 15 ? wide(0xd1, 2)
                                : bits <= 31 ? wide(0xd2, 4)
                                             : wide(0xd3, 8);
    const auto word = [](unsigned code) {
      return NumberHead{static_cast<std::uint8_t>(code), 1, 0, 1};
    };
    heads[POLYCODEC_KIND_NULL][0][bits] = heads[POLYCODEC_KIND_NULL][1][bits] = word(0xc0);
    heads[POLYCODEC_KIND_BOOLEAN][0][bits] = word(bits == 0 ? 0xc2 : 0xc3);
    heads[POLYCODEC_KIND_BOOLEAN][1][bits] = word(0xc3);
    heads[POLYCODEC_KIND_SIGNED][0][bits] = heads[POLYCODEC_KIND_UNSIGNED][0][bits] = positive;
    heads[POLYCODEC_KIND_SIGNED][1][bits] = negative;
    heads[POLYCODEC_KIND_UNSIGNED][1][bits] = wide(0xcf, 8);
  }
  return heads;
}();

/// Writes a node of these kinds; 9 bytes must be there.
inline std::uint8_t* write_number_node(std::uint8_t* o, std::size_t kind,
                                       std::uint64_t value) noexcept {
  const std::uint64_t sign = value >> 63;
  const std::uint64_t magnitude = value ^ (0 - sign);
  const auto bits = static_cast<std::size_t>(63 ^ std::countl_zero(2 * magnitude + 1));
  const NumberHead head = number_heads[kind][sign][bits];
  o[0] = head.code;
  store_be(o + head.from, value << head.shift);
  return o + head.length;
}

/// Writes a FLOAT of 32 or 64 bits; null, and nothing written, for other ones.
inline std::uint8_t* write_real(std::uint8_t* o, const polycodec_node& node) noexcept {
  if (node.dtype == POLYCODEC_DTYPE_FLOAT64) [[likely]] {
    *o = 0xcb;
    store_be(o + 1, node.as.u64);
    return o + 9;
  }
  if (node.dtype != POLYCODEC_DTYPE_FLOAT32) return nullptr;
  *o = 0xca;
  store_be(o + 1, node.as.f32);
  return o + 5;
}

}  // namespace polycodec::msgpack_ndarray
