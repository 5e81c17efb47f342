// SPDX-License-Identifier: MIT
// Containers that are alike, as the rows of a table are: the heads of one find the end of the next
// at once.
#pragma once

#include "skip_forms.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace polycodec::msgpack_ndarray {

/// The heads of an item, with the sizes in them. An item with such heads at the same places ends
/// where this one does, and is as right as it.
class ItemShape {
 public:
  /// Longer items have no shape.
  static constexpr std::ptrdiff_t most = 1024;

  /// Takes the shape of an item of known end. False: it has none, and nothing else may be called.
  bool learn(const std::uint8_t* at, const std::uint8_t* end) noexcept {
    length_ = end - at;
    if (length_ > most) return false;
    const auto used = static_cast<std::size_t>((length_ + block - 1) / block * block);
    std::memset(masks_.data(), 0, used);
    std::memset(heads_.data(), 0, used);
    const auto put = [&](std::size_t i, std::uint8_t mask) {
      masks_[i] = mask;
      heads_[i] = at[i] & mask;
    };
    const std::uint8_t* p = at;
    while (p < end) {
      const SkipForm form = skip_forms[*p];
      const auto i = static_cast<std::size_t>(p - at);
      put(i, mask_of(*p));
      for (std::size_t k = 1; k <= form.width; ++k) put(i + k, 0xff);
      const bool has_bytes = form.width != 0 && form.each == 0;
      p += form.length + (has_bytes ? size_in_head(form, p) : 0);
    }
    return p == end;
  }
  std::ptrdiff_t length() const noexcept { return length_; }
  /// False: the item at `at` does not have this shape, or the end is near.
  bool may_be(const std::uint8_t* at, const std::uint8_t* end) const noexcept {
    return *at == heads_[0] && end - at >= length_ + block;
  }
  /// True if the item at `at` has this shape. Where it may.
  bool is(const std::uint8_t* at) const noexcept {
    for (std::ptrdiff_t i = 0; i < length_; i += block) {
      std::uint64_t differs = 0, word, mask, head;
      for (std::ptrdiff_t k = i; k < i + block; k += 8) {
        std::memcpy(&word, at + k, 8);
        std::memcpy(&mask, masks_.data() + k, 8);
        std::memcpy(&head, heads_.data() + k, 8);
        differs |= (word & mask) ^ head;
      }
      if (differs != 0) return false;
    }
    return true;
  }

 private:
  static constexpr std::ptrdiff_t block = 32;

  /// The bits that heads of one form have in common: small integers and booleans have their number
  /// there.
  static constexpr std::uint8_t mask_of(std::uint8_t first) noexcept {
    return first < 0x80 ? 0x80 : first >= 0xe0 ? 0xe0 : (first & 0xfe) == 0xc2 ? 0xfe : 0xff;
  }

  // Set as far as the blocks that the item begins.
  std::array<std::uint8_t, most> masks_, heads_;
  std::ptrdiff_t length_ = 0;
};

}  // namespace polycodec::msgpack_ndarray
