// SPDX-License-Identifier: MIT
// The elements of a strided leaf in C order, walked in runs: what copies of polycodec/nd_array.hpp
// are made of.
#pragma once

#include <base/swap_copy.hpp>
#include <polycodec/abi.h>
#include <polycodec/array_view.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/nd_array.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace polycodec {

/// Calls `run(const std::byte* first, std::uint64_t count, std::int64_t stride)` for runs of
/// elements that are evenly spaced in memory, so that all runs one after another are all elements
/// of the leaf in C order. Axes that continue each other are merged: a contiguous leaf is a single
/// run, whatever its shape. `leaf` is a validated NDARRAY.
template <class Run>
void for_each_run(ArrayView leaf, Run&& run) {
  std::array<std::int64_t, POLYCODEC_MAX_NDIM> extent;
  std::array<std::int64_t, POLYCODEC_MAX_NDIM> stride;
  std::uint32_t n = 0;
  for (std::uint32_t axis = 0; axis < leaf.ndim(); ++axis) {
    const std::int64_t e = leaf.shape()[axis];
    const std::int64_t s = leaf.strides()[axis];
    if (e == 0) return;
    if (e == 1) continue;
    std::int64_t whole = 0;
    // The outer axis steps over exactly this one: both are one axis.
    if (n != 0 && !__builtin_mul_overflow(s, e, &whole) && stride[n - 1] == whole) {
      extent[n - 1] *= e;
      stride[n - 1] = s;
    } else {
      extent[n] = e;
      stride[n] = s;
      ++n;
    }
  }
  const std::byte* p = leaf.data();
  if (n == 0) {
    run(p, std::uint64_t{1}, static_cast<std::int64_t>(leaf.item_size()));
    return;
  }
  const std::uint32_t inner = n - 1;
  const auto count = static_cast<std::uint64_t>(extent[inner]);
  std::array<std::int64_t, POLYCODEC_MAX_NDIM> at{};
  for (;;) {
    run(p, count, stride[inner]);
    std::uint32_t axis = inner;
    for (;;) {
      if (axis == 0) return;
      --axis;
      if (++at[axis] < extent[axis]) {
        p += stride[axis];
        break;
      }
      p -= (extent[axis] - 1) * stride[axis];
      at[axis] = 0;
    }
  }
}

namespace detail {

// Copies `count` elements of Size bytes that are `stride` apart, swapping parts of Swap bytes (1:
// none).
template <std::size_t Size, std::size_t Swap>
void gather(std::byte* out, const std::byte* in, std::uint64_t count,
            std::int64_t stride) noexcept {
  for (std::uint64_t i = 0; i < count; ++i, in += stride, out += Size) {
    if constexpr (Swap == 1) {
      std::memcpy(out, in, Size);
    } else {
      swap_items<Swap>(reinterpret_cast<std::uint8_t*>(out),
                       reinterpret_cast<const std::uint8_t*>(in), Size / Swap);
    }
  }
}

inline void gather_any(std::byte* out, const std::byte* in, std::uint64_t count,
                       std::int64_t stride, std::size_t size, std::size_t swap) noexcept {
  for (std::uint64_t i = 0; i < count; ++i, in += stride, out += size)
    swap_copy(out, in, size / swap, swap);
}

using Gather = void (*)(std::byte*, const std::byte*, std::uint64_t, std::int64_t) noexcept;

// The loop for this item and swap width; NULL: gather_any.
constexpr Gather gather_for(std::size_t size, std::size_t swap) noexcept {
  switch (size * 32 + swap) {
    case 1 * 32 + 1:
      return gather<1, 1>;
    case 2 * 32 + 1:
      return gather<2, 1>;
    case 4 * 32 + 1:
      return gather<4, 1>;
    case 8 * 32 + 1:
      return gather<8, 1>;
    case 16 * 32 + 1:
      return gather<16, 1>;
    case 2 * 32 + 2:
      return gather<2, 2>;
    case 4 * 32 + 4:
      return gather<4, 4>;
    case 8 * 32 + 8:
      return gather<8, 8>;
    case 16 * 32 + 16:
      return gather<16, 16>;
    case 4 * 32 + 2:
      return gather<4, 2>;
    case 8 * 32 + 4:
      return gather<8, 4>;
    case 16 * 32 + 8:
      return gather<16, 8>;
    default:
      return nullptr;
  }
}

}  // namespace detail

/// Memory for the extents of a leaf.
using Extents = std::array<std::int64_t, POLYCODEC_MAX_NDIM>;

/// `leaf` from item `begin` of its first axis on, `count` items; its extents are in `shape`.
inline polycodec_array part_of(const polycodec_array& leaf, Extents& shape, std::uint64_t begin,
                               std::uint64_t count) noexcept {
  polycodec_array part = leaf;
  std::copy_n(leaf.shape, leaf.ndim, shape.begin());
  shape[0] = static_cast<std::int64_t>(count);
  part.shape = shape.data();
  part.length = count;
  // Without bytes there is nothing to advance.
  if (leaf.data != nullptr)
    part.data = static_cast<const std::byte*>(leaf.data) +
                static_cast<std::int64_t>(begin) * leaf.strides[0];
  return part;
}

}  // namespace polycodec
