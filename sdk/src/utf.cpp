// SPDX-License-Identifier: MIT
// The AVX2 kernel is the lookup algorithm of Keiser and Lemire, "Validating UTF-8 In Less Than One
// Instruction Per Byte" (2021).
#include <base/utf8_cpu.hpp>
#include <polycodec/error.hpp>
#include <polycodec/utf.hpp>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace polycodec {

namespace detail {

namespace {

#if defined(__x86_64__)

// Each bit is a way in which two adjacent bytes can be wrong. A pair is wrong in one way if the
// three tables below (upper and lower half of the first byte, upper half of the second) all have
// its bit.
struct Utf8Fault {
  static constexpr int too_short = 1;    // lead byte, then no continuation
  static constexpr int too_long = 2;     // ASCII, then a continuation
  static constexpr int overlong_3 = 4;   // e0 80..9f
  static constexpr int too_large = 8;    // f4 90..bf, f5.. 90..bf
  static constexpr int surrogate = 16;   // ed a0..bf
  static constexpr int overlong_2 = 32;  // c0, c1
  static constexpr int overlong_4 = 64;  // f0 80..8f
  static constexpr int too_large_1000 =
      64;  // f5.. 80..8f; never with overlong_4, so they share a bit
  static constexpr int two_continuations = 128;  // right only as the 3rd or 4th byte of a character
  static constexpr int any_low = too_short | too_long | two_continuations;
};

__attribute__((target("avx2"), always_inline)) inline __m256i utf8_table(int a, int b, int c, int d,
                                                                         int e, int f, int g, int h,
                                                                         int i, int j, int k, int l,
                                                                         int m, int n, int o,
                                                                         int p) noexcept {
  const auto s = [](int v) { return static_cast<char>(v); };
  return _mm256_broadcastsi128_si256(_mm_setr_epi8(s(a), s(b), s(c), s(d), s(e), s(f), s(g), s(h),
                                                   s(i), s(j), s(k), s(l), s(m), s(n), s(o), s(p)));
}

// The bytes of `input` moved up by N, filled from the end of `previous`.
template <int N>
__attribute__((target("avx2"), always_inline)) inline __m256i utf8_previous(
    __m256i input, __m256i previous) noexcept {
  return _mm256_alignr_epi8(input, _mm256_permute2x128_si256(previous, input, 0x21), 16 - N);
}

// Nonzero where `input`, which follows `previous`, breaks a rule.
__attribute__((target("avx2"), always_inline)) inline __m256i utf8_faults(
    __m256i input, __m256i previous) noexcept {
  using F = Utf8Fault;
  constexpr int tl = F::too_long, tc = F::two_continuations, ts = F::too_short, low = F::any_low;
  constexpr int big = low | F::too_large | F::too_large_1000;
  const __m256i first_high = utf8_table(tl, tl, tl, tl, tl, tl, tl, tl, tc, tc, tc, tc,
                                        ts | F::overlong_2, ts, ts | F::overlong_3 | F::surrogate,
                                        ts | F::too_large | F::too_large_1000 | F::overlong_4);
  const __m256i first_low = utf8_table(low | F::overlong_2 | F::overlong_3 | F::overlong_4,
                                       low | F::overlong_2, low, low, low | F::too_large, big, big,
                                       big, big, big, big, big, big, big | F::surrogate, big, big);
  constexpr int continued = tl | F::overlong_2 | tc;
  const __m256i second_high = utf8_table(
      ts, ts, ts, ts, ts, ts, ts, ts, continued | F::overlong_3 | F::too_large_1000 | F::overlong_4,
      continued | F::overlong_3 | F::too_large, continued | F::surrogate | F::too_large,
      continued | F::surrogate | F::too_large, ts, ts, ts, ts);
  const __m256i nibble = _mm256_set1_epi8(0x0f);
  const __m256i before_1 = utf8_previous<1>(input, previous);
  const __m256i a =
      _mm256_shuffle_epi8(first_high, _mm256_and_si256(_mm256_srli_epi16(before_1, 4), nibble));
  const __m256i b = _mm256_shuffle_epi8(first_low, _mm256_and_si256(before_1, nibble));
  const __m256i c =
      _mm256_shuffle_epi8(second_high, _mm256_and_si256(_mm256_srli_epi16(input, 4), nibble));
  const __m256i pairs = _mm256_and_si256(_mm256_and_si256(a, b), c);
  // Two continuations in a row are right exactly where a lead of three bytes stands two before, or
  // of four three before: there the high bit must be set, elsewhere it must not.
  const __m256i third =
      _mm256_subs_epu8(utf8_previous<2>(input, previous), _mm256_set1_epi8(0xe0 - 0x80));
  const __m256i fourth =
      _mm256_subs_epu8(utf8_previous<3>(input, previous), _mm256_set1_epi8(0xf0 - 0x80));
  const __m256i wanted =
      _mm256_and_si256(_mm256_or_si256(third, fourth), _mm256_set1_epi8(static_cast<char>(0x80)));
  return _mm256_xor_si256(wanted, pairs);
}

// Nonzero if `input` ends within a character.
__attribute__((target("avx2"), always_inline)) inline __m256i utf8_incomplete(
    __m256i input) noexcept {
  const auto s = [](int v) { return static_cast<char>(v); };
  const __m256i most =
      _mm256_setr_epi8(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                       -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, s(0xef), s(0xdf), s(0xbf));
  return _mm256_subs_epu8(input, most);
}

// True if the text is valid. It ends with NUL, which also shows a character that its end cuts off.
__attribute__((target("avx2"), always_inline)) inline bool is_utf8_avx2(__m256i text) noexcept {
  const __m256i faults = utf8_faults(text, _mm256_setzero_si256());
  return _mm256_testz_si256(faults, faults) != 0;
}

// True if the 1 to 31 bytes are valid. Reads them alone, by parts that overlap.
__attribute__((target("avx2"))) bool is_utf8_within_avx2(const std::uint8_t* p,
                                                         std::size_t size) noexcept {
  if (size > 16) {
    static constexpr std::int8_t moves[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                              11, 12, 13, 14, 15, -1, -1, -1, -1, -1, -1,
                                              -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    const auto load = [](const void* at) {
      return _mm_loadu_si128(static_cast<const __m128i*>(at));
    };
    return is_utf8_avx2(
        _mm256_set_m128i(_mm_shuffle_epi8(load(p + size - 16), load(moves + 32 - size)), load(p)));
  }
  std::uint64_t low = 0, high = 0;
  if (size >= 8) {
    low = load_word(p);
    high = size == 8 ? 0 : load_word(p + size - 8) >> (8 * (16 - size));
  } else if (size >= 4) {
    std::uint32_t first = 0, last = 0;
    std::memcpy(&first, p, 4);
    std::memcpy(&last, p + size - 4, 4);
    low = first | std::uint64_t{last} << (8 * (size - 4));
  } else {
    low = p[0] | std::uint64_t{p[size / 2]} << (8 * (size / 2)) |
          std::uint64_t{p[size - 1]} << (8 * (size - 1));
  }
  return is_utf8_avx2(
      _mm256_set_epi64x(0, 0, static_cast<long long>(high), static_cast<long long>(low)));
}

// `size` if the bytes are valid, else the offset of a block of 64 in which a fault shows: the
// character at fault starts in it or up to three bytes before it, and everything before that
// character is valid.
__attribute__((target("avx2"))) std::size_t validate_utf8_avx2(const std::uint8_t* data,
                                                               std::size_t size) noexcept {
  __m256i previous = _mm256_setzero_si256();
  __m256i incomplete = _mm256_setzero_si256();
  std::size_t at = 0;
  const auto* p = data;
  for (; size - at >= 64; at += 64, p += 64) {
    __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
    __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + 32));
    if (_mm256_movemask_epi8(_mm256_or_si256(low, high)) == 0) {
      if (!_mm256_testz_si256(incomplete, incomplete)) return at;
      // Long runs of ASCII: nothing to carry from block to block.
      while (size - at >= 192) {
        const __m256i a = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + 64));
        const __m256i b = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + 96));
        const __m256i c = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + 128));
        const __m256i d = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + 160));
        if (_mm256_movemask_epi8(_mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d))) !=
            0)
          break;
        at += 128, p += 128;
      }
      previous = _mm256_setzero_si256();  // as good as the ASCII that is there
      incomplete = _mm256_setzero_si256();
      continue;
    }
    const __m256i faults = _mm256_or_si256(utf8_faults(low, previous), utf8_faults(high, low));
    if (!_mm256_testz_si256(faults, faults)) return at;
    previous = high;
    incomplete = utf8_incomplete(high);
  }
  // The rest, padded with NUL, which also shows a character that the end cuts off.
  alignas(32) std::uint8_t rest[64] = {};
  if (at != size) std::memcpy(rest, p, size - at);
  const __m256i low = _mm256_load_si256(reinterpret_cast<const __m256i*>(rest));
  const __m256i high = _mm256_load_si256(reinterpret_cast<const __m256i*>(rest + 32));
  const __m256i faults = _mm256_or_si256(utf8_faults(low, previous), utf8_faults(high, low));
  if (_mm256_testz_si256(faults, faults)) return size;
  // At offset `size` a cut-off character would look like success.
  return at == size ? at - 1 : at;
}

