// SPDX-License-Identifier: MIT
// Short items that are alike, as the rows of a table are: the heads of one find the end of the next
// at once.
#pragma once

#include "skip.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace polycodec::msgpack_ndarray {

/// The heads of a short item none of which counts what follows. An item with such heads at the same
/// places ends where this one does, and is as right as it.
class ItemShape {
 public:
  /// So many bytes from the start of an item on are read.
  static constexpr std::ptrdiff_t most = 64;

  /// Takes the shape of an item, which skip_items() has passed. Other items have no shape.
  void learn(const std::uint8_t* at, const std::uint8_t* end) noexcept {
    length_ = 0;
    if (end - at > most) return;
    std::array<std::uint8_t, most> masks{}, heads{};
    const std::uint8_t* p = at;
    while (p < end) {
      const SkipForm form = skip_forms[*p];
      if (form.width != 0) return;
      const auto i = static_cast<std::size_t>(p - at);
      masks[i] = mask_of(*p);
      heads[i] = *p & masks[i];
      p += form.length;
    }
    if (p != end) return;
    length_ = end - at;
    std::memcpy(masks_.data(), masks.data(), masks.size());
    std::memcpy(heads_.data(), heads.data(), heads.size());
  }
  /// The end of the item at `at` if it has this shape, or null, which says nothing.
  const std::uint8_t* end_of(const std::uint8_t* at) const noexcept {
    if (length_ == 0) return nullptr;
    std::uint64_t differs = 0, word;
    for (std::size_t i = 0; static_cast<std::ptrdiff_t>(8 * i) < length_; ++i) {
      std::memcpy(&word, at + 8 * i, 8);
      differs |= (word & masks_[i]) ^ heads_[i];
    }
    return differs == 0 ? at + length_ : nullptr;
  }

 private:
  /// The bits that heads of one form have in common: small integers and booleans have their number
  /// there.
  static constexpr std::uint8_t mask_of(std::uint8_t first) noexcept {
    return first < 0x80 ? 0x80 : first >= 0xe0 ? 0xe0 : (first & 0xfe) == 0xc2 ? 0xfe : 0xff;
  }

  std::array<std::uint64_t, most / 8> masks_{}, heads_{};
  std::ptrdiff_t length_ = 0;
};

}  // namespace polycodec::msgpack_ndarray
