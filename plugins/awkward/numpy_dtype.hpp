// SPDX-License-Identifier: MIT
// How numpy calls the elements of a leaf.
#pragma once

#include <polycodec/abi.h>

#include <string>

namespace polycodec::awkward {

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

}  // namespace polycodec::awkward
