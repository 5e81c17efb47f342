// SPDX-License-Identifier: MIT
#include "numpy_types.hpp"

#include <polycodec/dtype.hpp>

#include <array>
#include <bit>
#include <charconv>

namespace polycodec_python {
namespace {

constexpr std::array<std::string_view, POLYCODEC_UNIT_COUNT> units = {
    "", "Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"};

// By log2 of the size.
constexpr std::uint8_t of_size(int first, std::uint32_t size, std::uint32_t smallest,
                               std::uint32_t largest) noexcept {
  if (size < smallest || size > largest || !std::has_single_bit(size)) return POLYCODEC_DTYPE_NONE;
  const int step = std::countr_zero(size) - std::countr_zero(smallest);
  return static_cast<std::uint8_t>(first + step);
}

}  // namespace

NumpyType type_of(std::string_view typestr) noexcept {
  NumpyType type;
  if (typestr.size() < 3) return type;
  if (typestr[0] == '>') type.byte_order = POLYCODEC_BIG_ENDIAN;
  if (typestr[0] == '|') type.byte_order = polycodec::host_byte_order;
  const auto [end, problem] =
      std::from_chars(typestr.data() + 2, typestr.data() + typestr.size(), type.item_size);
  if (problem != std::errc() || type.item_size == 0) return type;
  const std::string_view rest(end, static_cast<std::size_t>(typestr.data() + typestr.size() - end));
  switch (typestr[1]) {
    case 'b':
      type.dtype = POLYCODEC_DTYPE_BOOLEAN;
      break;
    case 'i':
      type.dtype = of_size(POLYCODEC_DTYPE_INT8, type.item_size, 1, 8);
      break;
    case 'u':
      type.dtype = of_size(POLYCODEC_DTYPE_UINT8, type.item_size, 1, 8);
      break;
    case 'f':
      type.dtype = of_size(POLYCODEC_DTYPE_FLOAT16, type.item_size, 2, 8);
      break;
    case 'c':
      type.dtype = of_size(POLYCODEC_DTYPE_COMPLEX64, type.item_size, 8, 16);
      break;
    case 'S':
    case 'V':
      type.dtype = POLYCODEC_DTYPE_FIXED_BYTES;
      break;
    case 'U':
      type.dtype = POLYCODEC_DTYPE_FIXED_UTF32;
      type.item_size *= 4;
      break;
    case 'M':
    case 'm':
      for (std::uint32_t unit = 1; unit < units.size(); ++unit)
        if (rest.size() == units[unit].size() + 2 && rest.substr(1, rest.size() - 2) == units[unit])
          type.unit = unit;
      if (type.unit != POLYCODEC_UNIT_NONE)
        type.dtype = typestr[1] == 'M' ? POLYCODEC_DTYPE_TIMESTAMP64 : POLYCODEC_DTYPE_DURATION64;
      break;
    default:
      break;
  }
  return type;
}

std::string typestr_of(const polycodec_array& leaf) {
  const char order = leaf.byte_order == POLYCODEC_BIG_ENDIAN ? '>' : '<';
  const auto with = [&](char kind, std::uint32_t size) {
    return std::string(1, order).append(1, kind).append(std::to_string(size));
  };
  switch (leaf.dtype) {
    case POLYCODEC_DTYPE_BOOLEAN:
      return "|b1";
    case POLYCODEC_DTYPE_INT8:
    case POLYCODEC_DTYPE_INT16:
    case POLYCODEC_DTYPE_INT32:
    case POLYCODEC_DTYPE_INT64:
      return with('i', leaf.item_size);
    case POLYCODEC_DTYPE_UINT8:
    case POLYCODEC_DTYPE_UINT16:
    case POLYCODEC_DTYPE_UINT32:
    case POLYCODEC_DTYPE_UINT64:
      return with('u', leaf.item_size);
    case POLYCODEC_DTYPE_FLOAT16:
    case POLYCODEC_DTYPE_FLOAT32:
    case POLYCODEC_DTYPE_FLOAT64:
      return with('f', leaf.item_size);
    case POLYCODEC_DTYPE_COMPLEX64:
    case POLYCODEC_DTYPE_COMPLEX128:
      return with('c', leaf.item_size);
    case POLYCODEC_DTYPE_TIMESTAMP64:
    case POLYCODEC_DTYPE_DURATION64: {
      std::string type = with(leaf.dtype == POLYCODEC_DTYPE_TIMESTAMP64 ? 'M' : 'm', 8);
      if (!units[leaf.unit].empty()) type.append("[").append(units[leaf.unit]).append("]");
      return type;
    }
    case POLYCODEC_DTYPE_FIXED_BYTES:
      return "|S" + std::to_string(leaf.item_size);
    case POLYCODEC_DTYPE_FIXED_UTF32:
      return with('U', leaf.item_size / 4);
    default:
      return {};
  }
}

}  // namespace polycodec_python
