// SPDX-License-Identifier: MIT
// Colours: bytes, or fractions of one.
#pragma once

#include <polycodec/mesh/mesh.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace polycodec::mesh::detail {

/// Colours of integers that are no bytes: bytes all the same if all are small enough, fractions of what 16 bits hold.
template <std::size_t N>
void scale_colors(std::array<const polycodec_array*, N>& columns, Builder& out) {
  bool bytes = true;
  bool shorts = true;
  for (const polycodec_array* column : columns) {
    if (column == nullptr || !is_integer(Numbers(*column).dtype())) return;
    const Numbers numbers(*column);
    for (std::uint64_t i = 0; i < numbers.size(); ++i) {
      const std::int64_t value = numbers.integer(i);
      bytes = bytes && value >= 0 && value <= 255;
    }
    shorts = shorts && numbers.dtype() == POLYCODEC_UINT16;
  }
  for (const polycodec_array*& column : columns) {
    if (bytes && column->dtype != POLYCODEC_UINT8) column = copy_column<std::uint8_t>(out, column);
    if (bytes || !shorts) continue;
    const Numbers numbers(*column);
    auto* fractions = out.allocate<double>(numbers.size());
    for (std::uint64_t i = 0; i < numbers.size(); ++i) fractions[i] = numbers.real(i) / 65535;
    column = out.vector(std::span<const double>(fractions, static_cast<std::size_t>(numbers.size())));
  }
}

/// Colours that should be fractions of one, where some programs write bytes: bytes if that is what they must be.
inline void scale_fractions(std::array<const polycodec_array*, 3>& columns, Builder& out) {
  bool bytes = true;
  bool above = false;
  for (const polycodec_array* column : columns) {
    const Numbers numbers(*column);
    for (std::uint64_t i = 0; i < numbers.size(); ++i) {
      const double value = numbers.real(i);
      bytes = bytes && value >= 0 && value <= 255 && value == std::floor(value);
      above = above || value > 1;
    }
  }
  for (const polycodec_array*& column : columns) {
    if (bytes && above)
      column = copy_column<std::uint8_t>(out, column);
    else if (is_integer(Numbers(*column).dtype()))
      column = copy_column<double>(out, column);
  }
}

/// Colours as bytes, if each is a number that a byte of colour becomes (in single or in double precision).
inline const polycodec_array* color_bytes(Builder& out, const polycodec_array* column) {
  const Numbers from(*column);
  if (is_integer(from.dtype())) return column;
  auto* to = out.allocate<std::uint8_t>(from.size());
  for (std::uint64_t i = 0; i < from.size(); ++i) {
    const double value = from.real(i);
    if (!(value >= 0 && value <= 1)) return nullptr;
    const double byte = std::round(value * 255);
    if (static_cast<float>(byte / 255) != static_cast<float>(value)) return nullptr;
    to[i] = static_cast<std::uint8_t>(byte);
  }
  return out.vector(std::span<const std::uint8_t>(to, static_cast<std::size_t>(from.size())));
}

}  // namespace polycodec::mesh::detail
