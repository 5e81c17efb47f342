// SPDX-License-Identifier: MIT
// Numbers of typed JSON: exact both ways, and independent of the locale.
#pragma once

#include <polycodec/builder.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace polycodec::text {

__extension__ typedef unsigned __int128 Uint128;
__extension__ typedef __int128 Int128;

/// The most characters that one write_* call writes.
inline constexpr std::size_t max_number_size = 48;

/// Each writes to `out`, which has room for max_number_size characters, and returns the end.
char* write_signed(char* out, std::int64_t value) noexcept;
char* write_unsigned(char* out, std::uint64_t value) noexcept;
char* write_unsigned128(char* out, Uint128 value) noexcept;
char* write_signed128(char* out, Int128 value) noexcept;
/// Shortest decimals that read back as the same number of the same width, laid out as Python's repr
/// does: a point and a digit after it from 1e-4 up to 1e16, otherwise an exponent. The numbers are
/// finite.
char* write_double(char* out, double value) noexcept;
char* write_float(char* out, float value) noexcept;
char* write_half(char* out, std::uint16_t bits) noexcept;

/// True if a JSON number has neither fraction nor exponent.
inline bool is_integer_token(std::string_view token) noexcept {
  return token.find_first_of(".eE") == token.npos;
}

/// An integer of up to 128 bits beside its sign.
struct Integer {
  bool negative = false;
  Uint128 magnitude = 0;

  bool fits_signed(unsigned bits) const noexcept {
    const Uint128 most = Uint128{1} << (bits - 1);
    return negative ? magnitude <= most : magnitude < most;
  }
  bool fits_unsigned(unsigned bits) const noexcept {
    return (!negative || magnitude == 0) && (bits == 128 || magnitude >> (bits % 128) == 0);
  }
  /// Two's complement.
  Uint128 bits() const noexcept { return negative ? Uint128{0} - magnitude : magnitude; }
};

/// The integer of a JSON number without fraction and exponent; nothing if it does not fit 128 bits.
std::optional<Integer> read_integer(std::string_view token) noexcept;

/// The float nearest to a JSON number; nothing if it is too great for the width. Too small ones
/// become 0.
std::optional<double> read_double(std::string_view token) noexcept;
std::optional<float> read_float(std::string_view token) noexcept;
std::optional<std::uint16_t> read_half(std::string_view token) noexcept;

/// A node for a JSON number of unknown type: int64, else uint64, int128, uint128, else float64.
/// Throws Error(range) with the detail word `json.number` if none holds it.
polycodec_node number_node(Builder& builder, std::string_view token);

}  // namespace polycodec::text
