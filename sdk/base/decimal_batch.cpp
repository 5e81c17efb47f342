// SPDX-License-Identifier: MIT
#include "decimal_batch.hpp"

#include <base/cpu.hpp>
#include <base/decimal_print.hpp>

#include <algorithm>
#include <bit>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace polycodec {
namespace {

template <class T, class Text>
std::uint8_t print_one(Text& text, T number) noexcept {
  char all[max_decimal_size] = {};
  const char* const end = print_decimal(all, number);
  std::memcpy(&text, all, sizeof text);
  return static_cast<std::uint8_t>(end - all);
}

#if defined(__x86_64__)

#define POLYCODEC_AVX2 __attribute__((target("avx2")))
#define POLYCODEC_AVX2_INLINE __attribute__((target("avx2"), always_inline)) inline

// Four integers of 64 bits each.
using Four = __m256i;

POLYCODEC_AVX2_INLINE Four four(std::uint64_t number) noexcept {
  return _mm256_set1_epi64x(static_cast<std::int64_t>(number));
}

// Numbers below 2^30 divided by 10^power: the inverse has 30 bits or one more, so that its error is
// too small to matter.
template <unsigned power>
POLYCODEC_AVX2_INLINE Four over_ten_to(Four numbers) noexcept {
  constexpr std::uint64_t ten_to = detail::exact_tens[power];
  constexpr int bits = 30 + std::bit_width(ten_to);
  constexpr std::uint64_t inverse = (std::uint64_t{1} << bits) / ten_to + 1;
  return _mm256_srli_epi64(_mm256_mul_epu32(numbers, four(inverse)), bits);
}

// As detail::eight_digits().
POLYCODEC_AVX2_INLINE Four eight_digits(Four numbers) noexcept {
  const Four high = over_ten_to<4>(numbers);
  const Four low = _mm256_sub_epi64(numbers, _mm256_mul_epu32(high, four(10000)));
  const Four fours = _mm256_or_si256(high, _mm256_slli_epi64(low, 32));
  const Four hundreds = _mm256_srli_epi16(_mm256_mulhi_epu16(fours, _mm256_set1_epi16(5243)), 3);
  const Four units = _mm256_sub_epi16(fours, _mm256_mullo_epi16(hundreds, _mm256_set1_epi16(100)));
  const Four twos = _mm256_or_si256(hundreds, _mm256_slli_epi32(units, 16));
  const Four tens = _mm256_mulhi_epu16(twos, _mm256_set1_epi16(6554));
  const Four ones = _mm256_sub_epi16(twos, _mm256_mullo_epi16(tens, _mm256_set1_epi16(10)));
  const Four digits = _mm256_or_si256(tens, _mm256_slli_epi16(ones, 8));
  return _mm256_or_si256(digits, _mm256_set1_epi8('0'));
}

template <int half>
POLYCODEC_AVX2_INLINE Four four_of(__m256i eight) noexcept {
  return _mm256_cvtepu32_epi64(_mm256_extracti128_si256(eight, half));
}

POLYCODEC_AVX2 void print_integers(std::uint64_t* words, std::uint32_t* sizes,
                                   const std::uint32_t* numbers, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; i += 8) {
    const __m256i eight = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(numbers + i));
    __m256i size = _mm256_set1_epi32(1);
    for (const int greatest : {9, 99, 999, 9999, 99999, 999999, 9999999})
      size = _mm256_sub_epi32(size, _mm256_cmpgt_epi32(eight, _mm256_set1_epi32(greatest)));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(sizes + i), size);
    const __m256i zeros = _mm256_slli_epi32(_mm256_sub_epi32(_mm256_set1_epi32(8), size), 3);
    const Four low = _mm256_srlv_epi64(eight_digits(four_of<0>(eight)), four_of<0>(zeros));
    const Four high = _mm256_srlv_epi64(eight_digits(four_of<1>(eight)), four_of<1>(zeros));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(words + i), low);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(words + i + 4), high);
  }
}

