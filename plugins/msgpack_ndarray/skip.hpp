// SPDX-License-Identifier: MIT
// The end of an item, found by its heads alone.
#pragma once

#include <polycodec/byte_order.hpp>

#include "item_head.hpp"

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

/// So many bytes from the start of an item are read without a look at the end.
inline constexpr std::ptrdiff_t skip_window = 8;

/// Passes items, `due` of which are left of the one that was begun. Ends at `end`, or at the first
/// item after `stop`. False: the bytes are wrong, or end too early. After true with `due` above 0,
/// the item does not end before `stop`.
inline bool skip_items(const std::uint8_t*& at, const std::uint8_t* end, const std::uint8_t* stop,
                       std::uint64_t& due) noexcept {
  const std::uint8_t* p = at;
  std::uint64_t left = due;
  const auto leave = [&](bool result) {
    at = p;
    due = left;
    return result;
  };
  const std::uint8_t* const safe =
      end - at > skip_window ? (stop < end - skip_window ? stop : end - skip_window) : at;
  // Where the next item begins is waited for, so that a branch says it of what is most frequent: it
  // is foreseen. The statement without code keeps it from becoming a sum.
  const auto pass = [&p](std::ptrdiff_t length) {
    p += length;
    asm("" : "+r"(p));
  };
  while (left != 0 && p < safe) {
    const std::uint8_t first = *p;
    --left;
    if ((first & 0xe0) == 0xa0) {
      pass(1 + (first & 31));
      continue;
    }
    if (first == 0xcb) {
      pass(9);
      continue;
    }
    const SkipForm form = skip_forms[first];
    if (form.width == 0) [[likely]] {
      left += form.items;
      pass(form.length);
      continue;
    }
    std::uint64_t size = 0;
    switch (form.width) {
      case 1:
        size = p[1];
        break;
      case 2:
        size = load_be<std::uint16_t>(p + 1);
        break;
      case 4:
        size = load_be<std::uint32_t>(p + 1);
        break;
      default:
        return leave(false);
    }
    p += form.length;
    if (form.each != 0) {
      left += form.each * size;
    } else {
      if (end < p || size > static_cast<std::uint64_t>(end - p)) return leave(false);
      p += size;
    }
  }
  while (left != 0 && p < stop) {
    ItemHead head;
    if (p >= end || read_head(p, end, head) != 0 || head.kind == ItemKind::reserved)
      return leave(false);
    --left;
    if (head.kind == ItemKind::list) left += head.size;
    if (head.kind == ItemKind::map) left += 2 * head.size;
    p = head.next;
  }
  return leave(p <= end);
}

}  // namespace polycodec::msgpack_ndarray
