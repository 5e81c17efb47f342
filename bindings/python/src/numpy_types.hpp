// SPDX-License-Identifier: MIT
// Element types of numpy and of the value model.
#pragma once

#include <polycodec/abi.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec_python {

struct NumpyType {
  std::uint8_t dtype = POLYCODEC_DTYPE_NONE;  // NONE: the model has no such type
  std::uint8_t byte_order = POLYCODEC_LITTLE_ENDIAN;
  std::uint32_t item_size = 0;
  std::uint32_t unit = POLYCODEC_UNIT_NONE;
};

/// The type of a typestr of numpy's array interface, such as "<f8" or ">M8[us]".
NumpyType type_of(std::string_view typestr) noexcept;

/// The typestr for a leaf; empty if numpy has no such type.
std::string typestr_of(const polycodec_array& leaf);

/// The name of a layout, such as "list_offsets".
const char* layout_name(std::uint32_t layout) noexcept;

}  // namespace polycodec_python
