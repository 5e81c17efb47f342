// SPDX-License-Identifier: MIT
// How items of columnar arrays are found (see polycodec/abi.h).
#pragma once

#include <polycodec/abi.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace polycodec_python {

constexpr std::uint8_t host_byte_order =
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    POLYCODEC_BIG_ENDIAN;
#else
    POLYCODEC_LITTLE_ENDIAN;
#endif

template <class T>
T load(const void* data) noexcept {
  T value;
  std::memcpy(&value, data, sizeof value);
  return value;
}

/// Item i of a column of structure integers.
inline std::int64_t column_item(const polycodec_column& column, std::uint64_t i) noexcept {
  const auto* data =
      static_cast<const std::byte*>(column.data) + static_cast<std::int64_t>(i) * column.stride;
  switch (column.dtype) {
    case POLYCODEC_DTYPE_INT8:
      return load<std::int8_t>(data);
    case POLYCODEC_DTYPE_INT16:
      return load<std::int16_t>(data);
    case POLYCODEC_DTYPE_INT32:
      return load<std::int32_t>(data);
    case POLYCODEC_DTYPE_UINT16:
      return load<std::uint16_t>(data);
    case POLYCODEC_DTYPE_UINT32:
      return load<std::uint32_t>(data);
    case POLYCODEC_DTYPE_INT64:
    case POLYCODEC_DTYPE_UINT64:
      return load<std::int64_t>(data);
    default:
      return load<std::uint8_t>(data);
  }
}

/// Where list item i lies in the first child.
struct ItemRange {
  std::uint64_t begin;
  std::uint64_t end;
};
inline ItemRange item_range(const polycodec_array& a, std::uint64_t i) noexcept {
  if (a.layout == POLYCODEC_LAYOUT_LIST_FIXED) return {i * a.list_size, (i + 1) * a.list_size};
  const polycodec_column& stops = a.layout == POLYCODEC_LAYOUT_LIST_VIEW ? a.stops : a.offsets;
  const std::uint64_t stop = a.layout == POLYCODEC_LAYOUT_LIST_VIEW ? i : i + 1;
  return {static_cast<std::uint64_t>(column_item(a.starts, i)),
          static_cast<std::uint64_t>(column_item(stops, stop))};
}

/// The chunk of a CHUNKED array that has item `i`, which becomes its index there: binary search
/// where there are offsets, and of few chunks one by one.
inline std::uint32_t find_chunk(const polycodec_array& a, std::uint64_t& i) noexcept {
  std::uint32_t low = 0;
  if (a.offsets.data == nullptr) {
    while (i >= a.children[low]->length) i -= a.children[low++]->length;
    return low;
  }
  for (std::uint32_t high = a.n_children; high - low > 1;) {
    const std::uint32_t middle = low + (high - low) / 2;
    (static_cast<std::uint64_t>(column_item(a.offsets, middle)) <= i ? low : high) = middle;
  }
  i -= static_cast<std::uint64_t>(column_item(a.offsets, low));
  return low;
}

/// False if item i of an option is missing.
inline bool is_present(const polycodec_array& a, std::uint64_t i) noexcept {
  bool set;
  if (a.layout == POLYCODEC_LAYOUT_OPTION_BITS) {
    const auto byte = static_cast<std::uint64_t>(column_item(a.mask, i / 8));
    set = ((byte >> ((a.flags & POLYCODEC_ARRAY_BITS_LSB) != 0 ? i % 8 : 7 - i % 8)) & 1) != 0;
  } else {
    set = column_item(a.mask, i) != 0;
  }
  return set == ((a.flags & POLYCODEC_ARRAY_MASK_VALID) != 0);
}

inline bool is_text(const polycodec_array& a) noexcept {
  return (a.flags & (POLYCODEC_ARRAY_STRING | POLYCODEC_ARRAY_BINARY)) != 0;
}

}  // namespace polycodec_python
