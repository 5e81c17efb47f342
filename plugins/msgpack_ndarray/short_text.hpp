// SPDX-License-Identifier: MIT
// UTF-8 checks of strings of up to 31 bytes, which is what keys and names are: without a branch on
// their length, which is what a processor predicts worst.
#pragma once

#include <base/utf8_cpu.hpp>
#include <polycodec/utf.hpp>

#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

namespace polycodec::msgpack_ndarray {

/// So many bytes must be readable from the start of a short text on, whatever its length.
inline constexpr std::uint64_t short_window = 32;

/// True if the first `size` <= 31 bytes are ASCII; false if they are not, or if this machine has no
/// quick way to tell.
inline bool is_short_ascii(const std::uint8_t* p, std::uint64_t size) noexcept {
#if defined(__SSE2__) || defined(__wasm_simd128__)
  const auto mask = [p](std::size_t at) {
#if defined(__SSE2__)
    return static_cast<std::uint32_t>(
        _mm_movemask_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p + at))));
#else
    return wasm_i8x16_bitmask(wasm_v128_load(p + at));
#endif
  };
  // The bits of what follows the text are moved out.
  return ((mask(0) << 1 | mask(16) << 17) << (31 - size)) == 0;
#else
  static_cast<void>(p);
  return size == 0;
#endif
}

/// True if the first `size` <= 31 bytes are valid UTF-8, of which `short_window` bytes are
/// readable.
inline bool is_short_utf8(const std::uint8_t* p, std::uint64_t size) noexcept {
  if (is_short_ascii(p, size)) return true;
#if defined(__x86_64__)
  if (cpu_has(CpuLevel::avx2)) return detail::is_short_utf8_avx2(p, size);
#endif
  return validate_utf8(p, static_cast<std::size_t>(size)) == utf8_npos;
}

}  // namespace polycodec::msgpack_ndarray
