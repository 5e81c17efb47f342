// SPDX-License-Identifier: MIT
// The names of time units in type notation; those of element types are in polycodec/dtype.hpp.
#pragma once

#include <polycodec/dtype.hpp>

#include <cstdint>
#include <string_view>

namespace polycodec {

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
