// SPDX-License-Identifier: MIT
#include "element_check.hpp"

#include <base/contiguous.hpp>
#include <base/utf8.hpp>
#include <polycodec/array_view.hpp>
#include <polycodec/byte_order.hpp>

#include <bit>
#include <cstdint>
#include <string_view>

namespace polycodec::awkward {
namespace {

bool is_surrogate(std::uint32_t c) noexcept {
  return c >= 0xd800 && c <= 0xdfff;
}

/// The text ends before the zeros at its end.
template <class Unit>
std::size_t units_of(const std::byte* p, std::size_t count, std::endian order) noexcept {
  while (count != 0 && load<Unit>(p + (count - 1) * sizeof(Unit), order) == 0) --count;
  return count;
}

bool is_utf16(const std::byte* p, std::size_t size, std::endian order) noexcept {
  const std::size_t count = units_of<std::uint16_t>(p, size / 2, order);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t c = load<std::uint16_t>(p + 2 * i, order);
    if (!is_surrogate(c)) continue;
    if (c > 0xdbff || ++i == count) return false;
    const std::uint32_t low = load<std::uint16_t>(p + 2 * i, order);
    if (low < 0xdc00 || low > 0xdfff) return false;
  }
  return true;
}

bool is_utf32(const std::byte* p, std::size_t size, std::endian order) noexcept {
  const std::size_t count = units_of<std::uint32_t>(p, size / 4, order);
  for (std::size_t i = 0; i < count; ++i)
    if (const auto c = load<std::uint32_t>(p + 4 * i, order); c > 0x10ffff || is_surrogate(c))
      return false;
  return true;
}

bool is_valid(const std::byte* p, const polycodec_array& leaf, std::endian order) noexcept {
  switch (leaf.dtype) {
    case POLYCODEC_DTYPE_BOOLEAN:
      return std::to_integer<unsigned>(*p) <= 1;
    case POLYCODEC_DTYPE_FIXED_UTF8:
      return is_utf8(
          {reinterpret_cast<const char*>(p), units_of<std::uint8_t>(p, leaf.item_size, order)});
    case POLYCODEC_DTYPE_FIXED_UTF16:
      return is_utf16(p, leaf.item_size, order);
    default:
      return is_utf32(p, leaf.item_size, order);
  }
}

}  // namespace

bool elements_are_valid(const polycodec_array& leaf) {
  const bool text = leaf.dtype == POLYCODEC_DTYPE_FIXED_UTF8 ||
                    leaf.dtype == POLYCODEC_DTYPE_FIXED_UTF16 ||
                    leaf.dtype == POLYCODEC_DTYPE_FIXED_UTF32;
  const ArrayView view(leaf);
  if ((!text && leaf.dtype != POLYCODEC_DTYPE_BOOLEAN) || leaf.item_size == 0 ||
      view.element_count() == 0)
    return true;
  const auto order =
      leaf.byte_order == POLYCODEC_LITTLE_ENDIAN ? std::endian::little : std::endian::big;
  bool valid = true;
  for_each_run(view, [&](const std::byte* p, std::uint64_t items, std::int64_t stride) {
    for (std::uint64_t i = 0; i < items && valid; ++i, p += stride)
      valid = is_valid(p, leaf, order);
  });
  return valid;
}

}  // namespace polycodec::awkward
