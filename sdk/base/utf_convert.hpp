// SPDX-License-Identifier: MIT
// UTF-16 and UTF-32 to UTF-8, strictly: invalid code units are refused, never replaced.
#pragma once

#include <polycodec/byte_order.hpp>
#include <polycodec/detail/utf8_char.hpp>
#include <polycodec/error.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec {

/// `count` UTF-16 code units at `data` (of any alignment, in the given byte order) as UTF-8. Throws
/// Error(Status::malformed) with the byte offset from `data` for a surrogate that is not one of a
/// pair.
inline std::string utf8_from_utf16(const void* data, std::size_t count,
                                   std::endian order = std::endian::native) {
  const auto* p = static_cast<const std::uint8_t*>(data);
  std::string text;
  text.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    char32_t c = load<std::uint16_t>(p + 2 * i, order);
    if (c >= 0xd800 && c < 0xdc00 && i + 1 < count) {
      const char32_t low = load<std::uint16_t>(p + 2 * (i + 1), order);
      // Without its second half, the surrogate stays what it is and is refused below.
      if (low >= 0xdc00 && low < 0xe000) {
        c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
        ++i;
      }
    }
    if (!append_utf8(text, c))
      throw Error(Status::malformed, "UTF-16 text has an unpaired surrogate", 2 * i);
  }
  return text;
}
inline std::string utf8_from_utf16(std::u16string_view text) {
  return utf8_from_utf16(text.data(), text.size());
}

/// `count` UTF-32 code units at `data` (of any alignment, in the given byte order) as UTF-8. Throws
/// Error(Status::malformed) with the byte offset from `data` for a surrogate or a number above
/// U+10FFFF.
inline std::string utf8_from_utf32(const void* data, std::size_t count,
                                   std::endian order = std::endian::native) {
  const auto* p = static_cast<const std::uint8_t*>(data);
  std::string text;
  text.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (!append_utf8(text, load<std::uint32_t>(p + 4 * i, order)))
      throw Error(Status::malformed, "UTF-32 text has a number that is not a character", 4 * i);
  }
  return text;
}
inline std::string utf8_from_utf32(std::u32string_view text) {
  return utf8_from_utf32(text.data(), text.size());
}

}  // namespace polycodec