// A float from 1e-3 to 1e5 is worked on as an integer of nine digits, of which the last ones are
// dropped as long as the rest is still the float (see detail::print_usual). How its text is put
// together follows from the power of ten that it begins with (0 is 1e-3), from how many digits are
// dropped, and from the sign. Bytes come from these places:
enum Place : std::uint8_t { second_digit = 0, first_digit = 8, point, zero, minus, nothing = 0x80 };

constexpr std::size_t powers = 8, most_dropped = 8;

struct Layout {
  std::array<std::uint8_t, 16> places;
};
struct Layouts {
  std::array<Layout, powers*(most_dropped + 1) * 2> all;
  std::array<std::uint8_t, powers*(most_dropped + 1) * 2> sizes;
};

constexpr Layouts layouts = [] {
  Layouts made{};
  for (std::size_t i = 0; i < made.all.size(); ++i) {
    auto& places = made.all[i].places;
    places.fill(nothing);
    std::uint8_t size = 0;
    const auto put = [&](std::uint8_t place) { places[size++] = place; };
    const auto digits = static_cast<int>(9 - i / 2 % (most_dropped + 1));
    const int whole = static_cast<int>(i / 2 / (most_dropped + 1)) - 2;  // digits before the point
    if (i % 2 != 0) put(minus);
    if (whole <= 0) {
      put(zero);
      put(point);
      for (int k = whole; k < 0; ++k) put(zero);
    }
    for (int k = 0; k < digits; ++k) {
      if (k == whole && whole > 0) put(point);
      put(k == 0 ? std::uint8_t{first_digit} : static_cast<std::uint8_t>(second_digit + k - 1));
    }
    made.sizes[i] = size;
  }
  return made;
}();

// Where a digit more is dropped: `bound` has a bit for each of the four that cannot drop it.
template <unsigned count>
POLYCODEC_AVX2_INLINE void drop(Four low, Four high, Four whole, Four places, Four& kept,
                                Four& step, Four& dropped, Four& bound) noexcept {
  const Four ten_to = four(detail::exact_tens[count]);
  const Four shorter = _mm256_mul_epu32(over_ten_to<count>(high), ten_to);
  bound = _mm256_cmpgt_epi64(low, shorter);
  if constexpr (count > 4)  // there are at least four places behind the point
    bound = _mm256_or_si256(bound, _mm256_cmpgt_epi64(four(count), places));
  kept = _mm256_blendv_epi8(over_ten_to<count>(whole), kept, bound);
  step = _mm256_blendv_epi8(ten_to, step, bound);
  dropped = _mm256_add_epi64(dropped, _mm256_add_epi64(four(1), bound));
}

// What detail::print_usual() does for one number. Returns the digits, of which there are nine, and
// how many are to be dropped at the end.
POLYCODEC_AVX2_INLINE Four shortest(Four twice, Four power, Four shift, Four places,
                                    Four& dropped) noexcept {
  const Four exact = _mm256_add_epi64(
      _mm256_mul_epu32(twice, power),
      _mm256_slli_epi64(_mm256_mul_epu32(twice, _mm256_srli_epi64(power, 32)), 32));
  const Four low =
      _mm256_add_epi64(_mm256_srlv_epi64(_mm256_sub_epi64(exact, power), shift), four(1));
  const Four high = _mm256_srlv_epi64(_mm256_add_epi64(exact, power), shift);
  const Four whole = _mm256_srlv_epi64(exact, shift);
  Four kept = whole, step = four(1), bound = four(0);
  dropped = four(0);
  drop<1>(low, high, whole, places, kept, step, dropped, bound);
  drop<2>(low, high, whole, places, kept, step, dropped, bound);
  drop<3>(low, high, whole, places, kept, step, dropped, bound);
  if (_mm256_movemask_epi8(bound) != -1) {  // numbers with few digits
    drop<4>(low, high, whole, places, kept, step, dropped, bound);
    drop<5>(low, high, whole, places, kept, step, dropped, bound);
    drop<6>(low, high, whole, places, kept, step, dropped, bound);
    drop<7>(low, high, whole, places, kept, step, dropped, bound);
    drop<8>(low, high, whole, places, kept, step, dropped, bound);
  }
  const Four base = _mm256_sllv_epi64(_mm256_mul_epu32(kept, step), shift);
  const Four rest = _mm256_sub_epi64(exact, base);
  const Four half = _mm256_srli_epi64(_mm256_sllv_epi64(step, shift), 1);
  const Four is_odd = _mm256_sub_epi64(four(0), _mm256_and_si256(kept, four(1)));
  const Four tie_up = _mm256_and_si256(_mm256_cmpeq_epi64(rest, half), is_odd);
  const Four up = _mm256_or_si256(_mm256_cmpgt_epi64(rest, half), tie_up);
  return _mm256_mul_epu32(_mm256_sub_epi64(kept, up), step);
}

