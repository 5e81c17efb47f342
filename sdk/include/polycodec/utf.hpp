// SPDX-License-Identifier: MIT
// Text in UTF-8, and its conversion from and to UTF-16 and UTF-32. Strict: overlong forms,
// surrogates and code points above U+10FFFF are rejected, never replaced. NUL and byte order marks
// are characters like any other. append_utf8() appends a single character.
#pragma once

#include <polycodec/byte_order.hpp>
#include <polycodec/detail/utf8_char.hpp>
#include <polycodec/error.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace polycodec {

/// What validate_utf8() returns for valid text.
inline constexpr std::size_t utf8_npos = static_cast<std::size_t>(-1);

namespace detail {

inline constexpr std::uint64_t high_bits = 0x8080808080808080u;

inline std::uint64_t load_word(const std::uint8_t* p) noexcept {
  std::uint64_t word;
  std::memcpy(&word, p, 8);
  return word;
}

std::size_t validate_utf8_long(const std::uint8_t* data, std::size_t size) noexcept;

// True if the `size` <= 32 bytes are all ASCII. Overlapping loads instead of a loop: short strings
// are the rule.
inline bool is_short_ascii(const std::uint8_t* p, std::size_t size) noexcept {
  if (size >= 8) {
    std::uint64_t any = load_word(p) | load_word(p + size - 8);
    if (size > 16) any |= load_word(p + 8) | load_word(p + size - 16);
    return (any & high_bits) == 0;
  }
  if (size >= 4) {
    std::uint32_t first;
    std::uint32_t last;
    std::memcpy(&first, p, 4);
    std::memcpy(&last, p + size - 4, 4);
    return ((first | last) & 0x80808080u) == 0;
  }
  return size == 0 || ((p[0] | p[size / 2] | p[size - 1]) & 0x80) == 0;
}

}  // namespace detail

/// The offset of the first byte that does not start a valid character, or utf8_npos if all `size`
/// bytes are valid. A character that the end cuts off is reported at its first byte. [thread-safe]
/// A few nanoseconds for short ASCII.
inline std::size_t validate_utf8(const void* data, std::size_t size) noexcept {
  const auto* p = static_cast<const std::uint8_t*>(data);
  if (size <= 32 && detail::is_short_ascii(p, size)) return utf8_npos;
  return detail::validate_utf8_long(p, size);
}
inline std::size_t validate_utf8(std::string_view text) noexcept {
  return validate_utf8(text.data(), text.size());
}

/// True if `text` is valid UTF-8.
inline bool is_utf8(std::string_view text) noexcept {
  return validate_utf8(text) == utf8_npos;
}

/// The number of code points of valid UTF-8 (of other bytes: the number of those that continue no
/// character).
constexpr std::size_t count_code_points(std::string_view text) noexcept {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xc0u) != 0x80u;
  return count;
}

/// UTF-8 as UTF-16 in the byte order of the machine. Throws Error(Status::malformed) with the byte
/// offset of the first bad character.
std::u16string utf16_from_utf8(std::string_view text);

/// UTF-8 as UTF-32 in the byte order of the machine. Throws Error(Status::malformed) with the byte
/// offset of the first bad character.
std::u32string utf32_from_utf8(std::string_view text);

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
      // Without its second half, the surrogate stays as it is and is rejected below.
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
