// SPDX-License-Identifier: MIT
// Strings of JSON, sixteen characters at a time.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace polycodec::yggdrasil {

/// The first of `"`, `\` and the control characters from `p` on, or `end`. `upper` gets bits set if a byte before it
/// is not ASCII.
inline const char* string_stop(const char* p, const char* end, unsigned& upper) noexcept {
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i control = _mm_set1_epi8(0x1f);
  while (end - p >= 16) {
    const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i stop = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(text, quote), _mm_cmpeq_epi8(text, backslash)),
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

/// What a writer must look at: `"`, `\`, control characters, `Y` (the separator starts with it), and if `ascii` all
/// that is not ASCII. Copies the text before it to `out`, which has room for all of it and 15 bytes more.
inline const char* copy_plain(const char* p, const char* end, char* out, bool ascii) noexcept {
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i control = _mm_set1_epi8(0x1f);
  const __m128i y = _mm_set1_epi8('Y');
  const unsigned high_mask = ascii ? 0xffffu : 0u;
  for (; end - p >= 16; p += 16, out += 16) {
    const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), text);
    const __m128i stop =
        _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(text, quote), _mm_cmpeq_epi8(text, backslash)),
                     _mm_or_si128(_mm_cmpeq_epi8(_mm_min_epu8(text, control), text), _mm_cmpeq_epi8(text, y)));
    const unsigned stops =
        static_cast<unsigned>(_mm_movemask_epi8(stop)) | (static_cast<unsigned>(_mm_movemask_epi8(text)) & high_mask);
    if (stops != 0) return p + __builtin_ctz(stops);
  }
#endif
  for (; p != end; ++p, ++out) {
    const auto c = static_cast<unsigned char>(*p);
    if (c == '"' || c == '\\' || c < 0x20 || c == 'Y' || (ascii && c >= 0x80)) break;
    *out = *p;
  }
  return p;
}

}  // namespace polycodec::yggdrasil
