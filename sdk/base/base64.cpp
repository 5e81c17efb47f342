// SPDX-License-Identifier: MIT
// The AVX2 and AVX-512 VBMI kernels follow the published algorithms of Mula and Lemire ("Faster
// Base64 Encoding and Decoding using AVX2 Instructions" and "Base64 encoding and decoding at almost
// the speed of a memory copy"). All work on whole blocks, never touch memory outside the given
// ranges, and return how much of the input they took.
#include <base/base64.hpp>
#include <base/base64_values.hpp>

#include <array>

#if defined(__x86_64__)
#include <immintrin.h>

#define POLYCODEC_AVX2 __attribute__((target("avx2")))
#define POLYCODEC_AVX2_INLINE __attribute__((target("avx2"), always_inline)) inline
#define POLYCODEC_VBMI __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,prfchw")))
#define POLYCODEC_VBMI_INLINE \
  __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,prfchw"), always_inline)) inline
#endif

namespace polycodec::detail {

namespace {

#if defined(__x86_64__)

// How far ahead memory is asked for: processors stop asking by themselves at each page.
constexpr std::size_t base64_ahead = 4096;

// 24 bytes, twelve in each half of `raw` as `spread` expects them, to 32 characters.
POLYCODEC_AVX2_INLINE void base64_encode_24(char* out, __m256i raw, __m256i spread) noexcept {
  // Each group of three bytes a b c becomes b a c b, so that every 6-bit field lies inside a 16-bit
  // half.
  const __m256i groups = _mm256_shuffle_epi8(raw, spread);
  const __m256i upper = _mm256_mulhi_epu16(_mm256_and_si256(groups, _mm256_set1_epi32(0x0fc0fc00)),
                                           _mm256_set1_epi32(0x04000040));
  const __m256i lower = _mm256_mullo_epi16(_mm256_and_si256(groups, _mm256_set1_epi32(0x003f03f0)),
                                           _mm256_set1_epi32(0x01000010));
  const __m256i values = _mm256_or_si256(upper, lower);
  // To characters: 0 for A-Z, 1 for a-z, 2..13 for 0-9 + / picks what to add.
  const __m256i range = _mm256_sub_epi8(_mm256_subs_epu8(values, _mm256_set1_epi8(51)),
                                        _mm256_cmpgt_epi8(values, _mm256_set1_epi8(25)));
  const __m256i offsets = _mm256_broadcastsi128_si256(
      _mm_setr_epi8('A', 'a' - 26, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52,
                    '0' - 52, '0' - 52, '0' - 52, '0' - 52, '+' - 62, '/' - 63, 0, 0));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(out),
                      _mm256_add_epi8(values, _mm256_shuffle_epi8(offsets, range)));
}

POLYCODEC_AVX2_INLINE __m256i base64_load_32(const std::uint8_t* in) noexcept {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in));
}

POLYCODEC_AVX2 std::size_t base64_encode_avx2(char* out, const std::uint8_t* in,
                                              std::size_t size) noexcept {
  if (size < 28) return 0;
  const __m128i spread = _mm_setr_epi8(1, 0, 2, 1, 4, 3, 5, 4, 7, 6, 8, 7, 10, 9, 11, 10);
  const __m256i first = _mm256_inserti128_si256(
      _mm256_castsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(in))),
      _mm_loadu_si128(reinterpret_cast<const __m128i*>(in + 12)), 1);
  base64_encode_24(out, first, _mm256_broadcastsi128_si256(spread));
  // From the second block on, one load that starts four bytes early puts twelve bytes in each half.
  const __m256i early = _mm256_inserti128_si256(
      _mm256_castsi128_si256(_mm_add_epi8(spread, _mm_set1_epi8(4))), spread, 1);
  std::size_t done = 24;
  for (out += 32; size - done >= 100; done += 96, out += 128) {
    const std::uint8_t* from = in + done - 4;
    base64_encode_24(out, base64_load_32(from), early);
    base64_encode_24(out + 32, base64_load_32(from + 24), early);
    base64_encode_24(out + 64, base64_load_32(from + 48), early);
    base64_encode_24(out + 96, base64_load_32(from + 72), early);
  }
  for (; size - done >= 28; done += 24, out += 32)
    base64_encode_24(out, base64_load_32(in + done - 4), early);
  return done;
}

