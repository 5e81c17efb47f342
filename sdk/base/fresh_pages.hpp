// SPDX-License-Identifier: MIT
// Fresh memory that several threads fill from front to end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace polycodec {

/// Finds the pages of an array that are to be touched before threads come to them. The kernel
/// clears a page for each thread that finds it fresh, and keeps one: threads that fill an array
/// side by side would all clear the same large pages. For one thread at a time.
class FreshPages {
 public:
  /// A piece of memory; without bytes there is nothing to do.
  struct Piece {
    const void* data = nullptr;
    std::uint64_t size = 0;
  };

  /// The array has `size` bytes, with room for `capacity`. Returns the piece after them that is to
  /// be touched now, once. Short arrays have none.
  Piece next(const void* array, std::uint64_t size, std::uint64_t capacity) noexcept {
    if (capacity < least) return {};
    if (array != array_) {
      array_ = array;
      known_ = size;  // what has moved is not fresh
    }
    known_ = std::max(known_, size);
    if (known_ >= std::min(capacity, size + page)) return {};
    const auto begin = reinterpret_cast<std::uintptr_t>(array);
    const std::uint64_t end = (begin + size + 2 * page - 1) / page * page - begin;
    const std::uint64_t from = std::exchange(known_, std::min(capacity, end));
    return {static_cast<const std::byte*>(array) + from, known_ - from};
  }

  /// Large pages are as long as this, and are touched so far ahead.
  static constexpr std::uint64_t page = std::uint64_t{2} << 20;
  /// Bytes from which on an array is worth it.
  static constexpr std::uint64_t least = 2 * page;

 private:
  const void* array_ = nullptr;
  std::uint64_t known_ = 0;  // bytes that are touched, or are being touched
};

/// Touches the pages of a piece. What is in them stays as it is, also what others write meanwhile.
/// Does nothing where the system cannot do that.
void touch(const FreshPages::Piece& piece) noexcept;

}  // namespace polycodec
