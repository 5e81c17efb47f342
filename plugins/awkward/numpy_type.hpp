// SPDX-License-Identifier: MIT
// Element types in the JSON that numpy's dtypes are written as.
#pragma once

#include <polycodec/node_view.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::awkward {

/// A dtype: a plain element or a record of fields, maybe several in the shape of a sub-array.
struct NumpyType {
  struct Field;

  std::uint32_t dtype = POLYCODEC_DTYPE_NONE;  ///< NONE: a record of `fields`
  std::uint32_t unit = 0;                      ///< of times
  std::uint8_t byte_order = POLYCODEC_LITTLE_ENDIAN;
  bool zero_ends = false;           ///< bytes that numpy shows without the zeros at their end
  std::uint64_t base_size = 0;      ///< bytes of one element, without `shape`
  std::uint64_t item_size = 0;      ///< bytes of all of `shape`
  std::vector<std::int64_t> shape;  ///< of the sub-array; empty: one element
  std::vector<Field> fields;        ///< packed, in order
  std::string name;                 ///< as the file has it, for plain elements
  const char* opaque = nullptr;     ///< why the elements are kept as bytes, or null
};

struct NumpyType::Field {
  std::string name;
  NumpyType type;
  std::uint64_t offset;
};

/// The type that `json` describes. Names without a byte order mean little-endian. Throws Error
/// whose path is relative to `json` (`$[1][0]`): Status::malformed for what is no dtype,
/// Status::limit where sizes pass those of numpy, Status::unsupported for types that cannot be read
/// by anybody (object: pointers of a process that is gone).
NumpyType parse_numpy_type(NodeView json);

}  // namespace polycodec::awkward
