// SPDX-License-Identifier: MIT
// Numbers of a line. Where digits end is found for 64 bytes at once, so that no number waits for
// the end of the one before it.
#pragma once

#include <base/decimal.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace polycodec {

/// Reads the numbers of a line one after another, with one byte between them. For little-endian
/// machines.
class LineNumbers {
 public:
  /// Readable bytes that a line needs before the end of the text.
  static constexpr std::ptrdiff_t line_bytes = 256;

  /// The first number begins at `at`, which has line_bytes before `end`.
  LineNumbers(const char* at, const char* end) noexcept
      : base_(at), end_(end), others_(detail::other_than_digits(at)) {}

  /// The next byte that is not a digit. With very many digits before it, or at the end of the text:
  /// some byte that is no end of a number from there on of 1 to 8 digits.
  [[gnu::always_inline]] const char* next() noexcept {
    if (others_ == 0) [[unlikely]] {
      const Block block = block_after(base_, end_);
      base_ = block.base;
      others_ = block.others;
    }
    const char* const at = base_ + std::countr_zero(others_);
    others_ &= others_ - 1;
    return at;
  }

  /// Reads a number as parse_decimal() does, and moves `at` behind it. False: none that is to be
  /// read here is there.
  template <std::floating_point T>
  [[gnu::always_inline]] bool number(const char*& at, T& value) noexcept {
    const bool negative = *at == '-';
    const char* const digits = at + (negative ? 1 : 0);
    others_ &= others_ - (negative ? 1 : 0);  // the sign is not a digit
    const char* stop = next();
    const auto whole = static_cast<std::uint64_t>(stop - digits);
    if (whole - 1 >= 7) [[unlikely]]
      return slow(at, value);
    std::uint64_t text, behind;
    std::memcpy(&text, digits, 8);
    std::uint64_t size = whole;
    if (*stop == '.') {
      stop = next();
      size = static_cast<std::uint64_t>(stop - digits) - 1;
      if (size > 16) [[unlikely]]
        return slow(at, value);
      // The digits behind the point move to those before it.
      std::memcpy(&behind, digits + 1, 8);
      const std::uint64_t before = (std::uint64_t{1} << 8 * whole) - 1;
      text = (text & before) | (behind & ~before);
    }
    if (static_cast<unsigned char>(*stop) > ' ') [[unlikely]]
      return slow(at, value);
    std::uint64_t all;
    if (size <= 8) {
      all = detail::digits_value(text, static_cast<unsigned>(size));
    } else {
      std::memcpy(&behind, digits + 9, 8);
      const auto rest = static_cast<unsigned>(size - 8);
      all = detail::digits_value(text, 8) * detail::whole_powers_of_ten[rest] +
            detail::digits_value(behind, rest);
    }
    const double wide = static_cast<double>(static_cast<std::int64_t>(all)) /
                        detail::exact_powers_of_ten[size - whole];
    if (all > detail::greatest_exact || !detail::round_once(wide, negative, value)) [[unlikely]]
      return slow(at, value);
    at = stop;
    return true;
  }
  template <std::integral T>
  [[gnu::always_inline]] bool number(const char*& at, T& value) noexcept {
    const bool negative = *at == '-';
    const char* const digits = at + (negative ? 1 : 0);
    others_ &= others_ - (negative ? 1 : 0);
    const char* const stop = next();
    const auto size = static_cast<std::uint64_t>(stop - digits);
    if (size - 1 >= 8) [[unlikely]]
      return slow(at, value);
    std::uint64_t text;
    std::memcpy(&text, digits, 8);
    const std::uint64_t magnitude = detail::digits_value(text, static_cast<unsigned>(size));
    const DecimalEnd read = detail::finish_integer(stop, negative, true, magnitude, value);
    at = stop;
    return read.status == DecimalStatus::ok;
  }

 private:
  // By value, so that the place in the line stays in registers.
  struct Block {
    const char* base;
    std::uint64_t others;
  };
  [[gnu::noinline]] static Block block_after(const char* base, const char* end) noexcept {
    if (end - base <= 192) return {base, std::uint64_t{1} << 63};  // each number has 64 bytes
    return {base + 64, detail::other_than_digits(base + 64)};
  }

  // Reads what is not as usual.
  template <class T>
  [[gnu::always_inline]] bool slow(const char*& at, T& value) noexcept {
    const Slow<T> read = read_slowly<T>(at, end_);
    if (read.end == nullptr) return false;
    value = read.value;
    at = read.end;
    base_ = at + 1;
    others_ = detail::other_than_digits(base_);
    return true;
  }
  template <class T>
  struct Slow {
    const char* end;  // NULL: it is not to be read here
    T value;
  };
  template <class T>
  [[gnu::noinline]] static Slow<T> read_slowly(const char* at, const char* end) noexcept {
    T value{};
    const DecimalEnd read = parse_decimal(at, end, value);
    const bool good = read.status == DecimalStatus::ok && end - read.end > line_bytes;
    return {good ? read.end : nullptr, value};
  }

  const char* base_;
  const char* end_;
  std::uint64_t others_;  // bits of the 64 bytes at base_ that are still to come
};

}  // namespace polycodec
