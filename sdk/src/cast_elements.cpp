// SPDX-License-Identifier: MIT
#include <base/cast_elements.hpp>
#include <base/number_type.hpp>
#include <base/swap_copy.hpp>
#include <polycodec/byte_order.hpp>

#include <bit>
#include <cmath>
#include <concepts>
#include <cstring>
#include <limits>
#include <utility>

namespace polycodec::detail {
namespace {

/// Sets `to` if it is exactly `from`. Every NaN, and -0.0 as an integer, is left to others.
template <class To, class From>
bool put(From from, To& to) noexcept {
  if constexpr (std::integral<From> && std::integral<To>) {
    to = static_cast<To>(from);
    return std::in_range<To>(from);
  } else if constexpr (std::integral<From>) {
    constexpr auto most = std::int64_t{1} << std::numeric_limits<To>::digits;
    to = static_cast<To>(from);
    return std::cmp_less_equal(from, most) && std::cmp_greater_equal(from, -most);
  } else if constexpr (std::integral<To>) {
    // The bounds are powers of two, which every float holds.
    constexpr auto end =
        static_cast<From>(2) * static_cast<From>(To{1} << (std::numeric_limits<To>::digits - 1));
    constexpr From begin = std::signed_integral<To> ? -end : From{0};
    if (!(from >= begin && from < end) || (from == 0 && std::signbit(from))) return false;
    to = static_cast<To>(from);
    return static_cast<From>(to) == from;
  } else {
    if constexpr (sizeof(To) < sizeof(From))
      if (!(std::fabs(from) <= static_cast<From>(std::numeric_limits<To>::max()))) return false;
    to = static_cast<To>(from);
    return static_cast<From>(to) == from;
  }
}

template <class From, class To>
std::uint64_t cast_all(const Elements& from, std::byte* to) noexcept {
  const std::endian order =
      from.byte_order == POLYCODEC_BIG_ENDIAN ? std::endian::big : std::endian::little;
  const std::byte* at = from.data;
  for (std::uint64_t i = 0; i < from.count; ++i, at += from.stride, to += sizeof(To)) {
    To number;
    if (!put(value_of(load<From>(at, order)), number)) return i;
    std::memcpy(to, &number, sizeof number);
  }
  return from.count;
}

std::uint64_t copy_all(const Elements& from, std::byte* to) noexcept {
  const std::uint32_t width = dtype_swap_width(from.dtype);
  const bool swap = from.byte_order != host_byte_order && width > 1;
  const bool packed = from.stride == static_cast<std::int64_t>(from.item_size);
  const std::size_t at_once = static_cast<std::size_t>(packed ? from.count : 1) * from.item_size;
  const std::byte* at = from.data;
  for (std::uint64_t i = 0; i < from.count; i += packed ? from.count : 1) {
    if (swap)
      swap_copy(to, at, at_once / width, width);
    else
      std::memcpy(to, at, at_once);
    at += from.stride;
    to += from.item_size;
  }
  return from.count;
}

}  // namespace

std::uint64_t cast_elements(const Elements& from, std::uint32_t dtype, std::byte* to) noexcept {
  if (from.dtype == dtype) return copy_all(from, to);
  const auto none = [] { return std::uint64_t{0}; };
  return with_number_type(
      from.dtype,
      [&]<class From>(From) {
        return with_number_type(
            dtype,
            [&]<class To>(To) {
              if constexpr (std::is_enum_v<To>)
                return std::uint64_t{0};  // float16
              else
                return cast_all<From, To>(from, to);
            },
            none);
      },
      none);
}

}  // namespace polycodec::detail
