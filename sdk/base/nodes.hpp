// SPDX-License-Identifier: MIT
// Strings and numbers in memory as nodes.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/detail/half.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/utf.hpp>

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

/// Returns the `width` (1, 2, 4 or 8) bytes at `p` as an integer, zero above.
inline std::uint64_t bits_at(const void* p, std::uint32_t width,
                             std::endian order = std::endian::little) noexcept {
  switch (width) {
    case 1:
      return load<std::uint8_t>(p, order);
    case 2:
      return load<std::uint16_t>(p, order);
    case 4:
      return load<std::uint32_t>(p, order);
    default:
      return load<std::uint64_t>(p, order);
  }
}

/// True for booleans and numbers of at most 64 bits that are not complex.
constexpr bool fits_word(std::uint32_t dtype) noexcept {
  return dtype <= POLYCODEC_DTYPE_FLOAT64 && dtype_size(dtype) <= 8 && dtype_size(dtype) != 0;
}

/// Returns the boolean or number of `dtype` (fits_word) with these bits, zero above.
inline polycodec_node number_node(std::uint32_t dtype, std::uint64_t bits) noexcept {
  const auto type = static_cast<std::uint8_t>(dtype);
  if (dtype == POLYCODEC_DTYPE_FLOAT64) return Builder::real(std::bit_cast<double>(bits));
  if (dtype == POLYCODEC_DTYPE_FLOAT32)
    return Builder::real32(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  if (dtype == POLYCODEC_DTYPE_FLOAT16) return Builder::real16(static_cast<std::uint16_t>(bits));
  if (dtype == POLYCODEC_DTYPE_BOOLEAN) return Builder::boolean(bits != 0);
  if (is_unsigned_integer(dtype)) return Builder::unsigned_integer(bits, type);
  const unsigned above = 64 - 8 * dtype_size(dtype);
  return Builder::integer(static_cast<std::int64_t>(bits << above) >> above, type);
}

/// Returns the boolean or number of `dtype` whose bytes, in the order of the machine, are at
/// `bits`.
inline polycodec_node number_node(Builder& out, std::uint32_t dtype, const void* bits) {
  if (!fits_word(dtype)) return out.wide(static_cast<std::uint8_t>(dtype), bits);
  return number_node(dtype, bits_at(bits, dtype_size(dtype), std::endian::native));
}

/// Returns the value of a FLOAT node of any width.
inline double float_value(const polycodec_node& node) noexcept {
  if (node.dtype == POLYCODEC_DTYPE_FLOAT64) return node.as.f64;
  if (node.dtype == POLYCODEC_DTYPE_FLOAT32) return static_cast<double>(node.as.f32);
  return static_cast<double>(half_to_float(static_cast<std::uint16_t>(node.as.u64)));
}

}  // namespace polycodec
