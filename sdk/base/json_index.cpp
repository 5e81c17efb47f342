// SPDX-License-Identifier: MIT
#include <base/json_block.hpp>
#include <base/json_index.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace polycodec {
namespace {

// A bit for each of 64 bytes.
struct Classes {
  std::uint64_t quotes, backslashes, spaces, brackets;
  std::uint64_t separators;  // commas and colons
  std::uint64_t looks;       // backslashes, control characters, and what is not ASCII
};

// What a block leaves to the next one.
struct Carry : JsonCarry {
  std::uint64_t word = 0;  // 1: the byte before it is of a number or word
  std::uint64_t look = 0;  // 1: the byte before it needs a look
};

// A space or separator.
inline bool is_gap(char c) noexcept {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == ',' || c == ':';
}

// `next`: the byte after the block.
template <class Parities>
[[gnu::always_inline]] inline std::uint64_t places_of(const Classes& c, char next, Carry& carry,
                                                      Parities parities) noexcept {
  std::uint64_t quotes = c.quotes;
  const std::uint64_t in_string = strings_of(quotes, c.backslashes, carry, parities);
  const std::uint64_t gaps = c.spaces | c.separators;
  const std::uint64_t words = ~(gaps | c.brackets | quotes);
  const std::uint64_t first = words & ~(words << 1 | carry.word);
  carry.word = words >> 63;
  const std::uint64_t looks = c.looks & ~(c.looks << 1 | carry.look);
  carry.look = c.looks >> 63;
  const std::uint64_t before_gaps = gaps >> 1 | static_cast<std::uint64_t>(is_gap(next)) << 63;
  const std::uint64_t separators = c.separators & before_gaps;
  return ((c.brackets | separators | first) & ~in_string) | quotes | (looks & in_string);
}

[[gnu::always_inline]] inline JsonIndex::Place* put_places(JsonIndex::Place* to, std::size_t base,
                                                           std::uint64_t bits) noexcept {
  JsonIndex::Place* const end = to + std::popcount(bits);
  // A fixed number without a branch for each: what is too many is overwritten.
  const auto put = [&](unsigned count) {
    for (unsigned i = 0; i < count; ++i, bits &= bits - 1) {
      __asm__("" : "+r"(bits));  // in vectors, which compilers would make, this is slower
      *to++ = static_cast<JsonIndex::Place>(base + static_cast<unsigned>(std::countr_zero(bits)));
    }
  };
  put(16);
  while (to < end) [[unlikely]] put(8);
  return end;
}

#if defined(__x86_64__)

#define POLYCODEC_AVX2 __attribute__((target("avx2,bmi,pclmul,popcnt")))

struct Half {
  std::uint32_t quotes, backslashes, spaces, brackets, separators, looks;
};

// By the low four bits of a byte, the one that it may be, or another. `[` and `{` differ in one
// bit, as `]` and `}` do.
POLYCODEC_AVX2 inline __m256i spaces_avx2() noexcept {
  return _mm256_broadcastsi128_si256(
      _mm_setr_epi8(' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', '\n', 0, 0, '\r', 0, 0));
}
POLYCODEC_AVX2 inline __m256i separators_avx2() noexcept {
  return _mm256_broadcastsi128_si256(
      _mm_setr_epi8(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, ':', 0, ',', 0, 0, 0));
}
POLYCODEC_AVX2 inline __m256i brackets_avx2() noexcept {
  return _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '{', 0, '}', 0, 0));
}

// The product without carries with a number of ones only.
POLYCODEC_AVX2 inline std::uint64_t parities_clmul(std::uint64_t bits) noexcept {
  const __m128i product =
      _mm_clmulepi64_si128(_mm_set_epi64x(0, static_cast<long long>(bits)), _mm_set1_epi8(-1), 0);
  return static_cast<std::uint64_t>(_mm_cvtsi128_si64(product));
}