#endif  // defined(__x86_64__)

// Checks from `at` on, character by character, and skips ASCII by words.
std::size_t validate_utf8_scalar(const std::uint8_t* data, std::size_t size,
                                 std::size_t at = 0) noexcept {
  while (at < size) {
    while (size - at >= 16 && ((load_word(data + at) | load_word(data + at + 8)) & high_bits) == 0)
      at += 16;
    if (at == size) break;
    // A run of other characters is likely to go on: look for the next word of ASCII only after one
    // ASCII byte.
    do {
      char32_t code_point = 0;
      const std::uint32_t length = decode_one(data + at, size - at, code_point);
      if (length == 0) return at;
      at += length;
    } while (at < size && (data[at] >= 0x80 || size - at < 16));
  }
  return utf8_npos;
}

}  // namespace

#if defined(__x86_64__)
__attribute__((target("avx2"))) bool is_short_utf8_avx2(const std::uint8_t* p,
                                                        std::uint64_t size) noexcept {
  const __m256i places =
      _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                       22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
  const __m256i inside = _mm256_cmpgt_epi8(_mm256_set1_epi8(static_cast<char>(size)), places);
  return is_utf8_avx2(
      _mm256_and_si256(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)), inside));
}
#endif

std::size_t validate_utf8_at(CpuLevel level, const std::uint8_t* data, std::size_t size) noexcept {
#if defined(__x86_64__)
  if (level >= CpuLevel::avx2) {
    std::size_t at = validate_utf8_avx2(data, size);
    if (at == size) return utf8_npos;
    // The block at `at` is bad, or the character that reaches into it: start where that one starts.
    for (std::size_t back = 1; back <= 3 && back <= at; ++back) {
      if (data[at - back] < 0x80) break;
      if (data[at - back] >= 0xc0) {
        at -= back;
        break;
      }
    }
    return validate_utf8_scalar(data, size, at);
  }
#endif
  static_cast<void>(level);
  return validate_utf8_scalar(data, size);
}

