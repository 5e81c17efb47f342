// SPDX-License-Identifier: MIT
// The names of element types and time units in type notation.
#pragma once

#include <polycodec/dtype.hpp>

#include <cstdint>
#include <string_view>

namespace polycodec {

/// The name in type notation, such as "float64" or "complex[float64]"; "" for DTYPE_NONE, the times
/// and FIXED_*.
constexpr std::string_view dtype_name(std::uint32_t dtype) noexcept {
  // clang-format off
  constexpr std::string_view names[POLYCODEC_DTYPE_COUNT] = {
      "", "bool", "int8", "int16", "int32", "int64", "int128", "uint8", "uint16", "uint32",
      "uint64", "uint128", "float16", "float32", "float64", "float128", "complex[float16]",
      "complex[float32]", "complex[float64]", "", "", "", "", "", ""};
  // clang-format on
  return dtype < POLYCODEC_DTYPE_COUNT ? names[dtype] : std::string_view();
}

/// The letters of a time unit as numpy and the type notation write them ("ns", "M" for month, "m"
/// for minute).
constexpr std::string_view time_unit_name(std::uint32_t unit) noexcept {
  constexpr std::string_view names[POLYCODEC_UNIT_COUNT] = {
      "", "Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"};
  return unit < POLYCODEC_UNIT_COUNT ? names[unit] : std::string_view();
}

/// The unit with these letters, or POLYCODEC_UNIT_COUNT if there is none.
constexpr std::uint32_t time_unit_from_name(std::string_view name) noexcept {
  for (std::uint32_t unit = 0; unit < POLYCODEC_UNIT_COUNT; ++unit)
    if (time_unit_name(unit) == name) return unit;
  return POLYCODEC_UNIT_COUNT;
}

}  // namespace polycodec
