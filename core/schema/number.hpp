// SPDX-License-Identifier: MIT
// Numbers of different types beside each other, by their values and exactly.
#pragma once

#include <base/json_number.hpp>
#include <polycodec/view.hpp>

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace polycodec::schema {

/// An integer or a float.
struct Number {
  bool whole = true;
  bool negative = false;
  text::Uint128 magnitude = 0;
  double real = 0;
  std::uint8_t width = 64;  ///< bits of the float that `real` was: its decimal is the shortest one
  std::string_view digits = {};  ///< of an integer beyond 128 bits: its magnitude

  static Number of(std::int64_t value) noexcept {
    return {true, value < 0,
            value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value)
                      : static_cast<std::uint64_t>(value)};
  }
  static Number of(std::uint64_t value) noexcept { return {true, false, value}; }
  static Number of(double value, std::uint8_t width = 64) noexcept {
    return {false, value < 0, 0, value, width};
  }
};

/// Integers of any size and floats of up to 64 bits; nothing for all others.
std::optional<Number> number_of(const View& item);

std::partial_ordering compare(const Number& a, const Number& b) noexcept;
/// True if `number` is an integer times `step`, which is not 0. A float is the decimal that it is
/// written as: 0.3 is three times 0.1.
bool is_multiple(const Number& number, const Number& step) noexcept;
/// The nearest one.
double to_double(const Number& number) noexcept;
std::string to_text(const Number& number);

}  // namespace polycodec::schema
