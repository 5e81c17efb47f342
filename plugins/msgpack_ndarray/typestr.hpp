// SPDX-License-Identifier: MIT
// numpy's element type strings, such as "<f8".
#pragma once

#include <cstdint>
#include <string_view>

namespace polycodec::msgpack_ndarray {

/// An element type with its byte order.
struct ElementType {
  std::uint8_t dtype = 0;  ///< polycodec_dtype; 0 if the string names no type that is carried
  std::uint8_t byte_order = 0;
  std::uint32_t item_size = 0;
};

/// Reads a type string: `[<>|]` kind size, kinds b i u f c. Types of one byte take all three marks,
/// others need `<` or
/// `>`. Throws Error with the detail ndarray.bad_typestr, or ndarray.unsupported_type for what
/// numpy has and this codec does not carry.
ElementType parse_typestr(std::string_view text);

/// The type string of an element type, or nothing ("") if there is none in the subset.
std::string_view typestr_of(std::uint32_t dtype, std::uint8_t byte_order) noexcept;

}  // namespace polycodec::msgpack_ndarray