#endif

}  // namespace

#if defined(__x86_64__)
struct FloatKernel {
  // Eight floats from number `at` on. Returns a bit for each that has to be printed alone.
  POLYCODEC_AVX2 static unsigned print(FloatTexts& to, const float* numbers,
                                       std::size_t at) noexcept {
    const __m256i bits = _mm256_castps_si256(_mm256_loadu_ps(numbers));
    const __m256i magnitude = _mm256_and_si256(bits, _mm256_set1_epi32(0x7fffffff));
    __m256i power = _mm256_setzero_si256();
    for (const float border : {1e-2f, 1e-1f, 1e0f, 1e1f, 1e2f, 1e3f, 1e4f})
      power = _mm256_sub_epi32(power, is_from(magnitude, border));
    const __m256i exponent = _mm256_srli_epi32(magnitude, 23);
    const __m256i mantissa = _mm256_or_si256(
        _mm256_and_si256(magnitude, _mm256_set1_epi32(0x7fffff)), _mm256_set1_epi32(0x800000));
    const __m256i parts[] = {_mm256_slli_epi32(mantissa, 1),
                             tens<0>(power),
                             tens<32>(power),
                             _mm256_sub_epi32(_mm256_set1_epi32(151), exponent),
                             power,
                             _mm256_srli_epi32(bits, 31)};
    print_four<0>(to, at, parts);
    print_four<1>(to, at + 4, parts);
    const __m256i usual = _mm256_andnot_si256(is_from(magnitude, 1e5f), is_from(magnitude, 1e-3f));
    return ~static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(usual))) & 0xff;
  }

 private:
  POLYCODEC_AVX2_INLINE static __m256i is_from(__m256i magnitude, float border) noexcept {
    const auto bits = std::bit_cast<std::int32_t>(border);
    return _mm256_cmpgt_epi32(magnitude, _mm256_set1_epi32(bits - 1));
  }

  // A half of the power of ten that makes nine digits of a number.
  template <unsigned shift>
  POLYCODEC_AVX2_INLINE static __m256i tens(__m256i power) noexcept {
    constexpr auto halves = [] {
      std::array<std::uint32_t, powers> all{};
      for (std::size_t i = 0; i < powers; ++i)
        all[i] = static_cast<std::uint32_t>(detail::exact_tens[11 - i] >> shift);
      return all;
    }();
    const auto* const from = reinterpret_cast<const __m256i*>(halves.data());
    return _mm256_permutevar8x32_epi32(_mm256_loadu_si256(from), power);
  }

  template <int half>
  POLYCODEC_AVX2_INLINE static void print_four(FloatTexts& to, std::size_t at,
                                               const __m256i (&parts)[6]) noexcept {
    const Four ten_to =
        _mm256_or_si256(four_of<half>(parts[1]), _mm256_slli_epi64(four_of<half>(parts[2]), 32));
    const Four power = four_of<half>(parts[4]);
    Four dropped;
    const Four digits = shortest(four_of<half>(parts[0]), ten_to, four_of<half>(parts[3]),
                                 _mm256_sub_epi64(four(11), power), dropped);
    const Four first = over_ten_to<8>(digits);
    const Four others =
        eight_digits(_mm256_sub_epi64(digits, _mm256_mul_epu32(first, four(100000000))));
    constexpr std::uint64_t signs =
        '0' | std::uint64_t{'.'} << 8 | std::uint64_t{'0'} << 16 | std::uint64_t{'-'} << 24;
    const Four more = _mm256_add_epi64(first, four(signs));
    const Four index = _mm256_add_epi64(
        _mm256_slli_epi64(
            _mm256_add_epi64(_mm256_mul_epu32(power, four(most_dropped + 1)), dropped), 1),
        four_of<half>(parts[5]));
    alignas(32) std::uint64_t which[4];
    _mm256_store_si256(reinterpret_cast<__m256i*>(which), index);
    const __m256i even = _mm256_unpacklo_epi64(others, more);
    const __m256i odd = _mm256_unpackhi_epi64(others, more);
    const __m128i sources[] = {_mm256_castsi256_si128(even), _mm256_castsi256_si128(odd),
                               _mm256_extracti128_si256(even, 1), _mm256_extracti128_si256(odd, 1)};
    for (std::size_t i = 0; i < 4; ++i) {
      // A float that is printed alone may have any digits.
      const std::size_t layout = std::min<std::size_t>(which[i], layouts.sizes.size() - 1);
      const auto* const places =
          reinterpret_cast<const __m128i*>(layouts.all[layout].places.data());
      const __m128i text = _mm_shuffle_epi8(sources[i], _mm_loadu_si128(places));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to.texts_[at + i].data()), text);
      to.sizes_[at + i] = layouts.sizes[layout];
    }
  }
};
#endif

