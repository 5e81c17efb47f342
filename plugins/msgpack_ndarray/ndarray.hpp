// SPDX-License-Identifier: MIT
// The n-dimensional array: the body of ext type 110.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/builder.hpp>

#include "settings.hpp"
#include "typestr.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace polycodec::msgpack_ndarray {

/// The number of bytes of an array of this shape. Throws Error (details ndarray.bad_shape,
/// ndarray.size_overflow) if that is not below 2^63; a zero extent does not excuse absurd others.
std::uint64_t checked_byte_size(std::span<const std::int64_t> shape, std::uint32_t item_size);

/// Throws Error(ndarray.bad_bool) unless all bytes are 0 or 1.
void check_booleans(std::string_view bytes);

/// Reads the body of an array ext. The result views the body. Throws Error with a detail
/// `ndarray.*` and, as its path, the key to blame (".shape", or "").
const polycodec_array* read_ndarray(std::string_view body, const Settings& settings,
                                    const polycodec_limits& limits, Builder& out);

/// The bytes that come before the elements: ext head and body up to `data`, which is written last
/// so that the elements follow without a copy.
struct NdarrayHead {
  std::uint8_t bytes[704];
  std::uint32_t size = 0;
  /// For msgpack::packer.
  void write(const char* data, std::size_t count);
};

/// Makes the head of an array of `data_size` bytes. Throws Error(Status::range) if the ext would
/// exceed 2^32 - 1 bytes, Status::unsupported for more than 64 dimensions.
NdarrayHead make_head(std::string_view typestr, std::span<const std::int64_t> shape,
                      std::uint64_t data_size, std::int8_t ext_code);

}  // namespace polycodec::msgpack_ndarray