POLYCODEC_AVX2 inline Half classes_avx2(const char* p) noexcept {
  const auto bits = [](__m256i equal) POLYCODEC_AVX2 {
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(equal));
  };
  const __m256i text = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
  const __m256i folded = _mm256_or_si256(text, _mm256_set1_epi8(0x20));
  const __m256i backslash = _mm256_cmpeq_epi8(text, _mm256_set1_epi8('\\'));
  const __m256i control = _mm256_cmpeq_epi8(_mm256_min_epu8(text, _mm256_set1_epi8(0x1f)), text);
  return {bits(_mm256_cmpeq_epi8(text, _mm256_set1_epi8('"'))),
          bits(backslash),
          bits(_mm256_cmpeq_epi8(_mm256_shuffle_epi8(spaces_avx2(), text), text)),
          bits(_mm256_cmpeq_epi8(_mm256_shuffle_epi8(brackets_avx2(), text), folded)),
          bits(_mm256_cmpeq_epi8(_mm256_shuffle_epi8(separators_avx2(), text), text)),
          bits(_mm256_or_si256(_mm256_or_si256(backslash, control), text))};
}

POLYCODEC_AVX2 std::size_t places_avx2(const char* text, std::size_t blocks,
                                       JsonIndex::Place* const places) noexcept {
  const auto parities = [](std::uint64_t bits) POLYCODEC_AVX2 { return parities_clmul(bits); };
  Carry carry;
  JsonIndex::Place* to = places;
  for (std::size_t at = 0; at != 64 * blocks; at += 64) {
    const Half low = classes_avx2(text + at);
    const Half high = classes_avx2(text + at + 32);
    const auto both = [](std::uint32_t a, std::uint32_t b) {
      return static_cast<std::uint64_t>(b) << 32 | a;
    };
    to = put_places(
        to, at,
        places_of({both(low.quotes, high.quotes), both(low.backslashes, high.backslashes),
                   both(low.spaces, high.spaces), both(low.brackets, high.brackets),
                   both(low.separators, high.separators), both(low.looks, high.looks)},
                  text[at + 64], carry, parities));
  }
  return static_cast<std::size_t>(to - places);
}

#define POLYCODEC_VBMI \
  __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi,pclmul,popcnt")))

POLYCODEC_VBMI inline __m512i twice_vbmi(__m256i table) noexcept {
  return _mm512_maskz_broadcast_i64x4(0xff, table);
}

POLYCODEC_VBMI inline Classes classes_vbmi(const char* p) noexcept {
  const __m512i text = _mm512_loadu_si512(p);
  const __m512i folded = _mm512_or_si512(text, _mm512_set1_epi8(0x20));
  const std::uint64_t backslashes = _mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8('\\'));
  return {_mm512_cmpeq_epi8_mask(text, _mm512_set1_epi8('"')),
          backslashes,
          _mm512_cmpeq_epi8_mask(_mm512_shuffle_epi8(twice_vbmi(spaces_avx2()), text), text),
          _mm512_cmpeq_epi8_mask(_mm512_shuffle_epi8(twice_vbmi(brackets_avx2()), text), folded),
          _mm512_cmpeq_epi8_mask(_mm512_shuffle_epi8(twice_vbmi(separators_avx2()), text), text),
          backslashes | _mm512_cmple_epu8_mask(text, _mm512_set1_epi8(0x1f)) |
              _mm512_movepi8_mask(text)};
}

// As put_places(): the numbers of the bits, one after another. Writes up to 64 places.
POLYCODEC_VBMI inline JsonIndex::Place* put_places_vbmi(JsonIndex::Place* to, std::size_t base,
                                                        std::uint64_t bits,
                                                        __m512i numbers) noexcept {
  const __m512i first = _mm512_set1_epi16(static_cast<short>(base));
  const __m512i found = _mm512_maskz_compress_epi8(bits, numbers);
  const auto put = [&](JsonIndex::Place* at, __m256i some) POLYCODEC_VBMI {
    _mm512_storeu_si512(at, _mm512_add_epi16(first, _mm512_maskz_cvtepu8_epi16(~0u, some)));
  };
  put(to, _mm512_maskz_extracti64x4_epi64(0xf, found, 0));
  const int count = std::popcount(bits);
  if (count > 32) [[unlikely]]
    put(to + 32, _mm512_maskz_extracti64x4_epi64(0xf, found, 1));
  return to + count;
}

