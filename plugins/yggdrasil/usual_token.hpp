// SPDX-License-Identifier: MIT
// Tokens of the usual kind, whose places are known (see JsonIndex), as nodes. For little-endian
// machines: where there is an index.
#pragma once

#include <base/decimal.hpp>
#include <base/json_index.hpp>
#include <base/node_word.hpp>
#include <polycodec/abi.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace polycodec::yggdrasil {

inline bool is_json_space(char c) noexcept {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

// True for what may follow a number or word.
inline bool ends_scalar(char c) noexcept {
  return c == ',' || c == ']' || c == '}' || is_json_space(c);
}

inline std::uint32_t four(const char* p) noexcept {
  std::uint32_t word;
  std::memcpy(&word, p, 4);
  return word;
}

inline std::uint16_t two(const char* p) noexcept {
  std::uint16_t word;
  std::memcpy(&word, p, 2);
  return word;
}

// Copies `count` nodes, two at a time; quicker than memcpy for the few of most containers. One more
// than there are may be read and written.
inline void copy_nodes(polycodec_node* to, const polycodec_node* from, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; i += 2)
    std::memcpy(static_cast<void*>(to + i), from + i, 2 * sizeof *to);
}

// All of a node in one store: a load of all of it soon after, to copy it, would wait for two.
inline void put(polycodec_node* node, std::uint64_t head, std::uint64_t bits) noexcept {
#if defined(__SSE2__)
  _mm_storeu_si128(reinterpret_cast<__m128i*>(node),
                   _mm_set_epi64x(static_cast<long long>(bits), static_cast<long long>(head)));
#else
  std::memcpy(static_cast<void*>(node), &head, sizeof head);
  node->as.u64 = bits;
#endif
}
inline void put_data(polycodec_node* node, std::uint64_t head, const void* data) noexcept {
  put(node, head, static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(data)));
}
inline void put_text(polycodec_node* node, const char* p, std::size_t size) noexcept {
  put_data(node, node_word(POLYCODEC_KIND_STRING, 0, size), p);
}

inline void put_integer(polycodec_node* node, std::uint64_t magnitude,
                        std::uint64_t negative) noexcept {
  put(node, node_word(POLYCODEC_KIND_SIGNED, POLYCODEC_DTYPE_INT64, 0),
      (magnitude ^ (0 - negative)) + negative);
}
// digits / 10^places; places <= 19.
[[gnu::always_inline]] inline void put_real(polycodec_node* node, std::uint64_t digits, int places,
                                            std::uint64_t negative) noexcept {
  const double magnitude = digits <= detail::greatest_exact
                               ? static_cast<double>(digits) / detail::exact_powers_of_ten[places]
                               : detail::nearest_double(digits, -places);
  put(node, node_word(POLYCODEC_KIND_FLOAT, POLYCODEC_DTYPE_FLOAT64, 0),
      std::bit_cast<std::uint64_t>(magnitude) | negative << 63);
}

// The 1 to 8 characters before `end` as digits; false if they are something else. 8 bytes before
// `end` are readable.
[[gnu::always_inline]] inline bool digits_before(const char* end, std::size_t count,
                                                 std::uint64_t& value) noexcept {
  std::uint64_t text;
  std::memcpy(&text, end - 8, 8);
  text = (text ^ 0x3030303030303030) & (~std::uint64_t{0} << (64 - 8 * count));  // leading zeros
  if (detail::other_than_eight_digits(text) != 0) return false;
  value = detail::eight_digits_value(text);
  return true;
}

#if defined(__SSE2__)
// The 3 to 16 characters before `end` as digits with one point between them; false if they are
// something else. 17 bytes before `end` are readable.
[[gnu::always_inline]] inline bool decimal_before(const char* end, std::size_t count,
                                                  std::uint64_t& digits, int& places) noexcept {
  alignas(32) static constexpr std::int8_t last_bytes[32] = {
      0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,
      -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
  const auto load = [](const void* p) { return _mm_loadu_si128(static_cast<const __m128i*>(p)); };
  const __m128i text = load(end - 16);
  const auto points =
      static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(text, _mm_set1_epi8('.')))) >>
      (16 - count);
  if (points == 0) return false;
  const auto point = static_cast<unsigned>(std::countr_zero(points));
  const std::size_t behind = count - 1 - point;
  if (point == 0 || behind == 0) return false;
  // What is before the point moves to its place.
  const __m128i is_behind = load(last_bytes + behind);
  __m128i all =
      _mm_or_si128(_mm_and_si128(is_behind, text), _mm_andnot_si128(is_behind, load(end - 17)));
  all = _mm_and_si128(_mm_sub_epi8(all, _mm_set1_epi8('0')), load(last_bytes + (count - 1)));
  if (_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(all, _mm_set1_epi8(9)), all)) != 0xffff)
    return false;
  // Pairs, fours, eights.
  const __m128i pairs =
      _mm_add_epi16(_mm_mullo_epi16(_mm_and_si128(all, _mm_set1_epi16(0xff)), _mm_set1_epi16(10)),
                    _mm_srli_epi16(all, 8));
  const __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(1 << 16 | 100));
  const __m128i eights =
      _mm_madd_epi16(_mm_packs_epi32(fours, fours), _mm_set1_epi32(1 << 16 | 10000));
  const auto both = static_cast<std::uint64_t>(_mm_cvtsi128_si64(eights));
  digits = (both & 0xffffffff) * 100000000 + (both >> 32);
  places = static_cast<int>(behind);
  return true;
}
#endif

