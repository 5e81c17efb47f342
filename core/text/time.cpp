// SPDX-License-Identifier: MIT
#include "core/text/time.hpp"

#include <polycodec/dtype.hpp>

#include <cstring>

namespace polycodec::text {

namespace {

constexpr Int128 floor_divide(Int128 a, Int128 b) noexcept {
  return a / b - (a % b < 0 ? 1 : 0);
}

struct Date {
  Int128 year;
  unsigned month, day;
};

// Days count from 1 March of year 0 in eras of 400 years, in which leap days are at the end of
// the year.
Date date_of(Int128 days) noexcept {
  days += 719468;
  const Int128 era = floor_divide(days, 146097);
  const auto day_of_era = static_cast<unsigned>(days - era * 146097);
  const unsigned year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const unsigned day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const unsigned shifted = (5 * day_of_year + 2) / 153;  // months since March
  const unsigned month = shifted < 10 ? shifted + 3 : shifted - 9;
  return {era * 400 + year_of_era + (month <= 2 ? 1 : 0), month,
          day_of_year - (153 * shifted + 2) / 5 + 1};
}

Int128 days_of(const Date& date) noexcept {
  const Int128 year = date.year - (date.month <= 2 ? 1 : 0);
  const Int128 era = floor_divide(year, 400);
  const auto year_of_era = static_cast<unsigned>(year - era * 400);
  const unsigned shifted = date.month > 2 ? date.month - 3 : date.month + 9;
  const unsigned day_of_year = (153 * shifted + 2) / 5 + date.day - 1;
  return era * 146097 + (year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year) -
         719468;
}

char* put_digits(char* out, std::uint64_t value, int digits) noexcept {
  for (int i = digits - 1; i >= 0; --i, value /= 10) out[i] = static_cast<char>('0' + value % 10);
  return out + digits;
}

char* put_year(char* out, Int128 year) noexcept {
  if (year >= 0 && year <= 9999) return put_digits(out, static_cast<std::uint64_t>(year), 4);
  *out++ = year < 0 ? '-' : '+';
  const Uint128 magnitude = static_cast<Uint128>(year < 0 ? -year : year);
  return magnitude < 1000000 ? put_digits(out, static_cast<std::uint64_t>(magnitude), 6)
                             : write_unsigned128(out, magnitude);
}

/// Units of time in one second, for the units from s to as.
constexpr std::int64_t per_second(std::uint32_t unit) noexcept {
  std::int64_t count = 1;
  for (std::uint32_t u = POLYCODEC_UNIT_SECOND; u < unit; ++u) count *= 1000;
  return count;
}

bool is_leap(Int128 year) noexcept {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

unsigned days_in(Int128 year, unsigned month) noexcept {
  constexpr unsigned char days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : days[month - 1];
}

/// Reads fixed-width numbers off the front of a text.
struct Digits {
  std::string_view text;

  bool accept(char c) noexcept {
    if (text.empty() || text.front() != c) return false;
    text.remove_prefix(1);
    return true;
  }
  std::size_t count() const noexcept {
    std::size_t n = 0;
    while (n < text.size() && text[n] >= '0' && text[n] <= '9') ++n;
    return n;
  }
  std::uint64_t take(std::size_t n) noexcept {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < n; ++i)
      value = value * 10 + static_cast<std::uint64_t>(text[i] - '0');
    text.remove_prefix(n);
    return value;
  }
  bool two(unsigned least, unsigned most, unsigned& value) noexcept {
    if (count() < 2) return false;
    value = static_cast<unsigned>(take(2));
    return value >= least && value <= most;
  }
};

bool read_year(Digits& in, Int128& year) noexcept {
  const bool negative = in.accept('-');
  const bool expanded = negative || in.accept('+');
  const std::size_t digits = in.count();
  if (expanded ? digits < 6 || digits > 19 : digits != 4) return false;
  year = static_cast<Int128>(in.take(digits));
  if (negative) year = -year;
  return !(negative && year == 0);
}

bool read_clock(Digits& in, ReadTime& time) noexcept {
  unsigned hour = 0, minute = 0, second = 0;
  if (!in.two(0, 23, hour)) return false;
  time.unit = POLYCODEC_UNIT_HOUR;
  if (in.accept(':')) {
    if (!in.two(0, 59, minute)) return false;
    time.unit = POLYCODEC_UNIT_MINUTE;
    if (in.accept(':')) {
      if (!in.two(0, 59, second)) return false;
      time.unit = POLYCODEC_UNIT_SECOND;
      if (in.accept('.')) {
        const std::size_t digits = in.count();
        if (digits == 0 || digits > 18) return false;
        time.attoseconds = in.take(digits);
        for (std::size_t i = digits; i < 18; ++i) time.attoseconds *= 10;
        time.unit = POLYCODEC_UNIT_SECOND + static_cast<std::uint32_t>((digits + 2) / 3);
      }
    }
  }
  time.seconds = (hour * 60u + minute) * 60u + second;
  in.accept('Z');
  return in.text.empty();
}

std::optional<std::int64_t> narrow(Int128 count) noexcept {
  // The least int64 means "not a time".
  if (count <= INT64_MIN || count > INT64_MAX) return std::nullopt;
  return static_cast<std::int64_t>(count);
}

}  // namespace

polycodec_time split_count(std::int64_t count, std::uint32_t unit) noexcept {
  if (count == not_a_time || !is_subsecond_unit(unit)) return {count, 0, unit};
  const std::int64_t per = per_second(unit);
  const auto seconds = static_cast<std::int64_t>(floor_divide(count, per));
  const auto rest = static_cast<std::int64_t>(Int128{count} - Int128{seconds} * per);
  return {seconds, static_cast<std::uint32_t>(rest * (1000000000 / per)), unit};
}

bool is_whole(const polycodec_time& time) noexcept {
  return !is_subsecond_unit(time.unit) ||
         time.nanoseconds % (1000000000 / per_second(time.unit)) == 0;
}

std::optional<std::int64_t> join_count(const polycodec_time& time) noexcept {
  if (time.count == not_a_time || !is_subsecond_unit(time.unit)) return time.count;
  if (!is_whole(time)) return std::nullopt;
  const std::int64_t per = per_second(time.unit);
  return narrow(Int128{time.count} * per + time.nanoseconds / (1000000000 / per));
}

char* write_time(char* out, const polycodec_time& time) noexcept {
  const Int128 count = time.count;
  if (time.unit == POLYCODEC_UNIT_YEAR) return put_year(out, count + 1970);
  if (time.unit == POLYCODEC_UNIT_MONTH) {
    const Int128 years = floor_divide(count, 12);
    out = put_year(out, years + 1970);
    *out++ = '-';
    return put_digits(out, static_cast<std::uint64_t>(count - years * 12) + 1, 2);
  }
  std::int64_t per_day = 1;
  if (time.unit == POLYCODEC_UNIT_HOUR) per_day = 24;
  if (time.unit == POLYCODEC_UNIT_MINUTE) per_day = 1440;
  Int128 seconds = count;
  std::uint64_t fraction = time.nanoseconds;
  int digits = is_whole(time) ? 3 * static_cast<int>(time.unit - POLYCODEC_UNIT_SECOND) : 9;
  if (time.unit > POLYCODEC_UNIT_NANOSECOND) {
    seconds = floor_divide(count, per_second(time.unit));
    fraction = static_cast<std::uint64_t>(count - seconds * per_second(time.unit));
  } else if (time.unit >= POLYCODEC_UNIT_SECOND) {
    for (int i = digits; i < 9; ++i) fraction /= 10;
  }
  if (time.unit >= POLYCODEC_UNIT_SECOND) per_day = 86400;
  const Int128 days = time.unit == POLYCODEC_UNIT_WEEK ? count * 7 : floor_divide(seconds, per_day);
  const Date date = date_of(days);
  out = put_year(out, date.year);
  *out++ = '-';
  out = put_digits(out, date.month, 2);
  *out++ = '-';
  out = put_digits(out, date.day, 2);
  if (time.unit <= POLYCODEC_UNIT_DAY) return out;
  const auto in_day = static_cast<std::uint64_t>(seconds - days * per_day);
  *out++ = 'T';
  out = put_digits(out, in_day * 24 / static_cast<std::uint64_t>(per_day), 2);
  if (time.unit >= POLYCODEC_UNIT_MINUTE) {
    *out++ = ':';
    out = put_digits(out, in_day * 1440 / static_cast<std::uint64_t>(per_day) % 60, 2);
  }
  if (time.unit >= POLYCODEC_UNIT_SECOND) {
    *out++ = ':';
    out = put_digits(out, in_day % 60, 2);
    if (digits > 0) {
      *out++ = '.';
      out = put_digits(out, fraction, digits);
    }
  }
  *out++ = 'Z';
  return out;
}

std::optional<ReadTime> read_time(std::string_view text) noexcept {
  Digits in{text};
  ReadTime time;
  Date date{0, 1, 1};
  if (!read_year(in, date.year)) return std::nullopt;
  time.unit = POLYCODEC_UNIT_YEAR;
  if (in.accept('-')) {
    if (!in.two(1, 12, date.month)) return std::nullopt;
    time.unit = POLYCODEC_UNIT_MONTH;
    if (in.accept('-')) {
      if (!in.two(1, days_in(date.year, date.month), date.day)) return std::nullopt;
      time.unit = POLYCODEC_UNIT_DAY;
    }
  }
  time.months = (date.year - 1970) * 12 + date.month - 1;
  time.days = days_of(date);
  if (in.text.empty()) return time;
  if (time.unit != POLYCODEC_UNIT_DAY || !in.accept('T') || !read_clock(in, time))
    return std::nullopt;
  return time;
}

std::optional<polycodec_time> to_time(const ReadTime& time, std::uint32_t unit) noexcept {
  const Int128 seconds = time.days * 86400 + static_cast<Int128>(time.seconds);
  const auto whole = [&](Int128 count, bool exact,
                         std::uint32_t nanoseconds = 0) -> std::optional<polycodec_time> {
    const auto narrowed = narrow(count);
    if (!exact || !narrowed) return std::nullopt;
    return polycodec_time{*narrowed, nanoseconds, unit};
  };
  const bool midnight = time.seconds == 0 && time.attoseconds == 0;
  switch (unit) {
    case POLYCODEC_UNIT_YEAR: {
      const Int128 years = floor_divide(time.months, 12);
      return whole(years, midnight && days_of({years + 1970, 1, 1}) == time.days);
    }
    case POLYCODEC_UNIT_MONTH:
      return whole(time.months, midnight && date_of(time.days).day == 1);
    case POLYCODEC_UNIT_WEEK:
      return whole(floor_divide(time.days, 7), midnight && time.days % 7 == 0);
    case POLYCODEC_UNIT_DAY:
      return whole(time.days, midnight);
    case POLYCODEC_UNIT_HOUR:
      return whole(floor_divide(seconds, 3600), time.attoseconds == 0 && time.seconds % 3600 == 0);
    case POLYCODEC_UNIT_MINUTE:
      return whole(floor_divide(seconds, 60), time.attoseconds == 0 && time.seconds % 60 == 0);
    case POLYCODEC_UNIT_PICOSECOND:
    case POLYCODEC_UNIT_FEMTOSECOND:
    case POLYCODEC_UNIT_ATTOSECOND: {
      // Bounded before it is multiplied: 1e19 days of 86400 seconds of 1e18 parts would leave 128
      // bits.
      if (seconds > INT64_MAX / 1000 || seconds < INT64_MIN / 1000) return std::nullopt;
      const std::uint64_t step =
          1000000000000000000u / static_cast<std::uint64_t>(per_second(unit));
      return whole(seconds * per_second(unit) + time.attoseconds / step,
                   time.attoseconds % step == 0);
    }
    default:
      return whole(seconds, is_subsecond_unit(unit) && time.attoseconds % 1000000000 == 0,
                   static_cast<std::uint32_t>(time.attoseconds / 1000000000));
  }
}

}  // namespace polycodec::text