void FloatTexts::print(const std::byte* first, std::int64_t stride, std::size_t count) noexcept {
  std::array<float, decimal_batch> numbers;
  for (std::size_t i = 0; i < count; ++i, first += stride)
    std::memcpy(&numbers[i], first, sizeof(float));
  std::size_t done = 0;
#if defined(__x86_64__)
  if (cpu_has(CpuLevel::avx2)) {
    for (; done + 8 <= count; done += 8)
      for (unsigned alone = FloatKernel::print(*this, &numbers[done], done); alone != 0;
           alone &= alone - 1) {
        const std::size_t i = done + static_cast<std::size_t>(std::countr_zero(alone));
        sizes_[i] = print_one(texts_[i], numbers[i]);
      }
  }
#endif
  for (; done < count; ++done) sizes_[done] = print_one(texts_[done], numbers[done]);
}

void IntegerTexts::print(const std::array<std::uint32_t, decimal_batch>& numbers,
                         std::size_t count) noexcept {
#if defined(__x86_64__)
  // The last eight may be numbers of nobody, which cost less than one that is printed alone.
  if (cpu_has(CpuLevel::avx2))
    return print_integers(words_.data(), sizes_.data(), numbers.data(), count);
#endif
  for (std::size_t i = 0; i < count; ++i) {
    if constexpr (std::endian::native == std::endian::little) {
      const std::uint64_t digits = detail::eight_digits(numbers[i]);
      const std::uint64_t others = digits ^ 0x3030303030303030;
      const int zeros = std::countr_zero(others | std::uint64_t{1} << 56) / 8;  // 0 has one digit
      words_[i] = digits >> 8 * zeros;
      sizes_[i] = static_cast<std::uint32_t>(8 - zeros);
    } else {
      sizes_[i] = print_one(words_[i], numbers[i]);
    }
  }
}

}  // namespace polycodec