// 32 characters to 24 bytes in the lower part of `bytes`. A bit of what it returns is set if one is
// not in the alphabet.
POLYCODEC_AVX2_INLINE __m256i base64_decode_32(__m256i& bytes, const std::uint8_t* in) noexcept {
  const __m256i text = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in));
  // A character is bad if the table of its lower half and that of its upper half share a bit.
  const __m256i low_faults =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(0x15, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11,
                                                0x11, 0x11, 0x13, 0x1a, 0x1b, 0x1b, 0x1b, 0x1a));
  const __m256i high_faults =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(0x10, 0x10, 0x01, 0x02, 0x04, 0x08, 0x04, 0x08,
                                                0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10));
  // What to add to get the value, by the upper half; '/' has one of its own, in the place of the
  // unused half 1.
  const __m256i offsets = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(0, 16, 19, 4, -65, -65, -71, -71, 0, 0, 0, 0, 0, 0, 0, 0));
  // The shuffle looks at bits 0..3 and 7 only. One mask for both halves; the rest of it is '/', of
  // use below.
  const __m256i mask = _mm256_set1_epi8(0x2f);
  const __m256i high = _mm256_and_si256(_mm256_srli_epi32(text, 4), mask);
  const __m256i low = _mm256_and_si256(text, mask);
  const __m256i faults = _mm256_and_si256(_mm256_shuffle_epi8(low_faults, low),
                                          _mm256_shuffle_epi8(high_faults, high));
  const __m256i is_slash = _mm256_cmpeq_epi8(text, mask);
  const __m256i values =
      _mm256_add_epi8(text, _mm256_shuffle_epi8(offsets, _mm256_add_epi8(is_slash, high)));
  const __m256i pairs = _mm256_maddubs_epi16(values, _mm256_set1_epi32(0x01400140));
  const __m256i groups = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x00011000));
  const __m256i packed =
      _mm256_shuffle_epi8(groups, _mm256_broadcastsi128_si256(_mm_setr_epi8(
                                      2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1)));
  bytes = _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7));
  return faults;
}

// Stops before the first block with a character outside of the alphabet.
POLYCODEC_AVX2 std::size_t base64_decode_avx2(std::uint8_t* out, std::size_t room,
                                              const std::uint8_t* in, std::size_t size) noexcept {
  // A store writes 32 bytes, of which 24 count: so many must be left.
  std::size_t done = 0;
  __m256i a, b;
  for (; size - done >= 64 && room >= 56; done += 64, out += 48, room -= 48) {
    if (size - done > base64_ahead) _mm_prefetch(in + done + base64_ahead, _MM_HINT_T0);
    const __m256i faults =
        _mm256_or_si256(base64_decode_32(a, in + done), base64_decode_32(b, in + done + 32));
    if (!_mm256_testz_si256(faults, faults)) break;
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), a);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + 24), b);
  }
  for (; size - done >= 32 && room >= 32; done += 32, out += 24, room -= 24) {
    const __m256i faults = base64_decode_32(a, in + done);
    if (!_mm256_testz_si256(faults, faults)) break;
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), a);
  }
  return done;
}

// Byte tables for the permutations of 64 bytes.
struct Base64Tables {
  alignas(64) std::array<std::uint8_t, 64> spread{};    // a b c -> b a c b
  alignas(64) std::array<std::uint8_t, 64> alphabet{};  // value -> character
  alignas(64) std::array<std::uint8_t, 128> values{};   // character -> value, 0x80 where it is none
  alignas(64) std::array<std::uint8_t, 64> pack{};      // three bytes of each four, reversed
};

constexpr Base64Tables base64_tables = [] {
  Base64Tables t;
  t.values.fill(0x80);
  const char* alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::uint8_t i = 0; i < 64; ++i) {
    const std::uint8_t group = i / 4, place = i % 4;
    t.spread[i] = static_cast<std::uint8_t>(3 * group + (place == 1 ? 0 : place == 2 ? 2 : 1));
    t.alphabet[i] = static_cast<std::uint8_t>(alphabet[i]);
    t.values[static_cast<std::uint8_t>(alphabet[i])] = i;
    t.pack[i] = i < 48 ? static_cast<std::uint8_t>(4 * (i / 3) + 2 - i % 3) : std::uint8_t{0};
  }
  return t;
}();

// Zero-masking forms with a full mask are the plain instructions; g++ 12 warns in its own headers
// about the plain forms.
constexpr unsigned long long all_bytes = ~0ull;

