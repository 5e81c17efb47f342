// SPDX-License-Identifier: MIT
// The elements of a strided leaf in C order: walked in runs, or copied one after another in the
// byte order wanted.
#pragma once

#include <base/byte_slices.hpp>
#include <base/swap_copy.hpp>
#include <polycodec/abi.h>
#include <polycodec/array_view.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/error.hpp>
#include <polycodec/writer.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>

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

// A leaf of two dimensions whose inner axis takes the longer steps, such as one in Fortran order:
// in plain C order every element would come from another cache line. Blocks keep the lines until
// all of their elements are used.
inline void gather_blocked(std::byte* out, const std::byte* in, std::array<std::int64_t, 2> shape,
                           std::array<std::int64_t, 2> stride, std::size_t size,
                           std::size_t swap) noexcept {
  constexpr std::int64_t block = 32;
  const Gather run = gather_for(size, swap);
  for (std::int64_t row = 0; row < shape[0]; row += block) {
    const std::int64_t rows = std::min(block, shape[0] - row);
    for (std::int64_t column = 0; column < shape[1]; column += block) {
      const auto columns = static_cast<std::uint64_t>(std::min(block, shape[1] - column));
      for (std::int64_t r = row; r < row + rows; ++r) {
        std::byte* to = out + (r * shape[1] + column) * static_cast<std::int64_t>(size);
        const std::byte* from = in + r * stride[0] + column * stride[1];
        run != nullptr ? run(to, from, columns, stride[1])
                       : gather_any(to, from, columns, stride[1], size, swap);
      }
    }
  }
}

}  // namespace detail

/// The bytes that copy_elements() writes for `leaf`.
inline std::uint64_t contiguous_size(ArrayView leaf) noexcept {
  return leaf.element_count() * leaf.item_size();
}

/// Copies all elements of a leaf to `out` in C order and in `byte_order` (POLYCODEC_LITTLE_ENDIAN
/// or _BIG_ENDIAN). `leaf` is a validated NDARRAY; throws Error(Status::range) if `out` is not
/// contiguous_size(leaf) bytes large. A contiguous leaf is one memcpy, or one swap_copy if the byte
/// order differs. [thread-safe]
inline void copy_elements(ArrayView leaf, std::uint8_t byte_order, std::span<std::byte> out) {
  if (out.size() != contiguous_size(leaf))
    throw Error(Status::range, "the elements take " + std::to_string(contiguous_size(leaf)) +
                                   " bytes, not " + std::to_string(out.size()));
  if (out.empty()) return;
  const std::size_t size = leaf.item_size();
  const std::size_t swap = leaf.raw().byte_order == byte_order ? 1 : dtype_swap_width(leaf.dtype());
  if (leaf.ndim() == 2) {
    const auto shape = leaf.shape();
    const auto stride = leaf.strides();
    const auto magnitude = [](std::int64_t s) { return s < 0 ? -s : s; };
    if (shape[0] > 1 && shape[1] > 1 && magnitude(stride[1]) > magnitude(stride[0]) &&
        magnitude(stride[1]) >= 64)
      return detail::gather_blocked(out.data(), leaf.data(), {shape[0], shape[1]},
                                    {stride[0], stride[1]}, size, swap);
  }
  const detail::Gather gather = detail::gather_for(size, swap);
  std::byte* to = out.data();
  for_each_run(leaf, [&](const std::byte* from, std::uint64_t count, std::int64_t stride) {
    const std::size_t bytes = static_cast<std::size_t>(count) * size;
    if (stride == static_cast<std::int64_t>(size)) {
      swap_copy(to, from, bytes / swap, swap);
    } else if (gather != nullptr) {
      gather(to, from, count, stride);
    } else {
      detail::gather_any(to, from, count, stride, size, swap);
    }
    to += bytes;
  });
}

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

/// Writes the elements of a leaf with an axis, in this byte order: by reference where they are so
/// in memory, else in pieces that fit a window. Several threads fill a large contiguous sink. The
/// call is charged.
inline void put_elements(const Call& call, Writer& out, const polycodec_array& leaf,
                         std::uint8_t byte_order) {
  const ArrayView view(leaf);
  const std::uint64_t size = contiguous_size(view);
  if (size == 0) return;
  const bool right_order = leaf.byte_order == byte_order || dtype_swap_width(leaf.dtype) == 1;
  if (right_order && view.is_contiguous()) {
    call.tick(std::min<std::uint64_t>(size, POLYCODEC_MAX_WINDOW) / 16 + 1);
    return out.reference(leaf.data, size);
  }
  if (size <= POLYCODEC_MAX_WINDOW) {
    call.tick(size / 16 + 1);
    auto* const to = reinterpret_cast<std::byte*>(out.reserve(size));
    copy_elements(view, byte_order, {to, static_cast<std::size_t>(size)});
    return out.commit(size);
  }
  const std::uint64_t row_size = size / leaf.length;
  const std::uint64_t rows = std::max<std::uint64_t>(1, POLYCODEC_MAX_WINDOW / row_size);
  if (size >= parallel_bytes && leaf.length > rows &&
      (out.sink()->flags & POLYCODEC_SINK_CONTIGUOUS) != 0) {
    const std::span<std::byte> all(reinterpret_cast<std::byte*>(out.reserve(size)),
                                   static_cast<std::size_t>(size));
    call.parallel_for(leaf.length, rows, [&](Call& own, std::uint64_t from, std::uint64_t to) {
      const auto bytes = static_cast<std::size_t>((to - from) * row_size);
      own.tick(bytes / 16 + 1);
      Extents shape;
      copy_elements(ArrayView(part_of(leaf, shape, from, to - from)), byte_order,
                    all.subspan(static_cast<std::size_t>(from * row_size), bytes));
    });
    return out.commit(size);
  }
  // As many rows at a time as the sink gives room for; rows that are too large themselves are taken
  // apart.
  Extents shape;
  for (std::uint64_t at = 0; at < leaf.length; at += rows) {
    polycodec_array part = part_of(leaf, shape, at, std::min(rows, leaf.length - at));
    if (part.length == 1 && leaf.ndim > 1) {
      ++part.shape, ++part.strides, --part.ndim;
      part.length = static_cast<std::uint64_t>(shape[1]);
    }
    put_elements(call, out, part, byte_order);
  }
}

}  // namespace polycodec
