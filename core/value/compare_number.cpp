// SPDX-License-Identifier: MIT
#include "core/value/compare_number.hpp"

#include <base/civil.hpp>
#include <polycodec/detail/half.hpp>
#include <polycodec/dtype.hpp>

#include <cmath>
#include <cstring>
#include <optional>

namespace polycodec::detail {
namespace {

// A number as sign and 128-bit magnitude, or as a double; every integer and every float up to 64
// bits is one of them.
struct Number {
  enum Kind { integer, real, other } kind = other;
  bool negative = false;
  std::uint64_t high = 0, low = 0;  // magnitude
  double value = 0;
};

double float_at(const std::byte* p, std::uint32_t size) {
  if (size == 8) return load<double>(p, std::endian::native);
  if (size == 4) return static_cast<double>(load<float>(p, std::endian::native));
  return static_cast<double>(half_to_float(load<std::uint16_t>(p, std::endian::native)));
}

Number from_real(double value) {
  Number n;
  // An integral double of at most 128 bits is an integer, so that 2.0 meets 2; larger ones only
  // meet doubles.
  if (std::isfinite(value) && value == std::trunc(value) && std::fabs(value) < 0x1p128) {
    n.kind = Number::integer;
    n.negative = value < 0;
    const double magnitude = std::fabs(value);
    n.high = static_cast<std::uint64_t>(magnitude / 0x1p64);
    n.low = static_cast<std::uint64_t>(magnitude - static_cast<double>(n.high) * 0x1p64);
  } else {
    n.kind = Number::real;
    n.value = value;
  }
  return n;
}

Number from_wide(const std::byte* p, bool is_signed) {
  Number n;
  n.kind = Number::integer;
  constexpr bool little = std::endian::native == std::endian::little;
  n.low = load<std::uint64_t>(p + (little ? 0 : 8), std::endian::native);
  n.high = load<std::uint64_t>(p + (little ? 8 : 0), std::endian::native);
  n.negative = is_signed && (n.high >> 63) != 0;
  if (n.negative) {
    n.low = ~n.low + 1;
    n.high = ~n.high + (n.low == 0 ? 1 : 0);
  }
  return n;
}

Number number_of(const View& item) {
  Number n;
  n.kind = Number::integer;
  switch (item.kind()) {
    case POLYCODEC_KIND_SIGNED: {
      const std::int64_t value = item.as_int64();
      n.negative = value < 0;
      n.low = n.negative ? std::uint64_t{0} - static_cast<std::uint64_t>(value)
                         : static_cast<std::uint64_t>(value);
      return n;
    }
    case POLYCODEC_KIND_UNSIGNED:
      n.low = item.as_uint64();
      return n;
    case POLYCODEC_KIND_FLOAT:
      return from_real(item.as_double());
    default: {
      n.kind = Number::other;
      if (item.dtype() != POLYCODEC_DTYPE_INT128 && item.dtype() != POLYCODEC_DTYPE_UINT128)
        return n;
      std::byte bits[16] = {};
      item.copy_bits(bits);
      return from_wide(bits, item.dtype() == POLYCODEC_DTYPE_INT128);
    }
  }
}

bool same_real(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

/// A number as the closest double; NaN if it is not a Number.
double real_of(const Number& n) {
  if (n.kind == Number::real) return n.value;
  if (n.kind == Number::other) return std::nan("");
  const double magnitude = static_cast<double>(n.high) * 0x1p64 + static_cast<double>(n.low);
  return n.negative ? -magnitude : magnitude;
}

/// Seconds, and attoseconds from there on.
struct Exact {
  std::int64_t seconds;
  std::int64_t rest;
};

constexpr std::int64_t attoseconds = 1'000'000'000'000'000'000;

std::optional<std::int64_t> scaled(std::int64_t count, std::int64_t by) {
  if (count > INT64_MAX / by || count < INT64_MIN / by) return std::nullopt;
  return count * by;
}

Exact divided(std::int64_t count, std::int64_t per_second) {
  const std::int64_t rest = count % per_second;
  return {count / per_second - (rest < 0 ? 1 : 0),
          (rest < 0 ? rest + per_second : rest) * (attoseconds / per_second)};
}

bool is_of_months(std::uint32_t unit) {
  return unit == POLYCODEC_UNIT_YEAR || unit == POLYCODEC_UNIT_MONTH;
}

/// A timestamp or a duration that is not one of months; nothing for one that is too far away.
std::optional<Exact> exact(const polycodec_time& t, bool is_timestamp) {
  const auto of_seconds = [](std::optional<std::int64_t> seconds) {
    return seconds ? std::optional(Exact{*seconds, 0}) : std::nullopt;
  };
  switch (t.unit) {
    case POLYCODEC_UNIT_YEAR:
    case POLYCODEC_UNIT_MONTH: {
      const auto months = scaled(t.count, t.unit == POLYCODEC_UNIT_YEAR ? 12 : 1);
      if (!months || *months > max_months || *months < -max_months) return std::nullopt;
      return of_seconds(scaled(days_of_month(*months), 86400));
    }
    case POLYCODEC_UNIT_WEEK:
      return of_seconds(scaled(t.count, 604800));
    case POLYCODEC_UNIT_DAY:
      return of_seconds(scaled(t.count, 86400));
    case POLYCODEC_UNIT_HOUR:
      return of_seconds(scaled(t.count, 3600));
    case POLYCODEC_UNIT_MINUTE:
      return of_seconds(scaled(t.count, 60));
    case POLYCODEC_UNIT_PICOSECOND:
      return divided(t.count, 1'000'000'000'000);
    case POLYCODEC_UNIT_FEMTOSECOND:
      return divided(t.count, 1'000'000'000'000'000);
    case POLYCODEC_UNIT_ATTOSECOND:
      return divided(t.count, attoseconds);
    default: {
      if (is_timestamp) return Exact{t.count, std::int64_t{t.nanoseconds} * 1'000'000'000};
      std::int64_t per_second = 1;
      for (std::uint32_t unit = POLYCODEC_UNIT_SECOND; unit < t.unit; ++unit) per_second *= 1000;
      return divided(t.count, per_second);
    }
  }
}

}  // namespace

Deviation deviation(double a, double b) {
  if (same_real(a, b)) return {0, std::fabs(a)};
  return {std::fabs(a - b), std::fmax(std::fabs(a), std::fabs(b))};
}

bool is_tolerated(const Deviation& apart, const Tolerance& tolerance) {
  return (tolerance.absolute > 0 || tolerance.relative > 0) && std::isfinite(apart.absolute) &&
         apart.absolute <= std::max(tolerance.absolute, tolerance.relative * apart.magnitude);
}

Deviation deviation(const View& a, const View& b) {
  if (is_complex(a.dtype()) && is_complex(b.dtype())) {
    std::byte x[16] = {};
    std::byte y[16] = {};
    const std::uint32_t m = a.copy_bits(x) / 2;
    const std::uint32_t n = b.copy_bits(y) / 2;
    const Deviation real = deviation(float_at(x, m), float_at(y, n));
    const Deviation imaginary = deviation(float_at(x + m, m), float_at(y + n, n));
    return real.absolute >= imaginary.absolute ? real : imaginary;
  }
  return deviation(real_of(number_of(a)), real_of(number_of(b)));
}

bool same_bits(const View& a, const View& b) {
  std::byte x[16] = {};
  std::byte y[16] = {};
  const std::uint32_t size = a.copy_bits(x);
  return b.copy_bits(y) == size && std::memcmp(x, y, size) == 0;
}

bool same_number(const View& a, const View& b) {
  if (is_complex(a.dtype()) && is_complex(b.dtype())) {
    std::byte x[16] = {};
    std::byte y[16] = {};
    const std::uint32_t m = a.copy_bits(x) / 2;
    const std::uint32_t n = b.copy_bits(y) / 2;
    return same_real(float_at(x, m), float_at(y, n)) &&
           same_real(float_at(x + m, m), float_at(y + n, n));
  }
  const Number x = number_of(a);
  const Number y = number_of(b);
  if (x.kind != y.kind) return false;
  if (x.kind == Number::real) return same_real(x.value, y.value);
  if (x.kind == Number::integer)
    return x.negative == y.negative && x.high == y.high && x.low == y.low;
  return a.dtype() == b.dtype() && same_bits(a, b);
}

bool same_time(const polycodec_time& a, const polycodec_time& b, bool is_timestamp, bool any_unit) {
  const bool units =
      a.unit == b.unit || (any_unit && is_subsecond_unit(a.unit) && is_subsecond_unit(b.unit) &&
                           (is_timestamp || a.count == INT64_MIN));
  if (units) return a.count == b.count && a.nanoseconds == b.nanoseconds;
  if (!any_unit || a.count == INT64_MIN || b.count == INT64_MIN)
    return any_unit && a.count == b.count;
  if (!is_timestamp && (is_of_months(a.unit) || is_of_months(b.unit))) {
    const auto months = [](const polycodec_time& t) {
      return scaled(t.count, t.unit == POLYCODEC_UNIT_YEAR ? 12 : 1);
    };
    return is_of_months(a.unit) && is_of_months(b.unit) && months(a) && months(a) == months(b);
  }
  const auto x = exact(a, is_timestamp), y = exact(b, is_timestamp);
  return x && y && x->seconds == y->seconds && x->rest == y->rest;
}

}  // namespace polycodec::detail
