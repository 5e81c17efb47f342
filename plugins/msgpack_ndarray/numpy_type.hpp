// SPDX-License-Identifier: MIT
// Element types, shapes and data of the map forms (numpy_maps.hpp).
#pragma once

#include <polycodec/abi.h>
#include <polycodec/builder.hpp>
#include <polycodec/error.hpp>
#include <polycodec/node_view.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace polycodec::msgpack_ndarray {

/// An element type of numpy: those of the array ext, and texts and times, which only the map forms
/// carry.
struct NumpyType {
  std::uint8_t dtype = 0;
  std::uint8_t byte_order = 0;
  std::uint32_t item_size = 0;
  std::uint32_t unit = 0;  ///< polycodec_time_unit of times
};

/// Reads a type string: those of parse_typestr(), `|S5`, `<U5` (characters of 4 bytes), `<M8[ns]`,
/// `<m8[ns]`, `<M8`. Throws Error with the detail ndarray.bad_typestr, or ndarray.unsupported_type.
NumpyType parse_numpy_type(std::string_view text);
NumpyType read_numpy_type(NodeView type);

/// Shape of an array.
struct Shape {
  std::array<std::int64_t, POLYCODEC_MAX_NDIM> extents;
  std::size_t ndim = 0;
  std::span<const std::int64_t> span() const noexcept { return {extents.data(), ndim}; }
};
/// Reads a list of integers. Throws Error with the detail ndarray.bad_shape or
/// ndarray.too_many_dims.
Shape read_shape(NodeView list);

/// The bytes of `data`, which must be `size`. Throws Error with the detail ndarray.bad_data or
/// ndarray.size_mismatch.
std::string_view read_data(NodeView data, std::uint64_t size);

/// A leaf of these elements, which views them. `stride` (bytes) of the first axis, if it is not
/// that of C order. Throws Error(ndarray.bad_bool) for booleans that are neither 0 nor 1.
polycodec_array* numpy_leaf(const NumpyType& type, std::string_view bytes, const char* first,
                            std::span<const std::int64_t> shape, std::optional<std::int64_t> stride,
                            Builder& out);

/// Text that came as str or, from Python bytes, as bin.
std::optional<std::string_view> text_of(NodeView v);

/// Throws an Error.
[[noreturn]] void refuse_numpy(std::string message, const char* detail = "numpy.bad_map",
                               Status status = Status::malformed);

}  // namespace polycodec::msgpack_ndarray
