// SPDX-License-Identifier: MIT
// In blocks that stay in the nearest cache: elements are widened, converted, and narrowed with
// their checks, each in a loop of its own.
#include "cast.hpp"

#include <base/article.hpp>
#include <base/dtype_names.hpp>
#include <base/number_type.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/detail/half.hpp>
#include <polycodec/dtype.hpp>

#include "number.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace polycodec::schema {
namespace {

constexpr std::size_t block_size = 512;

// Calls with a value of the type that a dtype (of a part, for complex numbers) stands for.
template <class Call>
void with_type(std::uint32_t dtype, Call&& call) {
  with_number_type(is_complex(dtype) ? part_dtype(dtype) : dtype, call, [] {});
}

template <class Wide>
using Block = std::array<Wide, block_size>;

template <class Wide>
void widen(std::uint32_t dtype, const std::byte* from, std::size_t count, Wide* to) {
  with_type(dtype, [&](auto zero) {
    using T = decltype(zero);
    for (std::size_t i = 0; i < count; ++i) {
      to[i] = static_cast<Wide>(value_of(load<T>(from + i * sizeof(T), std::endian::native)));
    }
  });
}

std::string shown(double x) {
  return to_text(Number::of(x));
}
template <class Whole>
std::string shown(Whole x) {
  return to_text(Number::of(x));
}

template <class Wide>
std::string out_of_range(Wide value, std::uint32_t dtype) {
  return shown(value) + " is out of the range of " + std::string(dtype_name(dtype));
}

// Stops at the first element that does not fit; returns how many did.
template <class Wide>
std::size_t narrow(const CastRules& rules, const Wide* from, std::size_t count, std::byte* to,
                   std::string& reason) {
  std::size_t done = 0;
  with_type(rules.to, [&](auto zero) {
    using T = decltype(zero);
    for (; done < count; ++done) {
      const Wide value = from[done];
      T made{};
      if constexpr (std::is_same_v<T, Half> || std::is_floating_point_v<T>) {
        const auto real = static_cast<double>(value);
        double back = 0;
        if constexpr (std::is_same_v<T, Half>) {
          made = static_cast<Half>(double_to_half(real));
          back = static_cast<double>(value_of(made));
        } else {
          made = static_cast<T>(value);
          back = static_cast<double>(made);
        }
        if (std::isinf(back) && !std::isinf(real)) {
          reason = out_of_range(value, rules.to);
          return;
        }
        if (rules.rounding == Rounding::none) {
          bool same = back == real || std::isnan(real);
          if constexpr (std::is_integral_v<Wide>)
            same =
                compare(Number::of(value), Number::of(back)) == std::partial_ordering::equivalent;
          if (!same) {
            reason = shown(value) + " is not exactly " + with_article(dtype_name(rules.to));
            return;
          }
        }
      } else if constexpr (std::is_integral_v<Wide>) {
        if (!std::in_range<T>(value)) {
          reason = out_of_range(value, rules.to);
          return;
        }
        made = static_cast<T>(value);
      } else {
        const double whole = rules.rounding == Rounding::all ? std::nearbyint(value) : value;
        if (!(whole == std::trunc(whole)) || std::isinf(whole)) {
          reason = shown(value) + " is not an integer" +
                   (std::isfinite(value) ? "; rounding was not asked for" : "");
          return;
        }
        // The limits of T as doubles: both are exact, the upper one is one beyond.
        constexpr double least = static_cast<double>(std::numeric_limits<T>::min());
        constexpr double beyond =
            2.0 * static_cast<double>(std::uint64_t{1} << (std::numeric_limits<T>::digits - 1));
        if (!(whole >= least && whole < beyond)) {
          reason = out_of_range(value, rules.to);
          return;
        }
        made = static_cast<T>(whole);
      }
      std::memcpy(to + done * sizeof(T), &made, sizeof(T));
    }
  });
  return done;
}

// Exact arithmetic on integers: value * multiplier / divisor.
template <class Whole>
bool convert_exactly(Whole& value, Whole multiplier, Whole divisor, Rounding rounding,
                     std::string& reason) {
  const Whole before = value;
  if (__builtin_mul_overflow(value, multiplier, &value)) {
    reason = shown(before) + " in the wanted unit is out of range";
    return false;
  }
  const Whole rest = static_cast<Whole>(value % divisor);
  value = static_cast<Whole>(value / divisor);
  if (rest == 0) return true;
  if (rounding != Rounding::all) {
    reason = shown(before) + " is " +
             shown(static_cast<double>(before) * static_cast<double>(multiplier) /
                   static_cast<double>(divisor)) +
             " in the wanted unit, which is not an integer; rounding was not asked for";
    return false;
  }
  const bool negative = rest < 0;
  const Whole size = negative ? static_cast<Whole>(-rest) : rest;
  const Whole other = static_cast<Whole>(divisor - size);
  if (size > other || (size == other && value % 2 != 0))
    value = static_cast<Whole>(negative ? value - 1 : value + 1);
  return true;
}

bool is_exact_factor(double factor) noexcept {
  return factor >= 1 && factor < 0x1p62 && factor == std::trunc(factor);
}

// The number that an integer is in another unit, where its factors are not integers: what rounding
// of the arithmetic did is taken back.
double settled(double value, double before, bool has_offset) noexcept {
  const double nearest = std::nearbyint(value);
  const double slack = has_offset ? 1e-12 * std::max({std::fabs(value), std::fabs(before), 1000.0})
                                  : 4 * std::numeric_limits<double>::epsilon() * std::fabs(value);
  return std::fabs(value - nearest) <= slack ? nearest : value;
}

template <class Whole>
std::size_t cast_whole(const CastRules& rules, const std::byte* from, std::size_t count,
                       std::byte* to, std::string& reason) {
  Block<Whole> block;
  widen(rules.from, from, count, block.data());
  if (rules.units == nullptr) return narrow(rules, block.data(), count, to, reason);
  if (is_integer(rules.to) && !rules.units->has_offset() &&
      is_exact_factor(rules.units->multiplier()) && is_exact_factor(rules.units->divisor())) {
    const auto multiplier = static_cast<Whole>(rules.units->multiplier());
    const auto divisor = static_cast<Whole>(rules.units->divisor());
    std::size_t good = 0;
    while (good < count &&
           convert_exactly(block[good], multiplier, divisor, rules.rounding, reason))
      ++good;
    std::string later;
    const std::size_t done = narrow(rules, block.data(), good, to, later);
    if (done < good) reason = later;
    return done;
  }
  Block<double> real;
  for (std::size_t i = 0; i < count; ++i) real[i] = static_cast<double>(block[i]);
  rules.units->apply({real.data(), count});
  if (is_integer(rules.to)) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto before = static_cast<double>(block[i]);
      if (std::fabs(before) > 0x1p53) {
        reason = shown(block[i]) + " can't be converted exactly";
        return narrow(rules, real.data(), i, to, reason);
      }
      real[i] = settled(real[i], before, rules.units->has_offset());
    }
  }
  return narrow(rules, real.data(), count, to, reason);
}

