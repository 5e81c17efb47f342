// SPDX-License-Identifier: MIT
// The end of an item, found by its heads alone.
#pragma once

#include <polycodec/byte_order.hpp>

#include "item_head.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace polycodec::msgpack_ndarray {

/// The bytes of an item whose first byte says them all, with head; 0: of another one.
constexpr std::size_t fixed_bytes(unsigned first) noexcept {
  if (first < 0x80 || first >= 0xe0) return 1;
  if (first >= 0xa0 && first < 0xc0) return first - 0x9f;
  if (first == 0xc0 || first == 0xc2 || first == 0xc3) return 1;
  if (first == 0xca) return 5;
  if (first == 0xcb) return 9;
  if (first >= 0xcc && first <= 0xd3) return 1 + (std::size_t{1} << (first & 3));
  return 0;
}

/// Passes items, `due` of which are left of the one that was begun. Ends at `end`, or at the first
/// item after `stop`. False: the item at `at` is wrong, or ends too late. After true with `due`
/// above 0, the item does not end before `stop`.
inline bool skip_items(const std::uint8_t*& at, const std::uint8_t* end, const std::uint8_t* stop,
                       std::uint64_t& due) noexcept {
  // So many items of one kind are passed at once, without a look at the end.
  constexpr std::size_t run = 8;
  constexpr std::ptrdiff_t window = 32 * (run + 1);
  const std::uint8_t* p = at;
  std::uint64_t left = due;
  const std::uint8_t* const safe = end - p > window ? std::min(stop, end - window) : p;
  while (left != 0 && p < stop) {
    if (p < safe) [[likely]] {
      const unsigned first = *p;
      // A processor that guesses the kind of an item need not wait for its head to find the next
      // one. A table would make it wait.
      std::size_t bytes = 0;
      if (first == 0xcb)
        bytes = 9;
      else if (first < 0x80)
        bytes = 1;
      else
        bytes = fixed_bytes(first);
      if (bytes != 0) {
        p += bytes;
        --left;
        while (left > run && p < safe && *p == first) {
          const std::uint8_t* next = p;
          bool alike = true;
          for (std::size_t i = 1; i < run; ++i) alike &= *(next += bytes) == first;
          if (!alike) break;
          p = next + bytes;
          left -= run;
        }
        continue;
      }
      if (first < 0xa0) {
        left += first < 0x90 ? 2 * std::uint64_t{first & 15u} : std::uint64_t{first & 15u};
        --left;
        ++p;
        continue;
      }
    }
    ItemHead head;
    if (p >= end || read_head(p, end, head) != 0 || head.kind == ItemKind::reserved) {
      at = p;
      due = left;
      return false;
    }
    if (head.kind == ItemKind::list) left += head.size;
    if (head.kind == ItemKind::map) left += 2 * head.size;
    --left;
    p = head.next;
  }
  at = p;
  due = left;
  return true;
}

}  // namespace polycodec::msgpack_ndarray
