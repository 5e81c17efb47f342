// SPDX-License-Identifier: MIT
#include <base/civil.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/error.hpp>

#include "ndarray.hpp"

namespace polycodec::msgpack_ndarray {
namespace {

// `count` times so many seconds.
std::optional<Timestamp> multiplied(std::int64_t count, std::int64_t seconds) noexcept {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(count, seconds, &result)) return std::nullopt;
  return Timestamp{result, 0};
}

// `count` units of which there are `per_second`, a multiple of 10^9.
std::optional<Timestamp> divided(std::int64_t count, std::int64_t per_second) noexcept {
  std::int64_t seconds = count / per_second;
  std::int64_t rest = count % per_second;
  if (rest < 0) {
    rest += per_second;
    --seconds;
  }
  const std::int64_t per_nanosecond = per_second / 1'000'000'000;
  if (rest % per_nanosecond != 0) return std::nullopt;
  return Timestamp{seconds, static_cast<std::uint32_t>(rest / per_nanosecond)};
}

std::optional<Timestamp> start_of_month(std::int64_t month) {
  if (month > max_months || month < -max_months) return std::nullopt;
  return multiplied(days_of_month(month), 86400);
}

}  // namespace

std::optional<Timestamp> read_timestamp(std::string_view body) noexcept {
  Timestamp time;
  if (body.size() == 4) {
    time.seconds = load_be<std::uint32_t>(body.data());
  } else if (body.size() == 8) {
    const auto bits = load_be<std::uint64_t>(body.data());
    time.seconds = static_cast<std::int64_t>(bits & ((std::uint64_t{1} << 34) - 1));
    time.nanoseconds = static_cast<std::uint32_t>(bits >> 34);
  } else if (body.size() == 12) {
    time.nanoseconds = load_be<std::uint32_t>(body.data());
    time.seconds = load_be<std::int64_t>(body.data() + 4);
  } else {
    return std::nullopt;
  }
  if (time.nanoseconds > 999'999'999) return std::nullopt;
  return time;
}

std::uint32_t write_timestamp(const Timestamp& time, std::uint8_t* out) noexcept {
  const auto seconds = static_cast<std::uint64_t>(time.seconds);
  if (seconds >> 34 != 0) {
    out[0] = 0xc7;
    out[1] = 12;
    out[2] = 0xff;
    store_be(out + 3, time.nanoseconds);
    store_be(out + 7, time.seconds);
    return 15;
  }
  if (time.nanoseconds != 0 || seconds >> 32 != 0) {
    out[0] = 0xd7;
    out[1] = 0xff;
    store_be(out + 2, std::uint64_t{time.nanoseconds} << 34 | seconds);
    return 10;
  }
  out[0] = 0xd6;
  out[1] = 0xff;
  store_be(out + 2, static_cast<std::uint32_t>(seconds));
  return 6;
}

std::optional<Timestamp> to_timestamp(const polycodec_time& time) {
  if (time.count == INT64_MIN) return std::nullopt;
  switch (time.unit) {
    case POLYCODEC_UNIT_SECOND:
    case POLYCODEC_UNIT_MILLISECOND:
    case POLYCODEC_UNIT_MICROSECOND:
    case POLYCODEC_UNIT_NANOSECOND:
      if (time.nanoseconds > 999'999'999)
        throw Error(Status::invalid, "a date has more than 999999999 nanoseconds");
      return Timestamp{time.count, time.nanoseconds};
    case POLYCODEC_UNIT_MINUTE:
      return multiplied(time.count, 60);
    case POLYCODEC_UNIT_HOUR:
      return multiplied(time.count, 3600);
    case POLYCODEC_UNIT_DAY:
      return multiplied(time.count, 86400);
    case POLYCODEC_UNIT_WEEK:
      return multiplied(time.count, 604800);
    case POLYCODEC_UNIT_MONTH:
      return start_of_month(time.count);
    case POLYCODEC_UNIT_YEAR:
      return time.count > max_months / 12 || time.count < -max_months / 12
                 ? std::nullopt
                 : start_of_month(time.count * 12);
    case POLYCODEC_UNIT_PICOSECOND:
      return divided(time.count, 1'000'000'000'000);
    case POLYCODEC_UNIT_FEMTOSECOND:
      return divided(time.count, 1'000'000'000'000'000);
    case POLYCODEC_UNIT_ATTOSECOND:
      return divided(time.count, 1'000'000'000'000'000'000);
    default:
      throw Error(Status::invalid, "a date has no unit");
  }
}

}  // namespace polycodec::msgpack_ndarray
