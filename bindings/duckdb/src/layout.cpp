// SPDX-License-Identifier: MIT
#include "layout.hpp"

namespace polycodec_sql {

std::int64_t column_item(const polycodec_column& column, std::uint64_t i) noexcept {
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

bool is_present(const polycodec_array& option, std::uint64_t i) noexcept {
  const bool set_is_valid = (option.flags & POLYCODEC_ARRAY_MASK_VALID) != 0;
  if (option.layout == POLYCODEC_LAYOUT_OPTION_BYTES)
    return (column_item(option.mask, i) != 0) == set_is_valid;
  const auto byte = static_cast<std::uint8_t>(column_item(option.mask, i / 8));
  const std::uint64_t bit = (option.flags & POLYCODEC_ARRAY_BITS_LSB) != 0 ? i % 8 : 7 - i % 8;
  return ((byte >> bit) & 1) == (set_is_valid ? 1 : 0);
}

Range range_of(const polycodec_array& list, std::uint64_t i) noexcept {
  if (list.layout == POLYCODEC_LAYOUT_LIST_FIXED) return {i * list.list_size, list.list_size};
  const bool view = list.layout == POLYCODEC_LAYOUT_LIST_VIEW;
  const auto begin = static_cast<std::uint64_t>(column_item(list.offsets, i));
  const auto end = static_cast<std::uint64_t>(view ? column_item(list.stops, i)
                                                   : column_item(list.offsets, i + 1));
  return {begin, end - begin};
}

Chunk chunk_of(const polycodec_array& chunked, std::uint64_t i) noexcept {
  if (chunked.offsets.data == nullptr) {  // few chunks
    Chunk chunk{0, 0};
    while (i - chunk.start >= chunked.children[chunk.number]->length)
      chunk.start += chunked.children[chunk.number++]->length;
    return chunk;
  }
  std::uint32_t from = 0, to = chunked.n_children;
  while (to - from > 1) {
    const std::uint32_t middle = from + (to - from) / 2;
    const bool after = static_cast<std::uint64_t>(column_item(chunked.offsets, middle)) > i;
    (after ? to : from) = middle;
  }
  return {from, static_cast<std::uint64_t>(column_item(chunked.offsets, from))};
}

}  // namespace polycodec_sql
