// SPDX-License-Identifier: MIT
// Comparing numbers of different types by their values, exactly.
#pragma once

#include <polycodec/view.hpp>

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

namespace polycodec::schema {

/// An integer of 64 bits and a sign, or a double.
struct Number {
  bool whole = true;
  bool negative = false;
  std::uint64_t magnitude = 0;
  double real = 0;

  static Number of(std::int64_t value) noexcept {
    return {true, value < 0,
            value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value)
                      : static_cast<std::uint64_t>(value),
            0};
  }
  static Number of(std::uint64_t value) noexcept { return {true, false, value, 0}; }
  static Number of(double value) noexcept { return {false, value < 0, 0, value}; }
};

/// Integers of up to 64 bits and floats; integers of 128 bits as the nearest double. Nothing for
/// all others.
std::optional<Number> number_of(const View& item);

std::partial_ordering compare(const Number& a, const Number& b) noexcept;
/// Of two integers exactly; of others within the rounding of the quotient.
bool is_multiple(const Number& number, const Number& step) noexcept;
std::string to_text(const Number& number);

}  // namespace polycodec::schema