// Reads the number at `p` if it is of the usual kind: a sign, up to 7 digits, and maybe a point and
// up to 17 more. Returns what follows it, or NULL.
[[gnu::always_inline]] inline const char* usual_number(const char* p,
                                                       polycodec_node* node) noexcept {
  const std::uint64_t negative = *p == '-' ? 1 : 0;
  p += negative;
  const detail::DigitRun whole = detail::digit_run(p);
  if (whole.count - 1 >= 7 || (*p == '0' && whole.count != 1)) return nullptr;
  p += whole.count;
  if (*p != '.') {
    put_integer(node, whole.value, negative);
    return p;
  }
  const detail::DigitRun part = detail::digit_run(++p);
  if (part.count == 0) return nullptr;
  p += part.count;
  std::uint64_t digits = whole.value * detail::whole_powers_of_ten[part.count] + part.value;
  int places = static_cast<int>(part.count);
  if (part.count == 8) {
    const detail::DigitRun more = detail::digit_run(p);
    p += more.count;
    digits = digits * detail::whole_powers_of_ten[more.count] + more.value;
    places += static_cast<int>(more.count);
    if (more.count == 8) {
      const detail::DigitRun last = detail::digit_run(p);
      if (last.count + (whole.value != 0 ? whole.count : 0) > 3) return nullptr;  // 19 in all
      p += last.count;
      digits = digits * detail::whole_powers_of_ten[last.count] + last.value;
      places += static_cast<int>(last.count);
    }
  }
  put_real(node, digits, places, negative);
  return p;
}

// Reads the number at the place `at`, whose end the next place tells, if it is of the usual kind.
[[gnu::always_inline]] inline const char* placed_number(const char* base,
                                                        const JsonIndex::Place* at,
                                                        polycodec_node* node) noexcept {
  const char* p = base + at[0];
  const char* end = base + at[1];
  end -= end[-1] == ',' ? 1 : 0;
  const std::uint64_t negative = *p == '-' ? 1 : 0;
  p += negative;
  const auto count = static_cast<std::size_t>(end - p);
  std::uint64_t digits = 0;
  if (count - 1 < 8 && digits_before(end, count, digits)) {
    if (*p == '0' && count != 1) [[unlikely]]
      return nullptr;
    put_integer(node, digits, negative);
    return end;
  }
#if defined(__SSE2__)
  int places = 0;
  if (count - 3 < 14 && (*p != '0' || p[1] == '.') && decimal_before(end, count, digits, places)) {
    put_real(node, digits, places, negative);
    return end;
  }
#endif
  p = usual_number(base + at[0], node);
  return p != nullptr && ends_scalar(*p) ? p : nullptr;
}

// Reads a number or word at the place `at`, whose first character is `c`. Returns what follows it,
// or NULL.
[[gnu::always_inline]] inline const char* usual_scalar(const char* base, const JsonIndex::Place* at,
                                                       char c, polycodec_node* node) noexcept {
  if (c <= '9') return placed_number(base, at, node);
  const char* p = base + *at;
  if (four(p) == four("true")) {
    put(node, node_word(POLYCODEC_KIND_BOOLEAN, POLYCODEC_DTYPE_BOOLEAN, 0), 1);
    p += 4;
  } else if (four(p) == four("null")) {
    put(node, node_word(POLYCODEC_KIND_NULL, 0, 0), 0);
    p += 4;
  } else if (four(p) == four("fals") && p[4] == 'e') {
    put(node, node_word(POLYCODEC_KIND_BOOLEAN, POLYCODEC_DTYPE_BOOLEAN, 0), 0);
    p += 5;
  } else {
    return nullptr;
  }
  return ends_scalar(*p) ? p : nullptr;
}

}  // namespace polycodec::yggdrasil
