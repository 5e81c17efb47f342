// SPDX-License-Identifier: MIT
// Days of the proleptic Gregorian calendar.
#pragma once

#include <cstdint>

namespace polycodec {

/// The most months before or after January 1970 that days_of_month() takes.
inline constexpr std::int64_t max_months = std::int64_t{12} * 400'000'000'000;

/// Days from 1970-01-01 to the first day of a month, counted from January 1970.
constexpr std::int64_t days_of_month(std::int64_t month) noexcept {
  // Years that start in March put the leap day last; eras of 400 years repeat exactly.
  const std::int64_t shifted = month + 1970 * 12 - 2;
  const std::int64_t year = shifted >= 0 ? shifted / 12 : -((-shifted + 11) / 12);
  const std::int64_t month_of_year = shifted - year * 12;
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t day_of_year = (153 * month_of_year + 2) / 5;
  const std::int64_t day_of_era =
      year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 719468;
}

}  // namespace polycodec
