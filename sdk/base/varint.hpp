// SPDX-License-Identifier: MIT
// Base-128 integers (LEB128): low group first, the high bit of a byte says that more follow.
#pragma once

#include <polycodec/byte_order.hpp>
#include <polycodec/writer.hpp>

#include <bit>
#include <cstdint>

namespace polycodec {

/// The greatest number of bytes of a 64-bit varint.
inline constexpr std::uint32_t max_varint_size = 10;

/// Bytes that encode_varint() writes for `value`: 1 to 10.
constexpr std::uint32_t varint_size(std::uint64_t value) noexcept {
  return (static_cast<std::uint32_t>(std::bit_width(value | 1)) + 6) / 7;
}

/// Writes `value` in its shortest form to `out`, which has room for max_varint_size bytes; returns
/// the bytes written.
constexpr std::uint32_t encode_varint(std::uint64_t value, std::uint8_t* out) noexcept {
  std::uint32_t size = 0;
  while (value >= 0x80) {
    out[size++] = static_cast<std::uint8_t>(value | 0x80);
    value >>= 7;
  }
  out[size++] = static_cast<std::uint8_t>(value);
  return size;
}

/// What decode_varint() found.
enum class VarintStatus : std::uint8_t {
  ok,
  truncated,  ///< the bytes end before the varint does
  overlong,   ///< not the shortest form: the last of several bytes is 0
  overflow,   ///< more than 64 bits
};

/// A decoded varint; `value` and `size` (bytes taken) are meaningful if `status` is ok.
struct Varint {
  std::uint64_t value = 0;
  std::uint32_t size = 0;
  VarintStatus status = VarintStatus::truncated;
};

namespace detail {

inline Varint decode_varint_bytewise(const std::uint8_t* data, std::uint64_t size) noexcept {
  std::uint64_t value = 0;
  for (std::uint32_t i = 0; i < size; ++i) {
    const std::uint8_t byte = data[i];
    if (i == max_varint_size - 1 && byte > 1) return {0, 0, VarintStatus::overflow};
    value |= static_cast<std::uint64_t>(byte & 0x7f) << (7 * i);
    if (byte < 0x80)
      return byte == 0 && i != 0 ? Varint{0, 0, VarintStatus::overlong}
                                 : Varint{value, i + 1, VarintStatus::ok};
  }
  return {};
}

inline Varint decode_long_varint(const std::uint8_t* data, std::uint64_t size) noexcept {
  if (size >= 8) {
    // All of up to eight bytes at once: lengths that vary would cost a mispredicted branch each.
    auto groups = load_le<std::uint64_t>(data);
    const std::uint64_t ends = ~groups & 0x8080808080808080u;
    if (ends != 0) {
      const auto last_bit = static_cast<std::uint32_t>(std::countr_zero(ends));
      groups &= ends ^ (ends - 1);
      if (((groups >> (last_bit - 7)) & 0x7f) == 0 && last_bit != 7)
        return {0, 0, VarintStatus::overlong};
      groups = (groups & 0x007f007f007f007fu) | ((groups & 0x7f007f007f007f00u) >> 1);
      groups = (groups & 0x00003fff00003fffu) | ((groups & 0x3fff00003fff0000u) >> 2);
      groups = (groups & 0x000000000fffffffu) | ((groups & 0x0fffffff00000000u) >> 4);
      return {groups, (last_bit + 1) / 8, VarintStatus::ok};
    }
  }
  return decode_varint_bytewise(data, size);
}

}  // namespace detail

/// Decodes the varint at the front of the `size` bytes at `data`. Strict: shortest form only, less
/// than 2^64.
inline Varint decode_varint(const std::uint8_t* data, std::uint64_t size) noexcept {
  if (size != 0 && data[0] < 0x80) [[likely]]
    return {data[0], 1, VarintStatus::ok};
  return detail::decode_long_varint(data, size);
}

/// Writes a varint.
inline void write_varint(Writer& out, std::uint64_t value) {
  out.commit(encode_varint(value, out.reserve(max_varint_size)));
}

}  // namespace polycodec
