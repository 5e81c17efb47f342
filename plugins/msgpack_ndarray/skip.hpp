// SPDX-License-Identifier: MIT
// The end of an item, found by its heads alone.
#pragma once

#include <polycodec/byte_order.hpp>

#include "item_head.hpp"
#include "item_shape.hpp"
#include "skip_forms.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace polycodec::msgpack_ndarray {

/// Passes items of one input. A container that has the shape of one before is passed at once.
class Skipper {
 public:
  /// Passes items, `due` of which are left of the one that was begun. Ends at `end`, or at the
  /// first item after `stop`. False: the bytes are wrong, or end too early. After true with `due`
  /// above 0, the item does not end before `stop`.
  bool items(const std::uint8_t*& at, const std::uint8_t* end, const std::uint8_t* stop,
             std::uint64_t& due) noexcept;
  /// Passes an item that is not a container, or has the shape of one before. False, at the same
  /// place: that is left to items().
  bool simple(const std::uint8_t*& at, const std::uint8_t* end) noexcept {
    if (end - at <= window) return false;
    if (begins_container(*at)) {
      if (!is_like(at, end)) return false;
      at += shape_.length();
      trust(1);
      return true;
    }
    const std::uint8_t* p = at;
    std::uint64_t left = 1;
    if (!step(p, end, left) || p > end) return false;
    at = p;
    return true;
  }

 private:
  /// So many bytes from the start of an item are read without a look at the end.
  static constexpr std::ptrdiff_t window = 8;
  /// To compare a container with a shape that it does not have costs time, and so does learning. A
  /// container with the shape adds one to the trust, another one takes the price away. A shape
  /// without trust is given up.
  static constexpr std::ptrdiff_t most_trust = 16;
  static constexpr std::ptrdiff_t price = 4;
  /// Bytes after a shape was learned until the next one may be: twice as many each time, and fewer
  /// for each container with the shape.
  static constexpr std::ptrdiff_t least_wait = 64;
  static constexpr std::ptrdiff_t most_wait = std::ptrdiff_t{1} << 16;
  /// Shorter containers are passed head by head as quickly, and their shapes are not learned.
  static constexpr std::ptrdiff_t least_length = 16;
  static constexpr std::ptrdiff_t short_wait = 256;

  /// Passes the item at `p`, or the head of a container. False: it is wrong.
  [[gnu::always_inline]] static bool step(const std::uint8_t*& p, const std::uint8_t* end,
                                          std::uint64_t& left) noexcept;
  bool is_like(const std::uint8_t* p, const std::uint8_t* end) noexcept;
  void trust(std::ptrdiff_t count) noexcept;
  void learn(const std::uint8_t* begin, const std::uint8_t* end) noexcept;

  ItemShape shape_;
  std::ptrdiff_t trust_ = -1;  // below 0: no shape is known
  std::ptrdiff_t wait_ = least_wait;
  const std::uint8_t* learn_from_ = nullptr;  // no shape of a container before it is learned
};

inline bool Skipper::step(const std::uint8_t*& p, const std::uint8_t* end,
                          std::uint64_t& left) noexcept {
  // Where the next item begins is waited for, so that a branch says it of what is most frequent: it
  // is foreseen. The statement without code keeps it from becoming a sum.
  const auto pass = [&p](std::ptrdiff_t length) {
    p += length;
    asm("" : "+r"(p));
  };
  const std::uint8_t first = *p;
  --left;
  if ((first & 0xe0) == 0xa0) {
    pass(1 + (first & 31));
    return true;
  }
  if (first == 0xcb) {
    pass(9);
    return true;
  }
  const SkipForm form = skip_forms[first];
  if (form.width == 0) [[likely]] {
    left += form.items;
    pass(form.length);
    return true;
  }
  if (form.width == reserved_width) return false;
  const std::uint64_t size = size_in_head(form, p);
  p += form.length;
  if (form.each != 0) {
    left += form.each * size;
    return true;
  }
  if (end < p || size > static_cast<std::uint64_t>(end - p)) return false;
  p += size;
  return true;
}

/// True if the container at `p` has the shape.
inline bool Skipper::is_like(const std::uint8_t* p, const std::uint8_t* end) noexcept {
  if (trust_ < 0 || !shape_.may_be(p, end)) return false;
  if (shape_.is(p)) return true;
  trust_ -= price;
  return false;
}

/// So many containers with the shape were passed.
inline void Skipper::trust(std::ptrdiff_t count) noexcept {
  trust_ = std::min(trust_ + count, most_trust);
  wait_ = std::max(wait_ - count * shape_.length() / price, least_wait);
}

inline void Skipper::learn(const std::uint8_t* begin, const std::uint8_t* end) noexcept {
  if (end - begin < least_length) {
    learn_from_ = end + short_wait;
    return;
  }
  trust_ = shape_.learn(begin, end) ? 0 : -1;
  learn_from_ = end + wait_;
  wait_ = std::min(2 * wait_, most_wait);
}

inline bool Skipper::items(const std::uint8_t*& at, const std::uint8_t* end,
                           const std::uint8_t* stop, std::uint64_t& due) noexcept {
  const std::uint8_t* p = at;
  std::uint64_t left = due;
  const auto leave = [&](bool result) {
    at = p;
    due = left;
    return result;
  };
  const std::uint8_t* const safe = end - at > window ? std::min(stop, end - window) : at;
  while (left != 0 && p < safe) {
    if (trust_ < 0 && p < learn_from_) {
      const std::uint8_t* const until = std::min(safe, learn_from_);
      while (left != 0 && p < until)
        if (!step(p, end, left)) return leave(false);
      continue;
    }
    // The container whose shape is learned at its end, where `rest` items are left.
    const std::uint8_t* begin = nullptr;
    std::uint64_t rest = 0;
    while (left != rest && p < safe) {
      if (begins_container(*p)) {
        if (is_like(p, end)) {
          std::ptrdiff_t count = 0;
          do {
            ++count;
            --left;
            p += shape_.length();
          } while (left != rest && p < safe && shape_.may_be(p, end) && shape_.is(p));
          trust(count);
          continue;
        }
        if (p >= learn_from_ && (begin == nullptr || p - begin > ItemShape::most)) {
          begin = p;
          rest = left - 1;
        } else if (begin == nullptr && trust_ < 0) {
          break;
        }
      }
      if (!step(p, end, left)) return leave(false);
    }
    if (begin != nullptr && left == rest && p <= end) learn(begin, p);
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
