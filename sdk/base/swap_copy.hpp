// SPDX-License-Identifier: MIT
// Reversing the bytes of every item of an array at the speed of a copy.
#pragma once

#include <base/cpu.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__has_builtin)
#if defined(__x86_64__) && __has_builtin(__builtin_shufflevector)
#define POLYCODEC_SWAP_VECTORS 1
#endif
#endif

namespace polycodec {
namespace detail {

template <std::size_t Width>
inline void swap_items(std::uint8_t* dst, const std::uint8_t* src, std::size_t count) noexcept {
  for (; count != 0; --count, dst += Width, src += Width) {
    if constexpr (Width == 2) {
      std::uint16_t bits;
      std::memcpy(&bits, src, 2);
      bits = __builtin_bswap16(bits);
      std::memcpy(dst, &bits, 2);
    } else if constexpr (Width == 4) {
      std::uint32_t bits;
      std::memcpy(&bits, src, 4);
      bits = __builtin_bswap32(bits);
      std::memcpy(dst, &bits, 4);
    } else {
      static_assert(Width == 8 || Width == 16);
      std::uint64_t first = 0;
      std::uint64_t last;
      std::memcpy(&first, src, 8);
      std::memcpy(&last, src + Width - 8, 8);
      first = __builtin_bswap64(first);
      last = __builtin_bswap64(last);
      std::memcpy(dst, &last, 8);
      if constexpr (Width == 16) std::memcpy(dst + 8, &first, 8);
    }
  }
}

#if defined(POLYCODEC_SWAP_VECTORS)

// Vector extensions of the compiler instead of <immintrin.h>, which would slow down every file that
// reads numbers.
using Vector32 = std::uint8_t __attribute__((vector_size(32)));
using Vector16 = std::uint8_t __attribute__((vector_size(16)));

template <std::size_t Width>
__attribute__((target("avx2"), always_inline)) inline void swap_32_bytes(
    std::uint8_t* dst, const std::uint8_t* src) noexcept {
  constexpr int m =
      static_cast<int>(Width) - 1;  // i ^ m is the place of byte i in the reversed item
  Vector32 v;
  std::memcpy(&v, src, 32);
  v = __builtin_shufflevector(v, v, 0 ^ m, 1 ^ m, 2 ^ m, 3 ^ m, 4 ^ m, 5 ^ m, 6 ^ m, 7 ^ m, 8 ^ m,
                              9 ^ m, 10 ^ m, 11 ^ m, 12 ^ m, 13 ^ m, 14 ^ m, 15 ^ m, 16 ^ m, 17 ^ m,
                              18 ^ m, 19 ^ m, 20 ^ m, 21 ^ m, 22 ^ m, 23 ^ m, 24 ^ m, 25 ^ m,
                              26 ^ m, 27 ^ m, 28 ^ m, 29 ^ m, 30 ^ m, 31 ^ m);
  std::memcpy(dst, &v, 32);
}

template <std::size_t Width>
__attribute__((target("avx2"))) inline void swap_items_avx2(std::uint8_t* dst,
                                                            const std::uint8_t* src,
                                                            std::size_t count) noexcept {
  std::size_t bytes = count * Width;
  while (bytes >= 128) {
    swap_32_bytes<Width>(dst, src);
    swap_32_bytes<Width>(dst + 32, src + 32);
    swap_32_bytes<Width>(dst + 64, src + 64);
    swap_32_bytes<Width>(dst + 96, src + 96);
    src += 128, dst += 128, bytes -= 128;
  }
  while (bytes >= 32) {
    swap_32_bytes<Width>(dst, src);
    src += 32, dst += 32, bytes -= 32;
  }
  swap_items<Width>(dst, src, bytes / Width);
}

template <std::size_t Width>
__attribute__((target("ssse3"))) inline void swap_items_ssse3(std::uint8_t* dst,
                                                              const std::uint8_t* src,
                                                              std::size_t count) noexcept {
  constexpr int m = static_cast<int>(Width) - 1;
  std::size_t bytes = count * Width;
  while (bytes >= 16) {
    Vector16 v;
    std::memcpy(&v, src, 16);
    v = __builtin_shufflevector(v, v, 0 ^ m, 1 ^ m, 2 ^ m, 3 ^ m, 4 ^ m, 5 ^ m, 6 ^ m, 7 ^ m, 8 ^ m,
                                9 ^ m, 10 ^ m, 11 ^ m, 12 ^ m, 13 ^ m, 14 ^ m, 15 ^ m);
    std::memcpy(dst, &v, 16);
    src += 16, dst += 16, bytes -= 16;
  }
  swap_items<Width>(dst, src, bytes / Width);
}

#endif

template <std::size_t Width>
inline void swap_copy_at(CpuLevel level, std::uint8_t* dst, const std::uint8_t* src,
                         std::size_t count) noexcept {
#if defined(POLYCODEC_SWAP_VECTORS)
  if (level >= CpuLevel::avx2) return swap_items_avx2<Width>(dst, src, count);
  if (level >= CpuLevel::ssse3) return swap_items_ssse3<Width>(dst, src, count);
#endif
  static_cast<void>(level);
  swap_items<Width>(dst, src, count);
}

// swap_copy() with the instructions of `level`, which the processor must have.
inline bool swap_copy_at(CpuLevel level, void* dst, const void* src, std::size_t count,
                         std::size_t item_width) noexcept {
  auto* to = static_cast<std::uint8_t*>(dst);
  const auto* from = static_cast<const std::uint8_t*>(src);
  switch (item_width) {
    case 1:
      if (count != 0 && dst != src) std::memcpy(dst, src, count);
      return true;
    case 2:
      return swap_copy_at<2>(level, to, from, count), true;
    case 4:
      return swap_copy_at<4>(level, to, from, count), true;
    case 8:
      return swap_copy_at<8>(level, to, from, count), true;
    case 16:
      return swap_copy_at<16>(level, to, from, count), true;
    default:
      return false;
  }
}

}  // namespace detail

/// Copies `count` items of `item_width` bytes from `src` to `dst` and reverses the bytes of each.
/// Widths 1 (a plain copy), 2, 4, 8 and 16; returns false for any other, without writing. A complex
/// number is two items. No alignment is needed. `dst` may equal `src` (swap in place), but must not
/// overlap it otherwise. [thread-safe]
inline bool swap_copy(void* dst, const void* src, std::size_t count,
                      std::size_t item_width) noexcept {
  // Short runs are common (a row, a point) and not worth the look at the processor.
  const auto level = count < 8                  ? CpuLevel::scalar
                     : cpu_has(CpuLevel::avx2)  ? CpuLevel::avx2
                     : cpu_has(CpuLevel::ssse3) ? CpuLevel::ssse3
                                                : CpuLevel::scalar;
  return detail::swap_copy_at(level, dst, src, count, item_width);
}

}  // namespace polycodec
