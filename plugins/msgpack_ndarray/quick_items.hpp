// SPDX-License-Identifier: MIT
// What the quick part of the decoder reads without a branch on the type: numbers, nil, booleans.
#pragma once

#include <polycodec/byte_order.hpp>

#include "node_words.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

namespace polycodec::msgpack_ndarray {

/// So many bytes must follow the first byte of an item that is read quickly: a key of 32 bytes and
/// what is looked at of its value.
inline constexpr std::uint64_t quick_window = 64;

/// Items of one container between two looks at whether the host wants to cancel.
inline constexpr std::ptrdiff_t decode_slice = 65536;

inline polycodec_node* slice_end(polycodec_node* cursor, polycodec_node* end) noexcept {
  return cursor + std::min<std::ptrdiff_t>(end - cursor, decode_slice);
}

/// False for items of the slow loop: the reserved byte, an ext other than a short timestamp.
/// Two bytes must be there.
inline bool is_usual(const std::uint8_t* p) noexcept {
  const std::uint8_t first = *p;
  if (first == 0xd6 || first == 0xd7) return p[1] == 0xff;
  return first != 0xc1 && !(first >= 0xc7 && first <= 0xc9) && !(first >= 0xd4 && first <= 0xd8);
}

/// How a number is read: the eight bytes that begin `from` bytes behind the first byte, as a
/// big-endian integer that is moved down by `shift` with its sign; what `mask` has is the payload.
struct NumberForm {
  std::uint64_t head = 0;
  std::uint64_t mask = 0;
  std::uint8_t from = 0;
  std::uint8_t shift = 0;
  std::uint8_t length = 0;  ///< all of its bytes; 0: not such a number

  std::uint64_t payload(const std::uint8_t* p) const noexcept {
    return static_cast<std::uint64_t>(load_be<std::int64_t>(p + from) >> shift) & mask;
  }
};

/// By first byte. Of integers of 64 bits without a sign only the value says what they become.
inline constexpr auto number_forms = [] {
  std::array<NumberForm, 256> forms;
  constexpr std::uint64_t all = ~std::uint64_t{0};
  for (std::size_t first = 0; first < 256; ++first)
    if (first < 0x80 || first >= 0xe0) forms[first] = {signed_word, all, 0, 56, 1};
  forms[0xc0] = {null_word, 0, 0, 0, 1};
  forms[0xc2] = {boolean_word, 1, 0, 56, 1};
  forms[0xc3] = forms[0xc2];
  // A float is in the first bytes of its payload.
  if constexpr (std::endian::native == std::endian::little)
    forms[0xca] = {real32_word, all >> 32, 1, 32, 5};
  else
    forms[0xca] = {real32_word, all << 32, 1, 0, 5};
  forms[0xcb] = {real64_word, all, 1, 0, 9};
  for (unsigned i = 0; i < 4; ++i) {
    const auto width = 1u << i;
    const auto shift = static_cast<std::uint8_t>(64 - 8 * width);
    const auto length = static_cast<std::uint8_t>(1 + width);
    const NumberForm form = {signed_word, all, 1, shift, length};
    forms[0xd0 + i] = form;
    if (width == 8) continue;
    forms[0xcc + i] = form;
    forms[0xcc + i].mask = all >> shift;
  }
  return forms;
}();

/// How many of the 16 bytes at `p` and `q` are the same until the first that differs.
inline std::uint32_t common_bytes(const std::uint8_t* p, const std::uint8_t* q) noexcept {
#if defined(__SSE2__)
  const auto load = [](const std::uint8_t* at) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  };
  const int same = _mm_movemask_epi8(_mm_cmpeq_epi8(load(p), load(q)));
  return static_cast<std::uint32_t>(__builtin_ctz(~static_cast<std::uint32_t>(same)));
#elif defined(__wasm_simd128__)
  const v128_t same = wasm_i8x16_eq(wasm_v128_load(p), wasm_v128_load(q));
  return static_cast<std::uint32_t>(std::countr_zero(~wasm_i8x16_bitmask(same)));
#else
  const auto differ = [p, q](int at) {
    return load_le<std::uint64_t>(p + at) ^ load_le<std::uint64_t>(q + at);
  };
  const std::uint64_t low = differ(0);
  const int zeros = low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(differ(8));
  return static_cast<std::uint32_t>(zeros) / 8;
#endif
}

}  // namespace polycodec::msgpack_ndarray
