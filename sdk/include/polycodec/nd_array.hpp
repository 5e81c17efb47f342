// SPDX-License-Identifier: MIT
// A value as an n-d array, for codecs of formats that have arrays; copies and casts of its
// elements.
#pragma once

#include <polycodec/array_view.hpp>
#include <polycodec/call.hpp>
#include <polycodec/view.hpp>
#include <polycodec/writer.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace polycodec {

/// Returns `value` as one NDARRAY, with its dtype, shape and strides, however it is stored: as such
/// an array or a part of one, as fixed lists, chunks or indices, or as lists of nodes. A number is
/// an array without axes. Arrays and fixed lists are viewed where they are. All else is copied to
/// the arena of the call, in C order and in host byte order. The call is charged.
///
/// Throws Error(Status::type) with the path and the reason where the value is not an array: rows
/// of several sizes, elements of several types, missing items, strings without a fixed width,
/// objects, an empty list of nodes (no element says its type), or metadata inside. The metadata of
/// `value` itself is not part of the result: View::metadata() has it.
///
/// Lifetime: as long as the value and the arena of the call.
ArrayView nd_array(const Call& call, View value);

/// The same with elements of `dtype`, BOOLEAN or a number: others become it if it holds them
/// exactly. An empty list is an array here. Throws also Error(Status::range) with the path of the
/// first element that `dtype` does not hold.
ArrayView nd_array(const Call& call, View value, std::uint32_t dtype);

/// Returns the bytes that copy_elements() writes for a leaf.
inline std::uint64_t contiguous_size(ArrayView leaf) noexcept {
  return leaf.element_count() * leaf.item_size();
}

/// Copies all elements of a leaf to `out` in C order and in `byte_order` (POLYCODEC_LITTLE_ENDIAN
/// or _BIG_ENDIAN). `leaf` is an NDARRAY of a validated value, or of nd_array(). Throws
/// Error(Status::range) if `out` is not contiguous_size(leaf) bytes large. [thread-safe]
void copy_elements(ArrayView leaf, std::uint8_t byte_order, std::span<std::byte> out);

/// Writes all elements of a leaf in C order and in `byte_order`: by reference where they are so in
/// memory, else in pieces that fit a window. Several threads fill a large contiguous sink. The call
/// is charged.
void put_elements(const Call& call, Writer& out, ArrayView leaf, std::uint8_t byte_order);

}  // namespace polycodec
