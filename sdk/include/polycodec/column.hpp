// SPDX-License-Identifier: MIT
// Columns of arrays, read where they are.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/byte_order.hpp>
#include <polycodec/dtype.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

namespace polycodec {

/// Elements of C++ type T at a fixed distance, read where they are: any alignment, stride and byte
/// order. Data in files is seldom aligned, so reading goes through memcpy, which costs nothing on
/// the machines that allow it. Not owning.
template <class T>
class Column {
 public:
  Column(const std::byte* data, std::uint64_t count, std::int64_t stride,
         std::uint8_t byte_order) noexcept
      : data_(data),
        count_(count),
        stride_(stride),
        swap_(byte_order != host_byte_order && sizeof(T) > 1) {}

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
    Iterator(const Column* column, std::uint64_t at) noexcept : column_(column), at_(at) {}
    T operator*() const noexcept { return (*column_)[at_]; }
    Iterator& operator++() noexcept { return ++at_, *this; }
    Iterator operator++(int) noexcept {
      const Iterator before = *this;
      ++at_;
      return before;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) noexcept { return a.at_ == b.at_; }

   private:
    const Column* column_ = nullptr;
    std::uint64_t at_ = 0;
  };
  Iterator begin() const noexcept { return {this, 0}; }
  Iterator end() const noexcept { return {this, count_}; }

 private:
  static T swapped(T value) noexcept {
    // The parts of a complex number are swapped each for itself.
    constexpr std::size_t width = dtype_swap_width(dtype_of<T>);
    unsigned char bytes[sizeof(T)];
    unsigned char turned[sizeof(T)];
    std::memcpy(bytes, &value, sizeof value);
    for (std::size_t i = 0; i < sizeof(T); ++i)
      turned[i] = bytes[i - i % width + width - 1 - i % width];
    std::memcpy(&value, turned, sizeof value);
    return value;
  }

  const std::byte* data_;
  std::uint64_t count_;
  std::int64_t stride_;
  bool swap_;
};

/// Elements that are evenly spaced in memory: for loops over numbers that want no View for each.
struct Elements {
  const std::byte* data;
  std::uint64_t count;
  std::int64_t stride;  ///< in bytes
  std::uint32_t dtype;
  std::uint32_t item_size;
  std::uint8_t byte_order;

  /// The elements as T, if that is their dtype.
  template <class T>
  std::optional<Column<T>> as() const noexcept {
    if (dtype != dtype_of<T>) return std::nullopt;
    return Column<T>(data, count, stride, byte_order);
  }
};

/// Item i of a column of structure integers (offsets, tags, ...), sign- or zero-extended. A uint64
/// above INT64_MAX comes out as INT64_MAX, which no index can reach. Unchecked: the length follows
/// from the array.
inline std::int64_t structure_item(const polycodec_column& column, std::uint64_t i) noexcept {
  const auto* p =
      static_cast<const std::byte*>(column.data) + static_cast<std::int64_t>(i) * column.stride;
  switch (column.dtype) {
    case POLYCODEC_DTYPE_INT64:
      return load<std::int64_t>(p, std::endian::native);
    case POLYCODEC_DTYPE_INT32:
      return load<std::int32_t>(p, std::endian::native);
    case POLYCODEC_DTYPE_INT16:
      return load<std::int16_t>(p, std::endian::native);
    case POLYCODEC_DTYPE_INT8:
      return load<std::int8_t>(p, std::endian::native);
    case POLYCODEC_DTYPE_UINT64: {
      const auto v = load<std::uint64_t>(p, std::endian::native);
      return v > static_cast<std::uint64_t>(INT64_MAX) ? INT64_MAX : static_cast<std::int64_t>(v);
    }
    case POLYCODEC_DTYPE_UINT32:
      return load<std::uint32_t>(p, std::endian::native);
    case POLYCODEC_DTYPE_UINT16:
      return load<std::uint16_t>(p, std::endian::native);
    default:
      return load<std::uint8_t>(p, std::endian::native);
  }
}

/// Where a list item begins and ends in the first child.
struct ItemRange {
  std::uint64_t begin, end;
};
/// The range of item i of an array with a list layout. Unchecked.
inline ItemRange item_range(const polycodec_array& list, std::uint64_t i) noexcept {
  const auto at = [](const polycodec_column& column, std::uint64_t index) {
    return static_cast<std::uint64_t>(structure_item(column, index));
  };
  switch (list.layout) {
    case POLYCODEC_LAYOUT_LIST_OFFSETS:
      return {at(list.offsets, i), at(list.offsets, i + 1)};
    case POLYCODEC_LAYOUT_LIST_VIEW:
      return {at(list.starts, i), at(list.stops, i)};
    default:
      return {i * list.list_size, (i + 1) * list.list_size};
  }
}

/// False if item i is missing: for the option layouts and INDEXED; true for all others. Unchecked.
inline bool is_present(const polycodec_array& array, std::uint64_t i) noexcept {
  const bool valid_when = (array.flags & POLYCODEC_ARRAY_MASK_VALID) != 0;
  switch (array.layout) {
    case POLYCODEC_LAYOUT_OPTION_BYTES:
      return (structure_item(array.mask, i) != 0) == valid_when;
    case POLYCODEC_LAYOUT_OPTION_BITS: {
      const auto byte = static_cast<unsigned>(structure_item(array.mask, i >> 3)) & 0xffu;
      const bool least_first = (array.flags & POLYCODEC_ARRAY_BITS_LSB) != 0;
      const unsigned bit = (byte >> (least_first ? i & 7 : 7 - (i & 7))) & 1u;
      return (bit != 0) == valid_when;
    }
    case POLYCODEC_LAYOUT_INDEXED:
      return structure_item(array.index, i) >= 0;
    default:
      return true;
  }
}

}  // namespace polycodec