POLYCODEC_VBMI_INLINE __m512i base64_encode_48(__m512i raw, __m512i spread,
                                               __m512i alphabet) noexcept {
  // In each 64-bit lane, where the eight 6-bit fields start.
  const __m512i shifts = _mm512_set1_epi64(0x3036242a1016040a);
  const __m512i fields = _mm512_maskz_multishift_epi64_epi8(
      all_bytes, shifts, _mm512_maskz_permutexvar_epi8(all_bytes, spread, raw));
  return _mm512_maskz_permutexvar_epi8(all_bytes, fields, alphabet);  // looks at six bits only
}

POLYCODEC_VBMI std::size_t base64_encode_vbmi(char* out, const std::uint8_t* in,
                                              std::size_t size) noexcept {
  const __m512i spread = _mm512_load_si512(base64_tables.spread.data());
  const __m512i alphabet = _mm512_load_si512(base64_tables.alphabet.data());
  std::size_t done = 0;
  for (; size - done >= 112; done += 96, out += 128) {
    // Lines of the output are fetched before they are written whole, so that stores need not wait.
    if (size - done > base64_ahead) {
      __builtin_prefetch(out + base64_ahead, 1);
      __builtin_prefetch(out + base64_ahead + 64, 1);
    }
    const __m512i a = base64_encode_48(_mm512_loadu_si512(in + done), spread, alphabet);
    const __m512i b = base64_encode_48(_mm512_loadu_si512(in + done + 48), spread, alphabet);
    _mm512_storeu_si512(out, a);
    _mm512_storeu_si512(out + 64, b);
  }
  for (; size - done >= 48; done += 48, out += 64) {
    const __m512i raw = _mm512_maskz_loadu_epi8(0x0000ffffffffffff, in + done);
    _mm512_storeu_si512(out, base64_encode_48(raw, spread, alphabet));
  }
  return done;
}

POLYCODEC_VBMI_INLINE __m512i base64_pack_64(__m512i values, __m512i pack) noexcept {
  const __m512i pairs = _mm512_maddubs_epi16(values, _mm512_set1_epi32(0x01400140));
  return _mm512_maskz_permutexvar_epi8(all_bytes, pack,
                                       _mm512_madd_epi16(pairs, _mm512_set1_epi32(0x00011000)));
}

POLYCODEC_VBMI std::size_t base64_decode_vbmi(std::uint8_t* out, std::size_t room,
                                              const std::uint8_t* in, std::size_t size) noexcept {
  const __m512i first = _mm512_load_si512(base64_tables.values.data());
  const __m512i second = _mm512_load_si512(base64_tables.values.data() + 64);
  const __m512i pack = _mm512_load_si512(base64_tables.pack.data());
  std::size_t done = 0;
  for (; size - done >= 128 && room >= 112; done += 128, out += 96, room -= 96) {
    const __m512i text_a = _mm512_loadu_si512(in + done);
    const __m512i text_b = _mm512_loadu_si512(in + done + 64);
    const __m512i a = _mm512_permutex2var_epi8(first, text_a, second);
    const __m512i b = _mm512_permutex2var_epi8(first, text_b, second);
    // The tables look at seven bits: a character above 127 shows in the text itself.
    const __m512i faults = _mm512_or_si512(_mm512_or_si512(a, text_a), _mm512_or_si512(b, text_b));
    if (_mm512_movepi8_mask(faults) != 0) break;
    _mm512_storeu_si512(out, base64_pack_64(a, pack));
    _mm512_storeu_si512(out + 48, base64_pack_64(b, pack));
  }
  for (; size - done >= 64 && room >= 48; done += 64, out += 48, room -= 48) {
    const __m512i text = _mm512_loadu_si512(in + done);
    const __m512i values = _mm512_permutex2var_epi8(first, text, second);
    if (_mm512_movepi8_mask(_mm512_or_si512(values, text)) != 0) break;
    _mm512_mask_storeu_epi8(out, 0x0000ffffffffffff, base64_pack_64(values, pack));
  }
  return done;
}

#endif  // defined(__x86_64__)

