// SPDX-License-Identifier: MIT
// Numbers in memory of either byte order at any alignment.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace polycodec {

/// Numbers of 1, 2, 4 or 8 bytes that may hold any bits: integers, floating-point numbers,
/// enumerations. Not bool: a byte other than 0 and 1 must be rejected before it becomes one.
template <class T>
concept Loadable = (std::is_arithmetic_v<T> ||
                    std::is_enum_v<T>)&&!std::is_same_v<std::remove_cv_t<T>, bool> &&
                   (sizeof(T) == 1 || sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8);

namespace detail {

template <std::size_t size>
using UnsignedOfSize = std::conditional_t<
    size == 1, std::uint8_t,
    std::conditional_t<size == 2, std::uint16_t,
                       std::conditional_t<size == 4, std::uint32_t, std::uint64_t>>>;

}  // namespace detail

/// `value` with its bytes reversed. Floating-point types are not offered: swap the integer, then
/// std::bit_cast, so that no bit pattern passes through a floating-point register in the wrong
/// order.
template <class T>
requires(std::is_integral_v<T>&& Loadable<T>) constexpr T byteswap(T value) noexcept {
  using U = detail::UnsignedOfSize<sizeof(T)>;
  if constexpr (sizeof(T) == 1) {
    return value;
  } else if constexpr (sizeof(T) == 2) {
    return static_cast<T>(__builtin_bswap16(static_cast<U>(value)));
  } else if constexpr (sizeof(T) == 4) {
    return static_cast<T>(__builtin_bswap32(static_cast<U>(value)));
  } else {
    return static_cast<T>(__builtin_bswap64(static_cast<U>(value)));
  }
}

/// The number at `p` in the given byte order; `p` needs no alignment and has sizeof(T) readable
/// bytes.
template <Loadable T>
T load(const void* p, std::endian order) noexcept {
  using U = detail::UnsignedOfSize<sizeof(T)>;
  U bits;
  std::memcpy(&bits, p, sizeof bits);
  if (order != std::endian::native) bits = byteswap(bits);
  return std::bit_cast<T>(bits);
}
/// The little-endian number at `p`.
template <Loadable T>
T load_le(const void* p) noexcept {
  return load<T>(p, std::endian::little);
}
/// The big-endian number at `p`.
template <Loadable T>
T load_be(const void* p) noexcept {
  return load<T>(p, std::endian::big);
}

/// Writes `value` to the sizeof(T) bytes at `p`, which needs no alignment, in the given byte order.
template <Loadable T>
void store(void* p, T value, std::endian order) noexcept {
  using U = detail::UnsignedOfSize<sizeof(T)>;
  U bits = std::bit_cast<U>(value);
  if (order != std::endian::native) bits = byteswap(bits);
  std::memcpy(p, &bits, sizeof bits);
}
/// Writes `value` to `p` in little-endian order.
template <Loadable T>
void store_le(void* p, T value) noexcept {
  store(p, value, std::endian::little);
}
/// Writes `value` to `p` in big-endian order.
template <Loadable T>
void store_be(void* p, T value) noexcept {
  store(p, value, std::endian::big);
}

}  // namespace polycodec
