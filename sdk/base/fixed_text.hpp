// SPDX-License-Identifier: MIT
// Strings of a fixed size, as arrays have them.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/byte_order.hpp>
#include <polycodec/utf.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace polycodec {

/// Returns whether the `size` bytes at `p` are a text of the dtype FIXED_UTF8, _UTF16 or _UTF32,
/// which zeros may follow. A text with a zero inside keeps it, as numpy does.
inline bool is_fixed_text(const std::byte* p, std::uint32_t dtype, std::uint32_t size,
                          std::endian order) noexcept {
  const auto unit16 = [&](std::size_t i) -> std::uint32_t {
    return load<std::uint16_t>(p + 2 * i, order);
  };
  const auto unit32 = [&](std::size_t i) { return load<std::uint32_t>(p + 4 * i, order); };
  const auto is_surrogate = [](std::uint32_t c) { return c >= 0xd800 && c <= 0xdfff; };
  if (dtype == POLYCODEC_DTYPE_FIXED_UTF8) {
    while (size != 0 && p[size - 1] == std::byte{0}) --size;
    return is_utf8({reinterpret_cast<const char*>(p), size});
  }
  if (dtype == POLYCODEC_DTYPE_FIXED_UTF16) {
    std::size_t units = size / 2;
    while (units != 0 && unit16(units - 1) == 0) --units;
    for (std::size_t i = 0; i < units; ++i) {
      if (!is_surrogate(unit16(i))) continue;
      if (unit16(i) > 0xdbff || ++i == units) return false;
      if (unit16(i) < 0xdc00 || unit16(i) > 0xdfff) return false;
    }
    return true;
  }
  std::size_t units = size / 4;
  while (units != 0 && unit32(units - 1) == 0) --units;
  for (std::size_t i = 0; i < units; ++i)
    if (unit32(i) > 0x10ffff || is_surrogate(unit32(i))) return false;
  return true;
}

}  // namespace polycodec
