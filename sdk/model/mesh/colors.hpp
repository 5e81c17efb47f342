// SPDX-License-Identifier: MIT
// Colors: bytes, or fractions of one.
#pragma once

#include <model/mesh/mesh.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace polycodec::mesh::detail {

/// Colors of integers that are no bytes: bytes all the same if all are small enough, fractions of
/// what 16 bits hold.
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
    shorts = shorts && numbers.dtype() == POLYCODEC_DTYPE_UINT16;
  }
  for (const polycodec_array*& column : columns) {
    if (bytes && column->dtype != POLYCODEC_DTYPE_UINT8)
      column = copy_column<std::uint8_t>(out, column);
    if (bytes || !shorts) continue;
    const Numbers numbers(*column);
    auto* fractions = out.allocate<double>(numbers.size());
    for (std::uint64_t i = 0; i < numbers.size(); ++i) fractions[i] = numbers.real(i) / 65535;
    column =
        out.vector(std::span<const double>(fractions, static_cast<std::size_t>(numbers.size())));
  }
}

/// Colors that should be fractions of one, where some programs write bytes: bytes if that is what
/// they must be.
void scale_fractions(std::array<const polycodec_array*, 3>& columns, Builder& out);

/// Colors as bytes, if each is a number that a byte of color becomes (in single or in double
/// precision).
const polycodec_array* color_bytes(Builder& out, const polycodec_array* column);

}  // namespace polycodec::mesh::detail