POLYCODEC_VBMI std::size_t places_vbmi(const char* text, std::size_t blocks,
                                       JsonIndex::Place* const places) noexcept {
  constexpr auto counted = [] {
    std::array<std::uint8_t, 64> all{};
    for (std::uint8_t i = 0; i < 64; ++i) all[i] = i;
    return all;
  }();
  const __m512i numbers = _mm512_loadu_si512(counted.data());
  const auto parities = [](std::uint64_t bits) POLYCODEC_VBMI { return parities_clmul(bits); };
  Carry carry;
  JsonIndex::Place* to = places;
  for (std::size_t at = 0; at != 64 * blocks; at += 64)
    to = put_places_vbmi(to, at, places_of(classes_vbmi(text + at), text[at + 64], carry, parities),
                         numbers);
  return static_cast<std::size_t>(to - places);
}

// With what every x86-64 has.
std::size_t places_sse2(const char* text, std::size_t blocks,
                        JsonIndex::Place* const places) noexcept {
  Carry carry;
  JsonIndex::Place* to = places;
  for (std::size_t at = 0; at != 64 * blocks; at += 64) {
    Classes c{};
    for (unsigned i = 0; i < 64; i += 16) {
      const __m128i part = _mm_loadu_si128(reinterpret_cast<const __m128i*>(text + at + i));
      const __m128i folded = _mm_or_si128(part, _mm_set1_epi8(0x20));
      const auto is = [](__m128i bytes, char value) {
        return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(value));
      };
      const auto bits = [i](__m128i equal) {
        return static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(equal))) << i;
      };
      const __m128i backslash = is(part, '\\');
      const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(part, _mm_set1_epi8(0x1f)), part);
      c.quotes |= bits(is(part, '"'));
      c.backslashes |= bits(backslash);
      c.spaces |= bits(_mm_or_si128(_mm_or_si128(is(part, ' '), is(part, '\n')),
                                    _mm_or_si128(is(part, '\r'), is(part, '\t'))));
      c.brackets |= bits(_mm_or_si128(is(folded, '{'), is(folded, '}')));
      c.separators |= bits(_mm_or_si128(is(part, ','), is(part, ':')));
      c.looks |= bits(_mm_or_si128(_mm_or_si128(backslash, control), part));
    }
    to = put_places(to, at, places_of(c, text[at + 64], carry, [](std::uint64_t bits) {
                      return parities(bits);
                    }));
  }
  return static_cast<std::size_t>(to - places);
}

#endif

}  // namespace

namespace detail {

std::size_t json_places_at([[maybe_unused]] CpuLevel level, [[maybe_unused]] const char* text,
                           [[maybe_unused]] std::size_t blocks,
                           [[maybe_unused]] JsonIndex::Place* places) noexcept {
#if defined(__x86_64__)
  if (level >= CpuLevel::avx512_vbmi) return places_vbmi(text, blocks, places);
  return level >= CpuLevel::avx2 ? places_avx2(text, blocks, places)
                                 : places_sse2(text, blocks, places);
#else
  return 0;
#endif
}

}  // namespace detail

bool JsonIndex::fill(const char* p, const char* end) noexcept {
#if defined(__x86_64__)
  constexpr std::ptrdiff_t rest = 16 * static_cast<std::ptrdiff_t>(least);
  constexpr std::size_t few = 32;
  if (end - p < 64 + readable || p < rest_) return false;
  // Text that is passed at once, such as the data of an array, should not have been looked at.
  const auto passed = reinterpret_cast<std::uintptr_t>(p) - reinterpret_cast<std::uintptr_t>(base_);
  const bool in_order = passed < 2 * size_;
  const std::size_t wish = in_order ? std::min(most, 2 * size_) : least;
  const std::size_t blocks = std::min(wish, static_cast<std::size_t>(end - p - readable)) / 64;
  base_ = p;
  size_ = 64 * blocks;
  const std::size_t count = detail::json_places_at(cpu_level(), p, blocks, places_);
  next_ = places_;
  low_ = places_ + (count > ahead ? count - ahead : 0);
  // Long strings are quicker to pass without an index.
  if (count < few) rest_ = end - p > rest ? p + rest : end;
  return next_ < low_;
#else
  return false;
#endif
}

}  // namespace polycodec
