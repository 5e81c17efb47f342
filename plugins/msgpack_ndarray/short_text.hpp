// SPDX-License-Identifier: MIT
// UTF-8 checks of texts of up to 31 bytes, which is what keys and names are: without a branch on their length, which
// is what a processor predicts worst.
#pragma once

#include <polycodec/cpu.hpp>
#include <polycodec/utf8.hpp>

#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace polycodec::msgpack_ndarray {

/// So many bytes must be readable from the start of a short text on, whatever its length.
inline constexpr std::uint64_t short_window = 32;

/// True if the first `size` <= 31 bytes are ASCII; false if they are not, or if this machine has no quick way to
/// tell.
inline bool is_short_ascii(const std::uint8_t* p, std::uint64_t size) noexcept {
#if defined(__SSE2__)
  const auto mask = [p](std::size_t at) {
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p + at))));
  };
  return ((mask(0) | mask(16) << 16) & ((std::uint32_t{1} << size) - 1)) == 0;
#else
  static_cast<void>(p);
  return size == 0;
#endif
}

#if defined(__x86_64__)
/// True if the first `size` <= 31 bytes are valid UTF-8. The processor must have AVX2.
__attribute__((target("avx2"))) inline bool is_short_utf8_avx2(const std::uint8_t* p, std::uint64_t size) noexcept {
  const __m256i places = _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
                                          21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
  const __m256i inside = _mm256_cmpgt_epi8(_mm256_set1_epi8(static_cast<char>(size)), places);
  // What follows the text becomes NUL, which also shows a character that the end cuts off.
  const __m256i text = _mm256_and_si256(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)), inside);
  const __m256i faults = detail::utf8_faults(text, _mm256_setzero_si256());
  return _mm256_testz_si256(faults, faults) != 0;
}
#endif

/// True if the first `size` <= 31 bytes are valid UTF-8, of which `short_window` bytes are readable.
inline bool is_short_utf8(const std::uint8_t* p, std::uint64_t size) noexcept {
  if (is_short_ascii(p, size)) return true;
#if defined(__x86_64__)
  if (cpu_has(CpuLevel::avx2)) return is_short_utf8_avx2(p, size);
#endif
  return validate_utf8(p, static_cast<std::size_t>(size)) == utf8_npos;
}

}  // namespace polycodec::msgpack_ndarray
