// SPDX-License-Identifier: MIT
// The alphabet of base64, both ways.
#pragma once

#include <array>
#include <cstdint>

namespace polycodec::detail {

inline constexpr char base64_alphabet[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// For each byte its value in the alphabet, or 255.
inline constexpr std::array<std::uint8_t, 256> base64_values = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(255);
  for (std::uint8_t i = 0; i < 64; ++i) values[static_cast<std::uint8_t>(base64_alphabet[i])] = i;
  return values;
}();

}  // namespace polycodec::detail
