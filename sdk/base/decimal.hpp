// SPDX-License-Identifier: MIT
// Decimal numbers in text, both ways: exact, independent of the locale, without allocation.
#pragma once

#include <base/decimal_power.hpp>
#include <base/decimal_print.hpp>

#include <bit>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <limits>
#include <system_error>
#include <type_traits>

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

namespace polycodec {

/// What came of reading one number.
enum class DecimalStatus : std::uint8_t {
  ok,
  not_a_number,  ///< no number of this type is there
  out_of_range,  ///< an integer does not fit the type
};

/// Where a number ended, or why there is none.
struct DecimalEnd {
  const char* end;  ///< behind the number; where it was looked for if there is none
  DecimalStatus status;
};

namespace detail {

inline constexpr bool is_digit(char c) noexcept {
  return static_cast<unsigned char>(c - '0') < 10;
}

// The number that eight digits say, without the bits that make them characters.
[[gnu::always_inline]] inline std::uint64_t eight_digits_value(std::uint64_t digits) noexcept {
  digits = (digits * 10) + (digits >> 8);
  return (((digits & 0x000000ff000000ff) * 0x000f424000000064) +
          (((digits >> 16) & 0x000000ff000000ff) * 0x0000271000000001)) >>
         32;
}

// The highest bit of each of eight bytes that is not a digit, up to the first of them at least.
[[gnu::always_inline]] inline std::uint64_t other_than_eight_digits(std::uint64_t bytes) noexcept {
  // A carry can only come from a byte that is not a digit, and goes to those after it.
  return ((bytes + 0x7676767676767676) | bytes) & 0x8080808080808080;
}

// The number that the first `count` of 8 bytes of text say: 1 to 8 digits.
[[gnu::always_inline]] inline std::uint64_t digits_value(std::uint64_t text,
                                                         unsigned count) noexcept {
  return eight_digits_value((text ^ 0x3030303030303030) << (64 - 8 * count));  // leading zeros
}

// Eight bytes of text at a time: where the digits end, and what they say, without a branch for
// each.
struct DigitRun {
  std::uint64_t value;
  unsigned count;  // 8: there may be more
};

// The digits at `p`, which has 8 readable bytes. For little-endian machines. A call would cost as
// much as the work, and whether compilers inline it depends on what else is in the file.
[[gnu::always_inline]] inline DigitRun digit_run(const char* p) noexcept {
  std::uint64_t text;
  std::memcpy(&text, p, 8);
  const std::uint64_t others = other_than_eight_digits(text ^ 0x3030303030303030);
  const auto count = static_cast<unsigned>(others == 0 ? 8 : std::countr_zero(others) / 8);
  if (count == 0) return {0, 0};
  return {digits_value(text, count), count};
}

// A bit for each of the 64 bytes at `p` that is not a digit, from the lowest on.
[[gnu::always_inline]] inline std::uint64_t other_than_digits(const char* p) noexcept {
  std::uint64_t digits = 0;
#if defined(__SSE2__)
  for (unsigned i = 0; i < 64; i += 16) {
    const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + i));
    // Digits become the 10 lowest signed numbers.
    const __m128i moved = _mm_add_epi8(text, _mm_set1_epi8(static_cast<char>(0x80 - '0')));
    const int found = _mm_movemask_epi8(_mm_cmplt_epi8(moved, _mm_set1_epi8(-128 + 10)));
    digits |= std::uint64_t{static_cast<unsigned>(found)} << i;
  }
#elif defined(__wasm_simd128__)
  for (unsigned i = 0; i < 64; i += 16) {
    const v128_t moved = wasm_i8x16_add(wasm_v128_load(p + i), wasm_i8x16_splat(0x80 - '0'));
    const v128_t found = wasm_i8x16_lt(moved, wasm_i8x16_splat(-128 + 10));
    digits |= std::uint64_t{wasm_i8x16_bitmask(found)} << i;
  }
#else
  for (unsigned i = 0; i < 64; ++i) digits |= (is_digit(p[i]) ? std::uint64_t{1} : 0) << i;
#endif
  return ~digits;
}

inline constexpr std::uint64_t whole_powers_of_ten[] = {1,      10,      100,      1000,     10000,
                                                        100000, 1000000, 10000000, 100000000};

// Doubles hold all integers up to this one.
inline constexpr std::uint64_t greatest_exact = std::uint64_t{1} << 53;

// The quotient or product of two exact doubles as T: rounded once, so the nearest one (Clinger).
// False: T is float, and rounding twice could matter.
template <std::floating_point T>
[[gnu::always_inline]] inline bool round_once(double wide, bool negative, T& value) noexcept {
  const std::uint64_t sign = negative ? std::uint64_t{1} << 63 : 0;  // not a branch
  const auto bits = std::bit_cast<std::uint64_t>(wide);
  if constexpr (std::same_as<T, double>) {
    value = std::bit_cast<double>(bits | sign);
    return true;
  } else {
    // Rounding to double keeps the order, so the nearest float of both is the same unless the
    // double is halfway between two floats. Below the normal floats halfway points look
    // different: leave them to the slow way.
    if ((bits & 0x1fffffff) == 0x10000000 || (wide < 0x1p-126 && wide != 0)) [[unlikely]]
      return false;
    value =
        wide >= 0x1.ffffffp+127 ? std::numeric_limits<float>::infinity() : static_cast<float>(wide);
    value = negative ? -value : value;
    return true;
  }
}

