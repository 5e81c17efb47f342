// SPDX-License-Identifier: MIT
// Single characters of UTF-8, strictly: overlong forms, surrogates and code points above U+10FFFF
// are refused; NUL and byte order marks are characters like any other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace polycodec {

/// Decodes the character at the front of `size` bytes. Returns how many bytes it takes (1 to 4), or
/// 0 if the bytes are not valid UTF-8 or end within the character; `code_point` is then unchanged.
constexpr std::uint32_t decode_one(const std::uint8_t* data, std::size_t size,
                                   char32_t& code_point) noexcept {
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
  const std::uint32_t c =
      ((b0 & 0x07) << 18) | ((b1 & 0x3f) << 12) | ((b2 & 0x3f) << 6) | (b3 & 0x3f);
  if (c < 0x10000 || c > 0x10ffff) return 0;
  code_point = c;
  return 4;
}

/// Writes a code point as UTF-8 to `out`, which has room for 4 bytes. Returns the bytes written, or
/// 0 for a surrogate or a number above U+10FFFF.
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

/// Appends a code point. Returns false, and appends nothing, for a surrogate or a number above
/// U+10FFFF.
[[nodiscard]] inline bool append_utf8(std::string& text, char32_t code_point) {
  char bytes[4] = {};
  const std::uint32_t size = encode_one(code_point, bytes);
  text.append(bytes, size);
  return size != 0;
}

}  // namespace polycodec
