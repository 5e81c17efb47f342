// SPDX-License-Identifier: MIT
// Between items of k bytes and k planes: plane b holds byte b of every item. Bytes after the last
// whole item stay where they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace polycodec::shuffle {

/// 16 bytes; operations on it become the processor's own where it has vectors.
using Bytes16 = std::uint8_t __attribute__((vector_size(16)));

namespace detail {

/// Interleaves the first half of the bytes in `v` with the second. Seen as a permutation of the
/// places this rotates the bits of a place left by one, so that a few rounds exchange "item, byte"
/// for "byte, item".
template <std::size_t K>
[[gnu::always_inline]] inline void interleave(Bytes16 (&v)[K]) noexcept {
  Bytes16 w[K];
  for (std::size_t i = 0; i < K / 2; ++i) {
    const Bytes16 a = v[i], b = v[i + K / 2];
    w[2 * i] =
        __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    w[2 * i + 1] =
        __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  }
  for (std::size_t i = 0; i < K; ++i) v[i] = w[i];
}

/// Sixteen items of K bytes at a time; returns how many items were moved.
template <std::size_t K>
std::size_t to_planes_16(const std::uint8_t* items, std::size_t begin, std::size_t end,
                         std::size_t stride, std::uint8_t* planes) noexcept {
  std::size_t i = begin;
  for (; i + 16 <= end; i += 16) {
    Bytes16 v[K];
    std::memcpy(v, items + i * K, sizeof v);
    for (int round = 0; round < 4; ++round) interleave(v);
    for (std::size_t b = 0; b < K; ++b) std::memcpy(planes + b * stride + i, &v[b], 16);
  }
  return i;
}

template <std::size_t K>
std::size_t from_planes_16(const std::uint8_t* planes, std::size_t begin, std::size_t end,
                           std::size_t stride, std::uint8_t* items) noexcept {
  std::size_t i = begin;
  for (; i + 16 <= end; i += 16) {
    Bytes16 v[K];
    for (std::size_t b = 0; b < K; ++b) std::memcpy(&v[b], planes + b * stride + i, 16);
    for (std::size_t rounds = K; rounds > 1; rounds /= 2) interleave(v);
    std::memcpy(items + i * K, v, sizeof v);
  }
  return i;
}

template <bool ToPlanes>
void move(std::span<const std::uint8_t> from, std::size_t k, std::uint8_t* to, std::size_t begin,
          std::size_t end) noexcept {
  const std::size_t n = from.size() / k;  // whole items, and the length of a plane
  std::size_t i = begin;
  const auto kernel = [&]<std::size_t K>() {
    i = ToPlanes ? to_planes_16<K>(from.data(), begin, end, n, to)
                 : from_planes_16<K>(from.data(), begin, end, n, to);
  };
  if (k == 2) kernel.template operator()<2>();
  if (k == 4) kernel.template operator()<4>();
  if (k == 8) kernel.template operator()<8>();
  if (k == 16) kernel.template operator()<16>();
  for (; i < end; ++i) {
    for (std::size_t b = 0; b < k; ++b) {
      if constexpr (ToPlanes)
        to[b * n + i] = from[i * k + b];
      else
        to[i * k + b] = from[b * n + i];
    }
  }
}

}  // namespace detail

/// Moves items [begin, end) of k bytes from `items` to planes of the same size, which must not
/// overlap. k >= 1. Different items may be moved by different threads.
inline void to_planes(std::span<const std::uint8_t> items, std::size_t k, std::uint8_t* planes,
                      std::size_t begin, std::size_t end) noexcept {
  detail::move<true>(items, k, planes, begin, end);
}
/// Undoes to_planes() for items [begin, end).
inline void from_planes(std::span<const std::uint8_t> planes, std::size_t k, std::uint8_t* items,
                        std::size_t begin, std::size_t end) noexcept {
  detail::move<false>(planes, k, items, begin, end);
}

}  // namespace polycodec::shuffle