// Bytes that fast_decimal() may look at.
inline constexpr std::ptrdiff_t fast_decimal_bytes = 32;

// Reads numbers of the usual kind, up to 7 digits before the point and 15 after it, no exponent;
// NULL: some other kind.
[[gnu::always_inline]] inline const char* fast_decimal(const char* p, std::uint64_t& digits,
                                                       unsigned& behind_point) noexcept {
  // Coordinates mostly have one digit before the point, which is quicker to see than a run.
  const DigitRun whole =
      p[1] == '.' && is_digit(*p) ? DigitRun{static_cast<unsigned>(*p - '0'), 1} : digit_run(p);
  if (whole.count == 8) return nullptr;
  p += whole.count;
  digits = whole.value;
  behind_point = 0;
  if (*p == '.') {
    const DigitRun fraction = digit_run(++p);
    p += fraction.count;
    digits = digits * whole_powers_of_ten[fraction.count] + fraction.value;
    behind_point = fraction.count;
    if (fraction.count == 8) {
      const DigitRun rest = digit_run(p);
      if (rest.count == 8) return nullptr;
      p += rest.count;
      digits = digits * whole_powers_of_ten[rest.count] +
               rest.value;  // at most 22 digits: checked below
      behind_point += rest.count;
      if (whole.count + behind_point > 18) return nullptr;
    }
  }
  if (whole.count + behind_point == 0 || (*p | 0x20) == 'e') return nullptr;
  return p;
}

// What the digits of a number say: `digits` are the first 19 significant ones, times ten to the
// `exponent`.
struct Decimal {
  std::uint64_t digits = 0;
  std::int64_t exponent = 0;
  bool exact = true;       // false: there were more digits than `digits` holds
  std::int64_t point = 0;  // the number is below 10^point and, unless zero, at least 10^(point - 1)
};

// Reads digits, point and exponent at `p`; NULL if there are no digits.
inline const char* scan_decimal(const char* p, const char* end, Decimal& d) noexcept {
  const char* const start = p;
  while (p != end && *p == '0') ++p;
  bool any = p != start;
  const char* const whole = p;
  // 19 digits always fit; those after them are only counted.
  const char* const room = end - p > 19 ? p + 19 : end;
  while (p != room && is_digit(*p)) d.digits = d.digits * 10 + static_cast<unsigned>(*p++ - '0');
  std::int64_t kept = p - whole;
  if (p == room && p != end) {
    const char* const rest = p;
    for (; p != end && is_digit(*p); ++p) d.exact = d.exact && *p == '0';
    d.exponent = p - rest;
  }
  any = any || p != whole;
  d.point = p - whole;
  if (p != end && *p == '.') {
    const char* const fraction = ++p;
    if (d.digits == 0) {
      while (p != end && *p == '0') ++p;
      d.point = -(p - fraction);
      d.exponent = d.point;
    }
    const char* const first = p;
    for (; p != end && kept < 19 && is_digit(*p); ++p, ++kept)
      d.digits = d.digits * 10 + static_cast<unsigned>(*p - '0');
    d.exponent -= p - first;
    for (; p != end && is_digit(*p); ++p) d.exact = d.exact && *p == '0';
    any = any || p != fraction;
  }
  if (!any) return nullptr;
  if (p != end && (*p == 'e' || *p == 'E')) {
    const char* q = p + 1;
    bool negative = false;
    if (q != end && (*q == '+' || *q == '-')) negative = *q++ == '-';
    if (q != end && is_digit(*q)) {
      std::int64_t power = 0;
      // Beyond a million the number is zero or infinite, whatever its other digits.
      for (; q != end && is_digit(*q); ++q)
        power = power < 1'000'000'000'000 ? power * 10 + (*q - '0') : power;
      d.exponent += negative ? -power : power;
      d.point += negative ? -power : power;
      p = q;
    }
  }
  return p;
}

// The lower-case `word` at `p`, in any case.
inline bool is_word(const char* p, const char* end, const char* word) noexcept {
  for (; *word != '\0'; ++word, ++p)
    if (p == end || (*p | 0x20) != *word) return false;
  return true;
}

// The integer with this magnitude, if T holds it.
template <std::integral T>
inline DecimalEnd finish_integer(const char* p, bool negative, bool fits, std::uint64_t magnitude,
                                 T& value) noexcept {
  const auto greatest = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
  const std::uint64_t most = !negative ? greatest : std::is_signed_v<T> ? greatest + 1 : 0;
  if (!fits || magnitude > most) [[unlikely]]
    return {p, DecimalStatus::out_of_range};
  value = static_cast<T>(negative ? std::uint64_t{0} - magnitude : magnitude);
  return {p, DecimalStatus::ok};
}

