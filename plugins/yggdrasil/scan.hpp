// SPDX-License-Identifier: MIT
// Strings of JSON, sixteen characters at a time.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace polycodec::yggdrasil {

/// The first of `"`, `\` and the control characters from `p` on, or `end`. `upper` gets bits set if
/// a byte before it is not ASCII.
inline const char* string_stop(const char* p, const char* end, unsigned& upper) noexcept {
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i control = _mm_set1_epi8(0x1f);
  while (end - p >= 16) {
    const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i stop =
        _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(text, quote), _mm_cmpeq_epi8(text, backslash)),
                     _mm_cmpeq_epi8(_mm_min_epu8(text, control), text));
    const auto stops = static_cast<unsigned>(_mm_movemask_epi8(stop));
    const auto high = static_cast<unsigned>(_mm_movemask_epi8(text));
    if (stops != 0) {
      upper |= high & (stops ^ (stops - 1));
      return p + __builtin_ctz(stops);
    }
    upper |= high;
    p += 16;
  }
#endif
  for (; p != end; ++p) {
    const auto c = static_cast<unsigned char>(*p);
    if (c == '"' || c == '\\' || c < 0x20) break;
    upper |= c & 0x80u;
  }
  return p;
}

#if defined(__SSE2__)
/// Bits of the characters of 16 that copy_plain() stops at.
inline unsigned plain_stops(__m128i text, unsigned high_mask) noexcept {
  const __m128i marks = _mm_or_si128(_mm_cmpeq_epi8(text, _mm_set1_epi8('"')),
                                     _mm_or_si128(_mm_cmpeq_epi8(text, _mm_set1_epi8('\\')),
                                                  _mm_cmpeq_epi8(text, _mm_set1_epi8('Y'))));
  const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(text, _mm_set1_epi8(0x1f)), text);
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(marks, control))) |
         (static_cast<unsigned>(_mm_movemask_epi8(text)) & high_mask);
}

template <class T>
T load_text(const char* p) noexcept {
  T word;
  std::memcpy(&word, p, sizeof word);
  return word;
}

/// The 1 to 15 characters from `p` on, and zeros. Reads nothing after them.
inline __m128i load_short(const char* p, unsigned size) noexcept {
  if (size >= 8) {
    const auto low = static_cast<long long>(load_text<std::uint64_t>(p));
    // The last eight, of which the first may be among the low ones.
    const std::uint64_t last = load_text<std::uint64_t>(p + size - 8);
    const std::uint64_t high = size == 8 ? 0 : last >> (8 * (16 - size));
    return _mm_set_epi64x(static_cast<long long>(high), low);
  }
  std::uint64_t low;
  if (size >= 4) {
    low = load_text<std::uint32_t>(p) |
          static_cast<std::uint64_t>(load_text<std::uint32_t>(p + size - 4)) << (8 * (size - 4));
  } else {
    const auto at = [p](unsigned i) {
      return static_cast<std::uint64_t>(static_cast<unsigned char>(p[i]));
    };
    low = at(0) | at(size / 2) << (8 * (size / 2)) | at(size - 1) << (8 * (size - 1));
  }
  return _mm_cvtsi64_si128(static_cast<long long>(low));
}
#endif

/// What a writer must look at: `"`, `\`, control characters, `Y` (the separator starts with it),
/// and if `ascii` all that is not ASCII. Copies the text before it to `out`, which has room for all
/// of it and 15 bytes more.
inline const char* copy_plain(const char* p, const char* end, char* out, bool ascii) noexcept {
#if defined(__SSE2__)
  const unsigned high_mask = ascii ? 0xffffu : 0u;
  for (; end - p >= 16; p += 16, out += 16) {
    const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), text);
    if (const unsigned stops = plain_stops(text, high_mask)) return p + __builtin_ctz(stops);
  }
  if (p == end) return p;
  const auto size = static_cast<unsigned>(end - p);
  const __m128i text = load_short(p, size);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out), text);
  // The zeros after the text are control characters: the first of them is where it ends.
  return p + __builtin_ctz(plain_stops(text, high_mask) | 1u << size);
#else
  for (; p != end; ++p, ++out) {
    const auto c = static_cast<unsigned char>(*p);
    if (c == '"' || c == '\\' || c < 0x20 || c == 'Y' || (ascii && c >= 0x80)) break;
    *out = *p;
  }
  return p;
#endif
}

}  // namespace polycodec::yggdrasil
