// SPDX-License-Identifier: MIT
// Elements as numpy describes them: dtypes in JSON, the dtype of a leaf, arrays over the bytes
// of a numpy array.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/builder.hpp>
#include <polycodec/node_view.hpp>

#include <cstdint>
#include <span>
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
/// whose path is relative to `json` (`$[1][0]`): Status::malformed for what is not a dtype,
/// Status::limit where sizes pass those of numpy, Status::unsupported for types that cannot be read
/// by anybody (object: pointers of a process that is gone).
NumpyType parse_numpy_type(NodeView json);

/// The dtype to write for a leaf, and what it leaves unsaid.
struct NumpyDtype {
  std::string name;         ///< such as "float64", ">i4", "|V3"
  std::string type;         ///< the type in type notation, if numpy has none; or empty
  std::uint8_t byte_order;  ///< of the bytes to write
  bool kept = false;        ///< the name is that of the attribute `dtype`
};

/// For a leaf with elements of at least one byte. Native names mean little-endian data; big-endian
/// elements keep their order, so that nothing is swapped. A leaf of raw bytes with an attribute
/// `dtype` (what this codec reads from files with elements that the model has not) gets that name
/// again.
NumpyDtype numpy_dtype(const polycodec_array& leaf);

/// `count` elements of `type` that lie one after another from the start of `bytes`, which holds
/// them and lives as long as the value. Elements are viewed, fields are strided views; sub-arrays
/// of records inside of records are copied, and byte strings that end with zeros get a column of
/// lengths.
const polycodec_array* numpy_array(Builder& out, const NumpyType& type, std::string_view bytes,
                                   std::uint64_t count);

/// True if every element of this leaf is one of its dtype: booleans 0 or 1, strings of a fixed
/// size valid Unicode. Other dtypes have no wrong bytes, and are not read.
bool elements_are_valid(const polycodec_array& leaf);

}  // namespace polycodec::awkward