// digits * 10^exponent, rounded once; |exponent| <= greatest_power.
[[gnu::always_inline]] inline double decimal_value(std::uint64_t digits, int exponent) noexcept {
  // A product or quotient of two exact doubles is the nearest double (Clinger).
  if (digits <= (std::uint64_t{1} << 53) && exponent >= -22 && exponent <= 22) [[likely]] {
    const auto wide = static_cast<double>(digits);
    return exponent < 0 ? wide / exact_powers_of_ten[-exponent]
                        : wide * exact_powers_of_ten[exponent];
  }
  return nearest_double(digits, exponent);
}

template <std::floating_point T>
[[gnu::noinline]] T convert_decimal_slowly(const char* p, const char* end,
                                           const Decimal& d) noexcept {
  T value{};
  const auto result = std::from_chars(p, end, value);
  if (result.ec == std::errc()) return value;
  return d.point > 0 && d.digits != 0 ? std::numeric_limits<T>::infinity() : T{0};
}

}  // namespace detail

/// Reads a floating-point number at `p`: sign, digits, point, exponent, or nan, inf, infinity in
/// any case. The value is that of the digits, rounded once to T (never through a wider type);
/// beyond the range it is infinite or zero. Reads as far as the number goes: the caller looks at
/// what follows. Time is linear in the digits. [thread-safe]
template <std::floating_point T>
requires(std::same_as<T, float> || std::same_as<T, double>) inline DecimalEnd
    parse_decimal(const char* const from, const char* const end, T& value) noexcept {
  const char* p = from;
  const bool negative = p != end && *p == '-';
  if (p != end && (*p == '-' || *p == '+')) ++p;
  detail::Decimal d;
  const char* after = nullptr;
  if constexpr (std::endian::native == std::endian::little) {
    unsigned behind_point = 0;
    if (end - p >= detail::fast_decimal_bytes) [[likely]]
      after = detail::fast_decimal(p, d.digits, behind_point);
    d.exponent = -static_cast<std::int64_t>(behind_point);
    d.point = 1;  // not zero and not huge
  }
  if (after == nullptr) {
    d = {};
    after = detail::scan_decimal(p, end, d);
  }
  if (after == nullptr) [[unlikely]] {
    T special;
    std::size_t size = 3;
    if (detail::is_word(p, end, "nan")) {
      special = std::numeric_limits<T>::quiet_NaN();
    } else if (detail::is_word(p, end, "inf")) {
      special = std::numeric_limits<T>::infinity();
      if (detail::is_word(p, end, "infinity")) size = 8;
    } else {
      return {from, DecimalStatus::not_a_number};
    }
    value = std::copysign(special, negative ? T{-1} : T{1});
    return {p + size, DecimalStatus::ok};
  }
  if (d.exact && d.exponent >= -detail::greatest_power && d.exponent <= detail::greatest_power)
      [[likely]] {
    const double wide = detail::decimal_value(d.digits, static_cast<int>(d.exponent));
    if (detail::round_once(wide, negative, value)) [[likely]]
      return {after, DecimalStatus::ok};
  }
  const T magnitude = detail::convert_decimal_slowly<T>(p, after, d);
  value = negative ? -magnitude : magnitude;
  return {after, DecimalStatus::ok};
}

/// Reads an integer of at most 64 bits at `p`: sign ('-' also before the unsigned, where only -0
/// fits) and decimal digits; a number that does not fit T is out_of_range, with `end` after its
/// digits. [thread-safe]
template <std::integral T>
inline DecimalEnd parse_decimal(const char* const from, const char* const end, T& value) noexcept {
  const char* p = from;
  const bool negative = p != end && *p == '-';
  if (p != end && (*p == '-' || *p == '+')) ++p;
  const char* const start = p;
  std::uint64_t magnitude = 0;
  if constexpr (std::endian::native == std::endian::little) {
    if (end - p >= 8) [[likely]] {
      const detail::DigitRun run = detail::digit_run(p);
      p += run.count;
      magnitude = run.value;
      if (run.count != 8) {
        if (run.count == 0) return {from, DecimalStatus::not_a_number};
        return detail::finish_integer(p, negative, true, magnitude, value);
      }
    }
  }
  const char* const room = end - start > 18 ? start + 18 : end;
  while (p != room && detail::is_digit(*p))
    magnitude = magnitude * 10 + static_cast<unsigned>(*p++ - '0');
  if (p == start) [[unlikely]]
    return {from, DecimalStatus::not_a_number};
  bool fits = true;
  if (p != end && detail::is_digit(*p)) [[unlikely]]
    for (; p != end && detail::is_digit(*p); ++p)
      fits = fits && !__builtin_mul_overflow(magnitude, std::uint64_t{10}, &magnitude) &&
             !__builtin_add_overflow(magnitude, static_cast<std::uint64_t>(*p - '0'), &magnitude);
  return detail::finish_integer(p, negative, fits, magnitude, value);
}

}  // namespace polycodec
