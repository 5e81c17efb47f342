// SPDX-License-Identifier: MIT
// Texts and numbers in memory as nodes.
#pragma once

#include <base/half.hpp>
#include <base/utf8.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/dtype.hpp>

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace polycodec {

/// Returns a copy of `text` as a string; a lenient one where it is not UTF-8.
inline polycodec_node text_node(Builder& out, std::string_view text) {
  polycodec_node node = out.string_copy(text);
  if (!is_utf8(text)) node.dtype = POLYCODEC_STRING_LENIENT;
  return node;
}

/// Returns the boolean or number of `dtype` whose bytes, in the order of the machine, are at
/// `bits`.
inline polycodec_node number_node(Builder& out, std::uint32_t dtype, const void* bits) {
  const auto type = static_cast<std::uint8_t>(dtype);
  const std::uint32_t size = dtype_size(dtype);
  if (size > 8 || is_complex(dtype)) return out.wide(type, bits);
  if (dtype == POLYCODEC_DTYPE_FLOAT32)
    return Builder::real32(load<float>(bits, std::endian::native));
  if (dtype == POLYCODEC_DTYPE_FLOAT64)
    return Builder::real(load<double>(bits, std::endian::native));
  std::uint8_t bytes[8] = {};
  std::memcpy(bytes + (std::endian::native == std::endian::little ? 0 : 8 - size), bits, size);
  const auto low = load<std::uint64_t>(bytes, std::endian::native);
  if (dtype == POLYCODEC_DTYPE_BOOLEAN) return Builder::boolean(low != 0);
  if (dtype == POLYCODEC_DTYPE_FLOAT16) return Builder::real16(static_cast<std::uint16_t>(low));
  if (is_unsigned_integer(dtype)) return Builder::unsigned_integer(low, type);
  const unsigned above = 64 - 8 * size;
  return Builder::integer(static_cast<std::int64_t>(low << above) >> above, type);
}

/// Returns the value of a FLOAT node of any width.
inline double float_value(const polycodec_node& node) noexcept {
  if (node.dtype == POLYCODEC_DTYPE_FLOAT64) return node.as.f64;
  if (node.dtype == POLYCODEC_DTYPE_FLOAT32) return static_cast<double>(node.as.f32);
  return static_cast<double>(half_to_float(static_cast<std::uint16_t>(node.as.u64)));
}

}  // namespace polycodec
