// SPDX-License-Identifier: MIT
// Decimals of up to 19 digits as doubles, by one multiplication of 64 with 128 bits (D. Lemire,
// Number parsing at a gigabyte per second, 2021). Included by decimal.hpp.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace polycodec::detail {

__extension__ using Wide = unsigned __int128;

/// The first 128 bits of a power of ten.
struct PowerOfTen {
  std::uint64_t high, low;
};

inline constexpr int greatest_power = 64;

// An integer of 192 bits; the lowest word first.
struct PowerOfFive {
  std::uint64_t words[3] = {1, 0, 0};

  constexpr void times_five() noexcept {
    Wide carry = 0;
    for (std::uint64_t& word : words) {
      carry += static_cast<Wide>(word) * 5;
      word = static_cast<std::uint64_t>(carry);
      carry >>= 64;
    }
  }
  constexpr void twice() noexcept {
    for (int i = 2; i >= 0; --i) words[i] = words[i] << 1 | (i == 0 ? 0 : words[i - 1] >> 63);
  }
  constexpr void half() noexcept {
    for (int i = 0; i < 3; ++i) words[i] = words[i] >> 1 | (i == 2 ? 0 : words[i + 1] << 63);
  }
  constexpr bool is_below(const PowerOfFive& other) const noexcept {
    for (int i = 2; i >= 0; --i)
      if (words[i] != other.words[i]) return words[i] < other.words[i];
    return false;
  }
  constexpr void minus(const PowerOfFive& other) noexcept {
    std::uint64_t borrow = 0;
    for (int i = 0; i < 3; ++i) {
      const Wide difference = static_cast<Wide>(words[i]) - other.words[i] - borrow;
      words[i] = static_cast<std::uint64_t>(difference);
      borrow = static_cast<std::uint64_t>(difference >> 64) & 1;
    }
  }
};

// Powers of ten differ from those of five in their exponents only.
constexpr std::array<PowerOfTen, 2 * greatest_power + 1> make_powers_of_ten() noexcept {
  std::array<PowerOfTen, 2 * greatest_power + 1> all{};
  PowerOfFive five;
  for (int n = 0; n <= greatest_power; ++n, five.times_five()) {
    PowerOfFive first = five;
    while (first.words[2] != 0) first.half();
    while (first.words[1] >> 63 == 0) first.twice();
    all[static_cast<std::size_t>(greatest_power + n)] = {first.words[1], first.words[0]};
    if (n == 0) continue;
    PowerOfFive left;  // of the division of a power of two
    while (left.is_below(five)) left.twice();
    Wide quotient = 0;
    for (int bit = 0; bit < 128; ++bit, left.twice()) {
      quotient <<= 1;
      if (left.is_below(five)) continue;
      left.minus(five);
      quotient |= 1;
    }
    // The small ones are rounded up, so that products that are whole numbers do not fall short.
    if (n <= 27) ++quotient;
    all[static_cast<std::size_t>(greatest_power - n)] = {static_cast<std::uint64_t>(quotient >> 64),
                                                         static_cast<std::uint64_t>(quotient)};
  }
  return all;
}

inline constexpr std::array<PowerOfTen, 2 * greatest_power + 1> powers_of_ten =
    make_powers_of_ten();

/// The double nearest to digits * 10^exponent; |exponent| <= greatest_power, so that the number is
/// zero or in the middle of the range of doubles.
inline double nearest_double(std::uint64_t digits, int exponent) noexcept {
  if (digits == 0) return 0;
  const PowerOfTen& power = powers_of_ten[static_cast<std::size_t>(greatest_power + exponent)];
  const int zeros = std::countl_zero(digits);
  digits <<= zeros;
  const Wide product = static_cast<Wide>(digits) * power.high;
  auto high = static_cast<std::uint64_t>(product >> 64);
  auto low = static_cast<std::uint64_t>(product);
  if ((high & 0x1ff) == 0x1ff) {  // what is missing may change the bits that count
    const auto more = static_cast<std::uint64_t>(static_cast<Wide>(digits) * power.low >> 64);
    low += more;
    if (low < more) ++high;
  }
  const int top = static_cast<int>(high >> 63);
  const int below = top + 9;  // 54 bits are left: one more than a double has
  std::uint64_t bits = high >> below;
  // floor(log2(10^exponent)), of the two factors, and of the product.
  const int binary = (217706 * exponent >> 16) + 63 + top - zeros;
  // Halfway between two doubles: to even. Only these powers can get there.
  if (low <= 1 && exponent >= -4 && exponent <= 23 && (bits & 3) == 1 && bits << below == high)
    bits &= ~std::uint64_t{1};
  bits += bits & 1;
  bits >>= 1;
  // The carry of rounding goes where it belongs: to the exponent.
  bits += static_cast<std::uint64_t>(binary + 1023 - 1) << 52;
  return std::bit_cast<double>(bits);
}

}  // namespace polycodec::detail
