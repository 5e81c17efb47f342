// SPDX-License-Identifier: MIT
// JSON 64 bytes at a time: what is in strings, and the brackets outside of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace polycodec {

inline constexpr std::size_t json_block_bytes = 64;

/// What a block leaves to the next one.
struct JsonCarry {
  std::uint64_t escaped = 0;    ///< 1: its first byte is escaped
  std::uint64_t in_string = 0;  ///< all bits: it begins in a string
};

/// Each bit is the parity of itself and those below.
[[gnu::always_inline]] inline std::uint64_t parities(std::uint64_t bits) noexcept {
  for (unsigned i = 1; i < 64; i *= 2) bits ^= bits << i;
  return bits;
}

/// The bytes after backslashes that are not escaped themselves.
[[gnu::always_inline]] inline std::uint64_t escaped_bytes(std::uint64_t backslashes,
                                                          JsonCarry& carry) noexcept {
  std::uint64_t escaped = carry.escaped;
  carry.escaped = 0;
  for (std::uint64_t left = backslashes & ~escaped; left != 0;) {
    const std::uint64_t first = left & (0 - left);
    escaped |= first << 1;
    if (first >> 63 != 0) carry.escaped = 1;
    left &= ~(first | first << 1);
  }
  return escaped;
}

/// The bytes in strings, from each opening quote on. `quotes` loses those that are escaped.
template <class Parities>
[[gnu::always_inline]] inline std::uint64_t strings_of(std::uint64_t& quotes,
                                                       std::uint64_t backslashes, JsonCarry& carry,
                                                       Parities parities) noexcept {
  if ((backslashes | carry.escaped) != 0) [[unlikely]]
    quotes &= ~escaped_bytes(backslashes, carry);
  const std::uint64_t strings = parities(quotes) ^ carry.in_string;
  carry.in_string = 0 - (strings >> 63);
  return strings;
}

/// A bit for each of 64 bytes outside of strings.
struct JsonMarks {
  std::uint64_t opens = 0, closes = 0, separators = 0;
};

/// The brackets, and the bytes that are `separator`, of the block at `at`; spaces follow the text.
inline JsonMarks json_marks(std::string_view text, std::size_t at, char separator,
                            JsonCarry& carry) noexcept {
  char copy[json_block_bytes];
  const char* p = text.data() + at;
  if (text.size() - at < json_block_bytes) {  // the last ones
    std::memset(copy, ' ', json_block_bytes);
    std::memcpy(copy, p, text.size() - at);
    p = copy;
  }
  std::uint64_t quotes = 0, backslashes = 0;
  JsonMarks found;
  // `[` and `{` differ in one bit, as `]` and `}` do.
#if defined(__SSE2__)
  for (unsigned i = 0; i < json_block_bytes; i += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + i));
    const __m128i folded = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
    const auto put = [i](std::uint64_t& bits, __m128i equal) {
      bits |= static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(equal))) << i;
    };
    put(quotes, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')));
    put(backslashes, _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')));
    put(found.opens, _mm_cmpeq_epi8(folded, _mm_set1_epi8('{')));
    put(found.closes, _mm_cmpeq_epi8(folded, _mm_set1_epi8('}')));
    put(found.separators, _mm_cmpeq_epi8(bytes, _mm_set1_epi8(separator)));
  }
#else
  for (unsigned i = 0; i < json_block_bytes; ++i) {
    const auto put = [i](std::uint64_t& bits, bool is) { bits |= std::uint64_t{is} << i; };
    put(quotes, p[i] == '"');
    put(backslashes, p[i] == '\\');
    put(found.opens, (p[i] | 0x20) == '{');
    put(found.closes, (p[i] | 0x20) == '}');
    put(found.separators, p[i] == separator);
  }
#endif
  const std::uint64_t strings = strings_of(quotes, backslashes, carry, parities);
  return {found.opens & ~strings, found.closes & ~strings, found.separators & ~strings};
}

}  // namespace polycodec
