// SPDX-License-Identifier: MIT
// Fast loops over structure columns.
#pragma once

#include <polycodec/array_view.hpp>

#include <cstdint>
#include <cstring>
#include <utility>

namespace polycodec {

/// The contiguous items of a column as int64, as ColumnView gives them, but with the type known to
/// the compiler, so that loops become vector code. Needs no alignment.
template <class T>
class TypedColumn {
 public:
  explicit TypedColumn(const void* data) noexcept
      : data_(static_cast<const unsigned char*>(data)) {}
  std::int64_t operator[](std::uint64_t i) const noexcept {
    T item;
    std::memcpy(&item, data_ + i * sizeof(T), sizeof(T));
    if constexpr (std::is_same_v<T, std::uint64_t>)
      return static_cast<std::int64_t>(item | (std::uint64_t{0} - (item >> 63))) & INT64_MAX;
    else
      return static_cast<std::int64_t>(item);
  }

 private:
  const unsigned char* data_;
};

/// Calls read(items), where items[i] is item i of `column` as ColumnView gives it.
template <class Read>
decltype(auto) with_column(const polycodec_column& column, Read&& read) {
  const auto contiguous = [&](std::size_t size) {
    return column.stride == static_cast<std::int64_t>(size);
  };
  switch (column.dtype) {
    case POLYCODEC_DTYPE_INT64:
      if (contiguous(8)) return read(TypedColumn<std::int64_t>(column.data));
      break;
    case POLYCODEC_DTYPE_INT32:
      if (contiguous(4)) return read(TypedColumn<std::int32_t>(column.data));
      break;
    case POLYCODEC_DTYPE_UINT64:
      if (contiguous(8)) return read(TypedColumn<std::uint64_t>(column.data));
      break;
    case POLYCODEC_DTYPE_UINT32:
      if (contiguous(4)) return read(TypedColumn<std::uint32_t>(column.data));
      break;
    case POLYCODEC_DTYPE_INT8:
      if (contiguous(1)) return read(TypedColumn<std::int8_t>(column.data));
      break;
    default:
      break;
  }
  return read(ColumnView(column));
}

/// True if one of the first `count` items is negative, which in an index stands for a missing item.
/// A column of stride 0 is one item, however often it counts: the work does not grow with counts
/// that no memory stands behind.
inline bool has_negative(const polycodec_column& column, std::uint64_t count) {
  if (count == 0 || column.data == nullptr) return false;
  if (column.stride == 0) return ColumnView(column)[0] < 0;
  return with_column(column, [count](auto items) {
    // Blocks without branches become vector code; the first that has one ends the search.
    constexpr std::uint64_t block = 1024;
    for (std::uint64_t begin = 0; begin < count; begin += block) {
      std::int64_t all = 0;
      const std::uint64_t end = count - begin < block ? count : begin + block;
      for (std::uint64_t i = begin; i < end; ++i) all |= items[i];
      if (all < 0) return true;
    }
    return false;
  });
}

}  // namespace polycodec