void base64_encode_scalar(char* out, const std::uint8_t* in, std::size_t size) noexcept {
  for (; size >= 3; size -= 3, in += 3, out += 4) {
    const std::uint32_t bits = (std::uint32_t{in[0]} << 16) | (std::uint32_t{in[1]} << 8) | in[2];
    out[0] = base64_alphabet[bits >> 18];
    out[1] = base64_alphabet[(bits >> 12) & 63];
    out[2] = base64_alphabet[(bits >> 6) & 63];
    out[3] = base64_alphabet[bits & 63];
  }
  if (size == 0) return;
  const std::uint32_t bits =
      (std::uint32_t{in[0]} << 16) | (size == 2 ? std::uint32_t{in[1]} << 8 : 0u);
  out[0] = base64_alphabet[bits >> 18];
  out[1] = base64_alphabet[(bits >> 12) & 63];
  out[2] = size == 2 ? base64_alphabet[(bits >> 6) & 63] : '=';
  out[3] = '=';
}

// The last group, at `at`, which does not consist of four characters of the alphabet.
Base64Result base64_decode_last(std::uint8_t* out, std::size_t room, const std::uint8_t* in,
                                std::size_t size, std::size_t at, std::size_t written) noexcept {
  std::uint32_t bits = 0;
  std::size_t count = 0;
  while (at + count < size && base64_values[in[at + count]] != 255)
    bits = (bits << 6) | base64_values[in[at + count++]];
  if (count == 0) return {at, written, Base64Status::ok};
  const std::size_t end = at + count;
  if (end == size) return {end, 0, Base64Status::truncated};
  if (in[end] != '=') return {end, 0, Base64Status::bad_padding};
  if (count == 1) return {end, 0, Base64Status::bad_character};
  if (count == 2) {
    if (end + 1 == size) return {size, 0, Base64Status::truncated};
    if (in[end + 1] != '=') return {end + 1, 0, Base64Status::bad_padding};
  }
  if ((bits & (count == 2 ? 0x0fu : 0x03u)) != 0) return {end - 1, 0, Base64Status::trailing_bits};
  if (room < count - 1) return {at, 0, Base64Status::no_room};
  bits <<= 6 * (4 - count);
  out[0] = static_cast<std::uint8_t>(bits >> 16);
  if (count == 3) out[1] = static_cast<std::uint8_t>(bits >> 8);
  return {at + 4, written + count - 1, Base64Status::ok};
}

}  // namespace

std::size_t base64_encode_at(CpuLevel level, char* out, const void* data,
                             std::size_t size) noexcept {
  const auto* in = static_cast<const std::uint8_t*>(data);
  std::size_t done = 0;  // bytes, a multiple of 3
#if defined(__x86_64__)
  if (level >= CpuLevel::avx512_vbmi) done = base64_encode_vbmi(out, in, size);
  if (level >= CpuLevel::avx2)
    done += base64_encode_avx2(out + done / 3 * 4, in + done, size - done);
#endif
  static_cast<void>(level);
  base64_encode_scalar(out + done / 3 * 4, in + done, size - done);
  return base64_encoded_size(size);
}

Base64Result base64_decode_at(CpuLevel level, void* output, std::size_t capacity,
                              std::string_view text) noexcept {
  auto* out = static_cast<std::uint8_t*>(output);
  const auto* in = reinterpret_cast<const std::uint8_t*>(text.data());
  const std::size_t size = text.size();
  std::size_t at = 0;  // characters, a multiple of 4
#if defined(__x86_64__)
  if (level >= CpuLevel::avx512_vbmi) at = base64_decode_vbmi(out, capacity, in, size);
  if (level >= CpuLevel::avx2)
    at += base64_decode_avx2(out + at / 4 * 3, capacity - at / 4 * 3, in + at, size - at);
#endif
  static_cast<void>(level);
  std::size_t written = at / 4 * 3;
  for (; size - at >= 4; at += 4, written += 3) {
    const std::uint32_t a = base64_values[in[at]], b = base64_values[in[at + 1]];
    const std::uint32_t c = base64_values[in[at + 2]], d = base64_values[in[at + 3]];
    if (((a | b | c | d) & 0x80) != 0) break;
    if (capacity - written < 3) return {at, 0, Base64Status::no_room};
    const std::uint32_t bits = (a << 18) | (b << 12) | (c << 6) | d;
    out[written] = static_cast<std::uint8_t>(bits >> 16);
    out[written + 1] = static_cast<std::uint8_t>(bits >> 8);
    out[written + 2] = static_cast<std::uint8_t>(bits);
  }
  return base64_decode_last(out + written, capacity - written, in, size, at, written);
}

}  // namespace polycodec::detail
