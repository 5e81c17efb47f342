// SPDX-License-Identifier: MIT
// The shortest heads and integers, written straight to memory: the hot part of the encoder.
#pragma once

#include <polycodec/byte_order.hpp>

#include <bit>
#include <cstdint>
#include <cstring>

namespace polycodec::msgpack_ndarray {

/// The most bytes that a function of this header writes.
inline constexpr std::uint64_t max_head = 9;

inline std::uint8_t* write_unsigned(std::uint8_t* o, std::uint64_t value) noexcept {
  if (value < 0x80) {
    *o = static_cast<std::uint8_t>(value);
    return o + 1;
  }
  if (value <= 0xff) {
    o[0] = 0xcc;
    o[1] = static_cast<std::uint8_t>(value);
    return o + 2;
  }
  if (value <= 0xffff) {
    o[0] = 0xcd;
    store_be(o + 1, static_cast<std::uint16_t>(value));
    return o + 3;
  }
  if (value <= 0xffffffff) {
    o[0] = 0xce;
    store_be(o + 1, static_cast<std::uint32_t>(value));
    return o + 5;
  }
  o[0] = 0xcf;
  store_be(o + 1, value);
  return o + 9;
}

inline std::uint8_t* write_signed(std::uint8_t* o, std::int64_t value) noexcept {
  if (value >= 0) return write_unsigned(o, static_cast<std::uint64_t>(value));
  if (value >= -32) {
    *o = static_cast<std::uint8_t>(value);
    return o + 1;
  }
  if (value >= INT8_MIN) {
    o[0] = 0xd0;
    o[1] = static_cast<std::uint8_t>(value);
    return o + 2;
  }
  if (value >= INT16_MIN) {
    o[0] = 0xd1;
    store_be(o + 1, static_cast<std::int16_t>(value));
    return o + 3;
  }
  if (value >= INT32_MIN) {
    o[0] = 0xd2;
    store_be(o + 1, static_cast<std::int32_t>(value));
    return o + 5;
  }
  o[0] = 0xd3;
  store_be(o + 1, value);
  return o + 9;
}

/// A head whose size is in the first byte (`fix` | size, for sizes below `fix_limit`), or in 8 (if
/// `code8` is not 0), 16 or 32 bits behind the byte `code8`, `code16` or `code16` + 1.
inline std::uint8_t* write_sized(std::uint8_t* o, std::uint64_t size, std::uint8_t fix,
                                 std::uint64_t fix_limit, std::uint8_t code8,
                                 std::uint8_t code16) noexcept {
  if (size < fix_limit) {
    *o = static_cast<std::uint8_t>(fix | size);
    return o + 1;
  }
  if (code8 != 0 && size <= 0xff) {
    o[0] = code8;
    o[1] = static_cast<std::uint8_t>(size);
    return o + 2;
  }
  if (size <= 0xffff) {
    o[0] = code16;
    store_be(o + 1, static_cast<std::uint16_t>(size));
    return o + 3;
  }
  o[0] = static_cast<std::uint8_t>(code16 + 1);
  store_be(o + 1, static_cast<std::uint32_t>(size));
  return o + 5;
}
/// Sizes must be below 2^32.
inline std::uint8_t* write_text_head(std::uint8_t* o, std::uint64_t size) noexcept {
  return write_sized(o, size, 0xa0, 32, 0xd9, 0xda);
}
inline std::uint8_t* write_binary_head(std::uint8_t* o, std::uint64_t size) noexcept {
  return write_sized(o, size, 0, 0, 0xc4, 0xc5);
}
inline std::uint8_t* write_list_head(std::uint8_t* o, std::uint64_t size) noexcept {
  return write_sized(o, size, 0x90, 16, 0, 0xdc);
}
inline std::uint8_t* write_map_head(std::uint8_t* o, std::uint64_t size) noexcept {
  return write_sized(o, size, 0x80, 16, 0, 0xde);
}

/// `size` is that of the body, without the type code.
inline std::uint8_t* write_ext_head(std::uint8_t* o, std::uint64_t size,
                                    std::int8_t code) noexcept {
  if (size <= 16 && std::has_single_bit(size)) {
    *o++ = static_cast<std::uint8_t>(0xd4 + std::countr_zero(size));
  } else {
    o = write_sized(o, size, 0, 0, 0xc7, 0xc8);
  }
  *o = static_cast<std::uint8_t>(code);
  return o + 1;
}

/// Copies `size` bytes; quicker than memcpy for the few bytes of most strings.
inline void copy_text(std::uint8_t* o, const void* data, std::uint64_t size) noexcept {
  const auto* p = static_cast<const std::uint8_t*>(data);
  if (size > 32) {
    std::memcpy(o, p, size);
  } else if (size >= 16) {
    std::memcpy(o, p, 16);
    std::memcpy(o + size - 16, p + size - 16, 16);
  } else if (size >= 8) {
    std::memcpy(o, p, 8);
    std::memcpy(o + size - 8, p + size - 8, 8);
  } else if (size >= 4) {
    std::memcpy(o, p, 4);
    std::memcpy(o + size - 4, p + size - 4, 4);
  } else if (size != 0) {
    o[0] = p[0];
    o[size / 2] = p[size / 2];
    o[size - 1] = p[size - 1];
  }
}

}  // namespace polycodec::msgpack_ndarray
