// SPDX-License-Identifier: MIT
// Typed scalars and arrays.
#include <base/utf8.hpp>
#include <base/utf_convert.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/dtype.hpp>

#include "decode.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace polycodec::yggdrasil {
namespace {

bool is_ascii(std::string_view text) noexcept {
  std::uint8_t all = 0;
  for (const char c : text) all |= static_cast<std::uint8_t>(c);
  return all < 0x80;
}

// An element without the zeros that pad it.
template <class Unit>
std::size_t unpadded(const std::byte* p, std::size_t size) noexcept {
  std::size_t units = size / sizeof(Unit);
  while (units != 0 && load<Unit>(p + (units - 1) * sizeof(Unit), std::endian::little) == 0)
    --units;
  return units;
}

}  // namespace

polycodec_node Decoder::scalar(const Found& found) {
  const Leaf& leaf = found.schema->leaf;
  std::byte bytes[16];
  fill(found, bytes, leaf.bytes);
  const auto number = [&](auto sample) {
    return load<decltype(sample)>(bytes, std::endian::little);
  };
  polycodec_node node;
  bool plain = false;
  switch (leaf.dtype) {
    case POLYCODEC_DTYPE_INT8:
      node = Builder::integer(number(std::int8_t{}), leaf.dtype);
      break;
    case POLYCODEC_DTYPE_INT16:
      node = Builder::integer(number(std::int16_t{}), leaf.dtype);
      break;
    case POLYCODEC_DTYPE_INT32:
      node = Builder::integer(number(std::int32_t{}), leaf.dtype);
      break;
    case POLYCODEC_DTYPE_INT64:
      node = Builder::integer(number(std::int64_t{}), leaf.dtype);
      plain = true;
      break;
    case POLYCODEC_DTYPE_UINT8:
      node = Builder::unsigned_integer(number(std::uint8_t{}), leaf.dtype);
      break;
    case POLYCODEC_DTYPE_UINT16:
      node = Builder::unsigned_integer(number(std::uint16_t{}), leaf.dtype);
      break;
    case POLYCODEC_DTYPE_UINT32:
      node = Builder::unsigned_integer(number(std::uint32_t{}), leaf.dtype);
      break;
    case POLYCODEC_DTYPE_UINT64:
      node = Builder::unsigned_integer(number(std::uint64_t{}), leaf.dtype);
      plain = node.as.u64 > static_cast<std::uint64_t>(INT64_MAX);
      break;
    case POLYCODEC_DTYPE_FLOAT16:
      node = Builder::real16(number(std::uint16_t{}));
      break;
    case POLYCODEC_DTYPE_FLOAT32:
      node = Builder::real32(number(float{}));
      break;
    case POLYCODEC_DTYPE_FLOAT64:
      node = Builder::real(number(double{}));
      plain = true;
      break;
    default:
      if constexpr (std::endian::native == std::endian::big)
        std::reverse(bytes, bytes + leaf.bytes / 2),
            std::reverse(bytes + leaf.bytes / 2, bytes + leaf.bytes);
      node = out_.wide(leaf.dtype, bytes);
      break;
  }
  return with_attributes(found, node, plain);
}

polycodec_node Decoder::text_scalar(const Found& found) {
  const Leaf& leaf = found.schema->leaf;
  const std::span<std::byte> bytes = data(found, 1);
  if (leaf.encoding == Encoding::none)
    return with_attributes(found, Builder::bytes_view(bytes_of(bytes)), false);
  const auto bad = [&](std::size_t at) {
    fail(Status::malformed, "yggdrasil.bad_text",
         "byte " + std::to_string(at) + " of a string is not " +
             std::string(to_string(leaf.encoding)),
         found.data_at);
  };
  const std::string_view chars(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (leaf.encoding <= Encoding::utf8) {
    const std::size_t fault = validate_utf8(chars);
    if (fault != utf8_npos) bad(fault);
    if (leaf.encoding == Encoding::ascii && !is_ascii(chars))
      bad(static_cast<std::size_t>(
          std::find_if(chars.begin(), chars.end(),
                       [](char c) { return static_cast<unsigned char>(c) >= 0x80; }) -
          chars.begin()));
    return with_attributes(found, Builder::string_view(chars), !looks_typed(chars));
  }
  const std::size_t unit = leaf.encoding == Encoding::utf16 ? 2 : 4;
  if (bytes.size() % unit != 0) bad(bytes.size() / unit * unit);
  try {
    const std::string text =
        unit == 2 ? utf8_from_utf16(bytes.data(), bytes.size() / 2, std::endian::little)
                  : utf8_from_utf32(bytes.data(), bytes.size() / 4, std::endian::little);
    return with_attributes(found, out_.string_copy(text), false);
  } catch (const Error& e) {
    if (e.code() != Status::malformed) throw;
    bad(static_cast<std::size_t>(e.offset()));
    throw;
  }
}

polycodec_node Decoder::array(const Found& found) {
  const Leaf& leaf = found.schema->leaf;
  if (leaf.count > call_.limits().max_elements)
    fail(Status::limit, "yggdrasil.limit",
         "an array of " + std::to_string(leaf.count) + " elements", found.start);
  take_nodes(1, found.start);
  constexpr std::uint64_t long_array = 4096;
  const std::span<std::byte> bytes = data(found, leaf.bytes >= long_array ? 64 : 16);
  if (is_fixed(leaf.dtype) && leaf.dtype != POLYCODEC_DTYPE_FIXED_BYTES && leaf.item_size != 0)
    check_array_texts(found, bytes.data());
  return with_attributes(found,
                         Builder::array(out_.ndarray(bytes_of(bytes), leaf.dtype, leaf.item_size,
                                                     leaf.shape, POLYCODEC_LITTLE_ENDIAN)),
                         false);
}

void Decoder::check_array_texts(const Found& found, const std::byte* elements) const {
  const Leaf& leaf = found.schema->leaf;
  const std::size_t size = leaf.item_size;
  for (std::uint64_t i = 0; i < leaf.count; ++i, elements += size) {
    bool good = true;
    if (leaf.encoding <= Encoding::utf8) {
      const std::string_view text(reinterpret_cast<const char*>(elements),
                                  unpadded<std::uint8_t>(elements, size));
      good = is_utf8(text) && (leaf.encoding != Encoding::ascii || is_ascii(text));
    } else if (leaf.encoding == Encoding::utf16) {
      const std::size_t units = unpadded<std::uint16_t>(elements, size);
      const auto at = [&](std::size_t u) {
        return load<std::uint16_t>(elements + 2 * u, std::endian::little);
      };
      for (std::size_t u = 0; u < units && good; ++u) {
        if (at(u) < 0xd800 || at(u) > 0xdfff) continue;
        good = at(u) < 0xdc00 && u + 1 < units && at(u + 1) >= 0xdc00 && at(u + 1) < 0xe000;
        ++u;
      }
    } else {
      const std::size_t units = unpadded<std::uint32_t>(elements, size);
      for (std::size_t u = 0; u < units && good; ++u) {
        const auto c = load<std::uint32_t>(elements + 4 * u, std::endian::little);
        good = c < 0xd800 || (c > 0xdfff && c <= 0x10ffff);
      }
    }
    if (!good)
      fail(Status::malformed, "yggdrasil.bad_text",
           "element " + std::to_string(i) + " of an array of strings is not " +
               std::string(to_string(leaf.encoding)),
           found.data_at);
  }
}

}  // namespace polycodec::yggdrasil
