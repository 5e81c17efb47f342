// SPDX-License-Identifier: MIT
// UTF-8 in bulk: validation, counting, conversion to UTF-16 and UTF-32. Strict, as
// polycodec/detail/utf8_char.hpp.
#pragma once

#include <base/cpu.hpp>
#include <polycodec/detail/utf8_char.hpp>

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

// Validation with the instructions of `level`, which the processor must have.
std::size_t validate_utf8_at(CpuLevel level, const std::uint8_t* data, std::size_t size) noexcept;
std::size_t validate_utf8_long(const std::uint8_t* data, std::size_t size) noexcept;

#if defined(__x86_64__)
// True if the first `size` <= 31 bytes are valid UTF-8. 32 bytes must be readable, and the
// processor must have AVX2.
bool is_short_utf8_avx2(const std::uint8_t* p, std::uint64_t size) noexcept;
#endif

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

}  // namespace polycodec
