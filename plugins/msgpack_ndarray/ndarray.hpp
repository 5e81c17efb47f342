// SPDX-License-Identifier: MIT
// The ext types, n-dimensional arrays (110) and timestamps (-1), and arrays that other tools write
// as plain maps.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/builder.hpp>
#include <polycodec/error.hpp>
#include <polycodec/node_view.hpp>

#include "codec.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::msgpack_ndarray {

/// An element type of numpy with its byte order.
struct NumpyType {
  std::uint8_t dtype = 0;  ///< polycodec_dtype; 0 if the string names no type that is carried
  std::uint8_t byte_order = 0;
  std::uint32_t item_size = 0;
  std::uint32_t unit = 0;  ///< polycodec_time_unit of times
};

/// Reads the type string of an array ext: `[<>|]` kind size, kinds b i u f c, and times with their
/// unit, as `<M8[ns]`. Types of one byte take all three marks, others need `<` or `>`. Throws Error
/// with the detail ndarray.bad_typestr, or ndarray.unsupported_type for what numpy has and this
/// codec does not carry.
NumpyType parse_typestr(std::string_view text);

/// The type string of an element type, or nothing ("") if there is none in the subset. `unit` is
/// that of times.
std::string typestr_of(std::uint32_t dtype, std::uint8_t byte_order,
                       std::uint32_t unit = POLYCODEC_UNIT_NONE);

/// The number of bytes of an array of this shape. Throws Error (details ndarray.bad_shape,
/// ndarray.size_overflow) if that is not below 2^63; a zero extent does not excuse absurd others.
std::uint64_t checked_byte_size(std::span<const std::int64_t> shape, std::uint32_t item_size);

/// Throws Error(ndarray.bad_bool) unless all bytes are 0 or 1.
void check_booleans(std::string_view bytes);

/// A key of an array ext that says nothing about the array: an attribute.
struct FoundKey {
  std::string_view name;
  std::string_view item;  ///< the bytes of its value
};

/// Reads the body of an array ext. The result views the body. Keys beside those of the format are
/// appended to `others`, those that are not text with an empty name. Throws Error with a detail
/// `ndarray.*` and, as its path, the key to blame (".shape", or "").
const polycodec_array* read_ndarray(std::string_view body, const Settings& settings,
                                    const polycodec_limits& limits, std::vector<FoundKey>& others,
                                    Builder& out);

/// True for the keys of numpy's array interface, which say what the array is.
bool is_array_key(std::string_view name) noexcept;

/// Attributes of an array as msgpack: entries of the map, which follow those of the array.
struct ExtraKeys {
  std::string bytes;
  std::uint32_t count = 0;
  bool are_all = true;  ///< each attribute that says something about the value is one of them
};

/// Appends an attribute, if its value is JSON or bytes and its name not one of the array's own
/// keys. Returns false otherwise.
bool add_extra_key(ExtraKeys& keys, NodeView name, NodeView value);

/// The attributes (an OBJECT or NULL) that the ext of an array holds.
ExtraKeys extra_keys_of(const polycodec_node* attributes);

/// The bytes that come before the elements: ext head and body up to `data`, which is written last
/// so that the elements follow without a copy.
struct NdarrayHead {
  std::uint8_t bytes[704];
  std::uint32_t size = 0;
  /// For msgpack::packer.
  void write(const char* data, std::size_t count);
};

/// Makes the head of an array of `data_size` bytes, which the bytes of `more` follow. Throws
/// Error(Status::range) if the ext would exceed 2^32 - 1 bytes, Status::unsupported for more than
/// 64 dimensions.
NdarrayHead make_head(std::string_view typestr, std::span<const std::int64_t> shape,
                      std::uint64_t data_size, std::int8_t ext_code, const ExtraKeys& more = {});

/// A point in time as msgpack has it.
struct Timestamp {
  std::int64_t seconds = 0;
  std::uint32_t nanoseconds = 0;  ///< 0..999999999
};

/// Reads the body of a timestamp; nothing if it is not 4, 8 or 12 bytes with at most 999999999
/// nanoseconds.
std::optional<Timestamp> read_timestamp(std::string_view body) noexcept;

/// The shortest encoding of a timestamp, head and all: 6, 10 or 15 bytes at `out`. Returns how
/// many.
std::uint32_t write_timestamp(const Timestamp& time, std::uint8_t* out) noexcept;

/// Converts a time of any unit, exactly; nothing for "not a time", and if it does not fit seconds
/// and whole nanoseconds.
std::optional<Timestamp> to_timestamp(const polycodec_time& time);

/// Reads a type string: those of parse_typestr(), and strings, which only the map forms carry:
/// `|S5`, `<U5` (characters of 4 bytes). Throws Error with the detail ndarray.bad_typestr, or
/// ndarray.unsupported_type.
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

/// The array of records that `data` holds. `type` is a list of [name, type] and [name, type,
/// shape], where a type is a string or such a list. Columns view the data; only structured fields
/// that have a shape are copied. Fields without a name that are void are padding. Throws Error as
/// the functions of numpy_type.cpp.
polycodec_node structured_array(NodeView type, const Shape& shape, NodeView data, Builder& out);

/// If `map` (an OBJECT or MAP that is complete) is one of the known forms, replaces it by the array
/// or scalar that it stands for; leaves other maps alone. The result views the same bytes. Never
/// unpickles: arrays of objects are refused with Status::unsupported and the detail numpy.pickle. A
/// map that has the marks of a form but breaks its rules is refused (numpy.bad_map and the details
/// of ndarray.hpp).
void convert_numpy_map(polycodec_node& map, const polycodec_limits& limits, Builder& out);

}  // namespace polycodec::msgpack_ndarray
