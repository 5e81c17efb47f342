// SPDX-License-Identifier: MIT
#include <model/mesh/colors.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace polycodec::mesh::detail {

void scale_fractions(std::array<const polycodec_array*, 3>& columns, Builder& out) {
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

const polycodec_array* color_bytes(Builder& out, const polycodec_array* column) {
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
