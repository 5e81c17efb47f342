// SPDX-License-Identifier: MIT
// Typed scalars and arrays.
#include <base/base64.hpp>
#include <base/fixed_text.hpp>
#include <base/nodes.hpp>
#include <base/swap_copy.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/utf.hpp>

#include "found_leaf.hpp"

#include <algorithm>
#include <bit>

namespace polycodec::yggdrasil {
namespace {

bool is_ascii(std::string_view text) noexcept {
  std::uint8_t all = 0;
  for (const char c : text) all |= static_cast<std::uint8_t>(c);
  return all < 0x80;
}

void check_texts(const Decoding& state, const FoundLeaf& found, const std::byte* elements) {
  const Leaf& leaf = found.schema->leaf;
  const std::size_t size = leaf.item_size;
  for (std::uint64_t i = 0; i < leaf.count; ++i, elements += size) {
    const std::string_view text(reinterpret_cast<const char*>(elements), size);
    const bool good = is_fixed_text(elements, leaf.dtype, leaf.item_size, std::endian::little) &&
                      (leaf.encoding != Encoding::ascii || is_ascii(text));
    if (!good)
      state.fail(Status::malformed, "yggdrasil.bad_text",
                 "element " + std::to_string(i) + " of an array of strings is not " +
                     std::string(to_string(leaf.encoding)),
                 found.data_at);
  }
}

}  // namespace

polycodec_node scalar_of(Decoding& state, const FoundLeaf& found) {
  const Leaf& leaf = found.schema->leaf;
  std::byte bytes[16] = {};
  if (found.raw || !base64_decode_number(bytes, leaf.bytes, found.data)) [[unlikely]]
    fill(state, found, bytes, leaf.bytes);
  else
    state.call.tick(1);
  if constexpr (std::endian::native == std::endian::big) {
    const std::uint32_t width = dtype_swap_width(leaf.dtype);
    swap_copy(bytes, bytes, leaf.bytes / width, width);
  }
  const polycodec_node node = number_node(state.out, leaf.dtype, bytes);
  const bool plain = leaf.dtype == POLYCODEC_DTYPE_INT64 || leaf.dtype == POLYCODEC_DTYPE_FLOAT64 ||
                     (leaf.dtype == POLYCODEC_DTYPE_UINT64 && node.as.i64 < 0);
  return with_attributes(state, found, node, plain);
}

polycodec_node text_of(Decoding& state, const FoundLeaf& found) {
  const Leaf& leaf = found.schema->leaf;
  const std::string_view chars = chars_of(state, found);
  if (leaf.encoding == Encoding::none)
    return with_attributes(state, found, Builder::bytes_view(chars), false);
  const auto bad = [&](std::size_t at) {
    state.fail(Status::malformed, "yggdrasil.bad_text",
               "byte " + std::to_string(at) + " of a string is not " +
                   std::string(to_string(leaf.encoding)),
               found.data_at);
  };
  if (leaf.encoding <= Encoding::utf8) {
    const std::size_t fault = validate_utf8(chars);
    if (fault != utf8_npos) bad(fault);
    if (leaf.encoding == Encoding::ascii && !is_ascii(chars))
      bad(static_cast<std::size_t>(
          std::find_if(chars.begin(), chars.end(),
                       [](char c) { return static_cast<unsigned char>(c) >= 0x80; }) -
          chars.begin()));
    return with_attributes(state, found, Builder::string_view(chars), !looks_typed(chars));
  }
  const std::size_t unit = leaf.encoding == Encoding::utf16 ? 2 : 4;
  if (chars.size() % unit != 0) bad(chars.size() / unit * unit);
  try {
    const std::string text =
        unit == 2 ? utf8_from_utf16(chars.data(), chars.size() / 2, std::endian::little)
                  : utf8_from_utf32(chars.data(), chars.size() / 4, std::endian::little);
    return with_attributes(state, found, state.out.string_copy(text), false);
  } catch (const Error& e) {
    if (e.code() != Status::malformed) throw;
    bad(static_cast<std::size_t>(e.offset()));
    throw;
  }
}

polycodec_node array_of(Decoding& state, const FoundLeaf& found) {
  const Leaf& leaf = found.schema->leaf;
  if (leaf.count > state.call.limits().max_elements)
    state.fail(Status::limit, "yggdrasil.limit",
               "an array of " + std::to_string(leaf.count) + " elements", found.start);
  state.take_nodes(1, found.start);
  constexpr std::uint64_t long_array = 4096;
  const std::span<std::byte> bytes = data_of(state, found, leaf.bytes >= long_array ? 64 : 16);
  if (is_fixed(leaf.dtype) && leaf.dtype != POLYCODEC_DTYPE_FIXED_BYTES && leaf.item_size != 0)
    check_texts(state, found, bytes.data());
  return with_attributes(
      state, found,
      Builder::array(state.out.ndarray(bytes_of(bytes), leaf.dtype, leaf.item_size, leaf.shape,
                                       POLYCODEC_LITTLE_ENDIAN)),
      false);
}

}  // namespace polycodec::yggdrasil
