// SPDX-License-Identifier: MIT
// UTF-8: strict validation, single characters, counting. Strict means that overlong forms, surrogates and code points
// above U+10FFFF are refused; NUL and byte order marks are characters like any other.
#pragma once

#include <polycodec/cpu.hpp>
#include <polycodec/utf8_x86.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace polycodec {

/// What validate_utf8() returns for valid text.
inline constexpr std::size_t utf8_npos = static_cast<std::size_t>(-1);

/// Decodes the character at the front of `size` bytes. Returns how many bytes it takes (1 to 4), or 0 if the bytes
/// are not valid UTF-8 or end within the character; `code_point` is then unchanged.
constexpr std::uint32_t decode_one(const std::uint8_t* data, std::size_t size, char32_t& code_point) noexcept {
  if (size == 0) return 0;
  const std::uint32_t b0 = data[0];
  if (b0 < 0x80) {
    code_point = b0;
    return 1;
  }
  if (b0 < 0xc2 || size < 2) return 0;
  const std::uint32_t b1 = data[1];
  if ((b1 & 0xc0) != 0x80) return 0;
  if (b0 < 0xe0) {
    code_point = ((b0 & 0x1f) << 6) | (b1 & 0x3f);
    return 2;
  }
  if (size < 3) return 0;
  const std::uint32_t b2 = data[2];
  if ((b2 & 0xc0) != 0x80) return 0;
  if (b0 < 0xf0) {
    const std::uint32_t c = ((b0 & 0x0f) << 12) | ((b1 & 0x3f) << 6) | (b2 & 0x3f);
    if (c < 0x800 || (c >= 0xd800 && c < 0xe000)) return 0;
    code_point = c;
    return 3;
  }
  if (size < 4 || b0 > 0xf4) return 0;
  const std::uint32_t b3 = data[3];
  if ((b3 & 0xc0) != 0x80) return 0;
  const std::uint32_t c = ((b0 & 0x07) << 18) | ((b1 & 0x3f) << 12) | ((b2 & 0x3f) << 6) | (b3 & 0x3f);
  if (c < 0x10000 || c > 0x10ffff) return 0;
  code_point = c;
  return 4;
}

/// Writes a code point as UTF-8 to `out`, which has room for 4 bytes. Returns the bytes written, or 0 for a surrogate
/// or a number above U+10FFFF.
constexpr std::uint32_t encode_one(char32_t code_point, char* out) noexcept {
  const auto c = static_cast<std::uint32_t>(code_point);
  const auto tail = [c](int shift) { return static_cast<char>(0x80 | ((c >> shift) & 0x3f)); };
  if (c < 0x80) {
    out[0] = static_cast<char>(c);
    return 1;
  }
  if (c < 0x800) {
    out[0] = static_cast<char>(0xc0 | (c >> 6));
    out[1] = tail(0);
    return 2;
  }
  if (c < 0x10000) {
    if (c >= 0xd800 && c < 0xe000) return 0;
    out[0] = static_cast<char>(0xe0 | (c >> 12));
    out[1] = tail(6);
    out[2] = tail(0);
    return 3;
  }
  if (c > 0x10ffff) return 0;
  out[0] = static_cast<char>(0xf0 | (c >> 18));
  out[1] = tail(12);
  out[2] = tail(6);
  out[3] = tail(0);
  return 4;
}

/// Appends a code point. Returns false, and appends nothing, for a surrogate or a number above U+10FFFF.
[[nodiscard]] inline bool append_utf8(std::string& text, char32_t code_point) {
  char bytes[4] = {};
  const std::uint32_t size = encode_one(code_point, bytes);
  text.append(bytes, size);
  return size != 0;
}

namespace detail {

inline constexpr std::uint64_t high_bits = 0x8080808080808080u;

inline std::uint64_t load_word(const std::uint8_t* p) noexcept {
  std::uint64_t word;
  std::memcpy(&word, p, 8);
  return word;
}

// Checks from `at` on, character by character, and skips ASCII by words.
inline std::size_t validate_utf8_scalar(const std::uint8_t* data, std::size_t size, std::size_t at = 0) noexcept {
  while (at < size) {
    while (size - at >= 16 && ((load_word(data + at) | load_word(data + at + 8)) & high_bits) == 0) at += 16;
    if (at == size) break;
    // A run of other characters is likely to go on: look for the next word of ASCII only after one ASCII byte.
    do {
      char32_t code_point = 0;
      const std::uint32_t length = decode_one(data + at, size - at, code_point);
      if (length == 0) return at;
      at += length;
    } while (at < size && (data[at] >= 0x80 || size - at < 16));
  }
  return utf8_npos;
}

// Validation with the instructions of `level`, which the processor must have.
inline std::size_t validate_utf8_at(CpuLevel level, const std::uint8_t* data, std::size_t size) noexcept {
#if defined(__x86_64__)
  if (level >= CpuLevel::avx2) {
    std::size_t at = validate_utf8_avx2(data, size);
    if (at == size) return utf8_npos;
    // The block at `at` is bad, or the character that reaches into it: start where that one starts.
    for (std::size_t back = 1; back <= 3 && back <= at; ++back) {
      if (data[at - back] < 0x80) break;
      if (data[at - back] >= 0xc0) {
        at -= back;
        break;
      }
    }
    return validate_utf8_scalar(data, size, at);
  }
#endif
  static_cast<void>(level);
  return validate_utf8_scalar(data, size);
}

[[gnu::noinline]] inline std::size_t validate_utf8_long(const std::uint8_t* data, std::size_t size) noexcept {
  if (size > 32 && size <= 256) {
    // Most strings of this length are ASCII too, and then done before the vector kernel would have started.
    std::size_t at = 0;
    while (at + 16 < size && ((load_word(data + at) | load_word(data + at + 8)) & high_bits) == 0) at += 16;
    if (at + 16 >= size && ((load_word(data + size - 16) | load_word(data + size - 8)) & high_bits) == 0)
      return utf8_npos;
  }
  return validate_utf8_at(size >= 64 && cpu_has(CpuLevel::avx2) ? CpuLevel::avx2 : CpuLevel::scalar, data, size);
}

// True if the `size` <= 32 bytes are all ASCII. Overlapping loads instead of a loop: short strings are the rule.
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

/// The offset of the first byte that does not start a valid character, or utf8_npos if all `size` bytes are valid. A
/// character that the end cuts off is reported at its first byte. [thread-safe] A few nanoseconds for short ASCII.
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

/// The number of code points of valid UTF-8 (of other bytes: the number of those that continue no character).
constexpr std::size_t count_code_points(std::string_view text) noexcept {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xc0u) != 0x80u;
  return count;
}

}  // namespace polycodec
