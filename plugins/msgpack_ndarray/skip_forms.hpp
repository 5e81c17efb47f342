// SPDX-License-Identifier: MIT
// How long items are, by their first bytes.
#pragma once

#include <polycodec/byte_order.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace polycodec::msgpack_ndarray {

/// What an item is to a reader that passes it, by its first byte.
struct SkipForm {
  std::uint8_t length = 0;  ///< of the head, with the bytes that have a fixed number
  std::uint8_t items = 0;   ///< that follow, of a short container
  std::uint8_t width = 0;   ///< of the size in the head; 0: there is nothing else to look at
  std::uint8_t each = 0;    ///< with a size: items for each that it counts; 0: it counts bytes
};

inline constexpr std::uint8_t reserved_width = 3;

inline constexpr auto skip_forms = [] {
  std::array<SkipForm, 256> forms;
  for (unsigned first = 0; first < 256; ++first) {
    const auto low = static_cast<std::uint8_t>(first & 31u);
    const auto few = static_cast<std::uint8_t>(first & 15u);
    if (first < 0x80 || first >= 0xe0)
      forms[first] = {1};
    else if (first < 0x90)
      forms[first] = {1, static_cast<std::uint8_t>(2 * few)};
    else if (first < 0xa0)
      forms[first] = {1, few};
    else if (first < 0xc0)
      forms[first] = {static_cast<std::uint8_t>(1 + low)};
  }
  forms[0xc0] = forms[0xc2] = forms[0xc3] = {1};
  forms[0xc1] = {1, 0, reserved_width};
  forms[0xca] = {5};
  forms[0xcb] = {9};
  for (unsigned i = 0; i < 4; ++i) {
    const auto width = static_cast<std::uint8_t>(1u << i);
    forms[0xcc + i] = forms[0xd0 + i] = {static_cast<std::uint8_t>(1 + width)};
    if (i == 3) break;
    const auto head = static_cast<std::uint8_t>(1 + width);
    forms[0xc4 + i] = forms[0xd9 + i] = {head, 0, width};
    forms[0xc7 + i] = {static_cast<std::uint8_t>(1 + head), 0, width};
    if (i == 0) continue;
    forms[0xdb + i] = {head, 0, width, 1};
    forms[0xdd + i] = {head, 0, width, 2};
  }
  for (unsigned i = 0; i < 5; ++i) forms[0xd4 + i] = {static_cast<std::uint8_t>(2 + (1u << i))};
  return forms;
}();

/// The size in the head at `p`. For a form with one.
inline std::uint64_t size_in_head(const SkipForm& form, const std::uint8_t* p) noexcept {
  switch (form.width) {
    case 1:
      return p[1];
    case 2:
      return load_be<std::uint16_t>(p + 1);
    default:
      return load_be<std::uint32_t>(p + 1);
  }
}

/// True for the first byte of a list or a map.
constexpr bool begins_container(std::uint8_t first) noexcept {
  return (first & 0xe0) == 0x80 || (first >= 0xdc && first <= 0xdf);
}

}  // namespace polycodec::msgpack_ndarray