std::size_t cast_real(const CastRules& rules, const std::byte* from, std::size_t count,
                      std::byte* to, std::string& reason) {
  Block<double> block;
  widen(rules.from, from, count, block.data());
  if (rules.units != nullptr) {
    Block<double> before = block;
    rules.units->apply({block.data(), count});
    if (is_integer(rules.to))
      for (std::size_t i = 0; i < count; ++i)
        block[i] = settled(block[i], before[i], rules.units->has_offset());
  }
  return narrow(rules, block.data(), count, to, reason);
}

// `count` complex numbers to complex or, where there is no imaginary part, to other numbers.
std::size_t cast_complex(const CastRules& rules, const std::byte* from, std::size_t count,
                         std::byte* to, std::string& reason) {
  Block<double> block;
  widen(rules.from, from, 2 * count, block.data());
  if (rules.units != nullptr) rules.units->apply({block.data(), 2 * count});
  if (is_complex(rules.to)) return narrow(rules, block.data(), 2 * count, to, reason) / 2;
  std::size_t real = 0;
  for (; real < count; ++real) {
    if (block[2 * real + 1] != 0) {
      reason = "the number has an imaginary part";
      break;
    }
    block[real] = block[2 * real];
  }
  std::string later;
  const std::size_t done = narrow(rules, block.data(), real, to, later);
  if (done < real) reason = later;
  return done;
}

// Other numbers to complex ones: zero is their imaginary part.
std::size_t cast_to_complex(const CastRules& rules, const std::byte* from, std::size_t count,
                            std::byte* to, std::string& reason) {
  Block<double> block;
  widen(rules.from, from, count, block.data());
  if (rules.units != nullptr) rules.units->apply({block.data(), count});
  Block<double> pairs;
  for (std::size_t i = 0; i < count; ++i) pairs[2 * i] = block[i], pairs[2 * i + 1] = 0;
  return narrow(rules, pairs.data(), 2 * count, to, reason) / 2;
}

}  // namespace

std::optional<CastFailure> cast_elements(const CastRules& rules, const std::byte* from,
                                         std::uint64_t count, std::byte* to) {
  const bool complex = is_complex(rules.from) || is_complex(rules.to);
  const std::size_t step = complex ? block_size / 2 : block_size;
  const auto cast = is_complex(rules.from)            ? cast_complex
                    : is_complex(rules.to)            ? cast_to_complex
                    : is_signed_integer(rules.from)   ? cast_whole<std::int64_t>
                    : is_unsigned_integer(rules.from) ? cast_whole<std::uint64_t>
                                                      : cast_real;
  for (std::uint64_t at = 0; at < count;) {
    const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(step, count - at));
    std::string reason;
    const std::size_t done = cast(rules, from, part, to, reason);
    if (done != part) return CastFailure{at + done, std::move(reason)};
    at += part;
    from += part * dtype_size(rules.from);
    to += part * dtype_size(rules.to);
  }
  return std::nullopt;
}

}  // namespace polycodec::schema