std::size_t validate_utf8_long(const std::uint8_t* data, std::size_t size) noexcept {
#if defined(__x86_64__)
  if (size < 32 && cpu_has(CpuLevel::avx2) && is_utf8_within_avx2(data, size)) return utf8_npos;
#endif
  if (size > 32 && size <= 256) {
    // Most strings of this length are ASCII too, and then done before the vector kernel would have
    // started.
    std::size_t at = 0;
    while (at + 16 < size && ((load_word(data + at) | load_word(data + at + 8)) & high_bits) == 0)
      at += 16;
    if (at + 16 >= size &&
        ((load_word(data + size - 16) | load_word(data + size - 8)) & high_bits) == 0)
      return utf8_npos;
  }
  return validate_utf8_at(size >= 64 && cpu_has(CpuLevel::avx2) ? CpuLevel::avx2 : CpuLevel::scalar,
                          data, size);
}

}  // namespace detail

namespace {

template <class Append>
void for_each_code_point(std::string_view text, Append append) {
  const auto* p = reinterpret_cast<const std::uint8_t*>(text.data());
  for (std::size_t at = 0; at < text.size();) {
    char32_t c = 0;
    const std::uint32_t size = decode_one(p + at, text.size() - at, c);
    if (size == 0) throw Error(Status::malformed, "text is not valid UTF-8", at);
    append(c);
    at += size;
  }
}

}  // namespace

std::u16string utf16_from_utf8(std::string_view text) {
  std::u16string units;
  units.reserve(text.size());
  for_each_code_point(text, [&units](char32_t c) {
    if (c < 0x10000) {
      units.push_back(static_cast<char16_t>(c));
    } else {
      units.push_back(static_cast<char16_t>(0xd800 + ((c - 0x10000) >> 10)));
      units.push_back(static_cast<char16_t>(0xdc00 + ((c - 0x10000) & 0x3ff)));
    }
  });
  return units;
}

std::u32string utf32_from_utf8(std::string_view text) {
  std::u32string units;
  units.reserve(text.size());
  for_each_code_point(text, [&units](char32_t c) { units.push_back(c); });
  return units;
}

}  // namespace polycodec
