// SPDX-License-Identifier: MIT
// The elements of a leaf as a range of numbers, wherever and however they lie in memory.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/byte_order.hpp>
#include <polycodec/dtype.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <type_traits>

namespace polycodec {

/// Elements of C++ type T at a fixed distance, read where they are: any alignment, stride and byte order. Data in
/// files is seldom aligned, so reading goes through memcpy, which costs nothing on the machines that allow it. Not
/// owning. Got from ArrayView::values().
template <class T>
class ElementRange {
 public:
  ElementRange(const std::byte* data, std::uint64_t count, std::int64_t stride, std::uint8_t byte_order) noexcept
      : data_(data), count_(count), stride_(stride), swap_(byte_order != host_byte_order && sizeof(T) > 1) {}

  std::uint64_t size() const noexcept { return count_; }
  bool empty() const noexcept { return count_ == 0; }

  /// Element i (unchecked).
  T operator[](std::uint64_t i) const noexcept {
    T value;
    std::memcpy(&value, data_ + static_cast<std::int64_t>(i) * stride_, sizeof value);
    return swap_ ? swapped(value) : value;
  }

  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = const T*;
    using reference = T;

    Iterator() = default;
    Iterator(const ElementRange* range, std::uint64_t at) noexcept : range_(range), at_(at) {}
    T operator*() const noexcept { return (*range_)[at_]; }
    Iterator& operator++() noexcept { return ++at_, *this; }
    Iterator operator++(int) noexcept {
      const Iterator before = *this;
      ++at_;
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) noexcept { return a.at_ == b.at_; }

   private:
    const ElementRange* range_ = nullptr;
    std::uint64_t at_ = 0;
  };
  Iterator begin() const noexcept { return {this, 0}; }
  Iterator end() const noexcept { return {this, count_}; }

 private:
  static T swapped(T value) noexcept {
    // The parts of a complex number are swapped each for itself.
    constexpr std::size_t width = dtype_swap_width(dtype_of<T>);
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof value);
    for (std::size_t part = 0; part < sizeof(T); part += width)
      for (std::size_t i = 0; i < width / 2; ++i) {
        const unsigned char b = bytes[part + i];
        bytes[part + i] = bytes[part + width - 1 - i];
        bytes[part + width - 1 - i] = b;
      }
    std::memcpy(&value, bytes, sizeof value);
    return value;
  }

  const std::byte* data_;
  std::uint64_t count_;
  std::int64_t stride_;
  bool swap_;
};

}  // namespace polycodec
