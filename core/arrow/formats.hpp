// SPDX-License-Identifier: MIT
// Arrow's words for numbers and times.
#pragma once

#include <polycodec/dtype.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace polycodec {

struct NumberFormat {
  char letter;
  std::uint32_t dtype;
};
inline constexpr NumberFormat number_formats[] = {
    {'c', POLYCODEC_DTYPE_INT8},    {'C', POLYCODEC_DTYPE_UINT8},   {'s', POLYCODEC_DTYPE_INT16},
    {'S', POLYCODEC_DTYPE_UINT16},  {'i', POLYCODEC_DTYPE_INT32},   {'I', POLYCODEC_DTYPE_UINT32},
    {'l', POLYCODEC_DTYPE_INT64},   {'L', POLYCODEC_DTYPE_UINT64},  {'e', POLYCODEC_DTYPE_FLOAT16},
    {'f', POLYCODEC_DTYPE_FLOAT32}, {'g', POLYCODEC_DTYPE_FLOAT64},
};

inline std::uint32_t number_dtype(std::string_view format) noexcept {
  if (format.size() == 1)
    for (const auto& known : number_formats)
      if (known.letter == format[0]) return known.dtype;
  return POLYCODEC_DTYPE_NONE;
}

/// Empty for what is no such number.
inline std::string number_format(std::uint32_t dtype) {
  for (const auto& known : number_formats)
    if (known.dtype == dtype) return {known.letter};
  return {};
}

/// A unit of ours as so many of a unit of Arrow.
struct TimeFormat {
  char letter;
  std::uint32_t unit;
  std::int64_t factor;
};
inline constexpr TimeFormat time_formats[] = {
    {'s', POLYCODEC_UNIT_SECOND, 1},      {'m', POLYCODEC_UNIT_MILLISECOND, 1},
    {'u', POLYCODEC_UNIT_MICROSECOND, 1}, {'n', POLYCODEC_UNIT_NANOSECOND, 1},
    {'s', POLYCODEC_UNIT_MINUTE, 60},     {'s', POLYCODEC_UNIT_HOUR, 3600},
    {'s', POLYCODEC_UNIT_DAY, 86400},     {'s', POLYCODEC_UNIT_WEEK, 604800},
};

/// The unit that a letter stands for itself.
inline std::uint32_t sub_second_unit(char letter) noexcept {
  for (const auto& known : time_formats)
    if (known.letter == letter) return known.unit;
  return POLYCODEC_UNIT_NONE;
}

/// Arrow's format of a time, and how many of its units one of ours is; an empty format if there is
/// none.
inline std::pair<std::string, std::int64_t> time_format(bool point, std::uint32_t unit) {
  for (const auto& known : time_formats)
    if (known.unit == unit)
      return {(point ? "ts" : "tD") + std::string(1, known.letter) + (point ? ":" : ""),
              known.factor};
  return {};
}

}  // namespace polycodec
