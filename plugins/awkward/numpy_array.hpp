// SPDX-License-Identifier: MIT
// Arrays over the bytes of a numpy array.
#pragma once

#include <polycodec/builder.hpp>

#include "numpy_type.hpp"

#include <cstdint>
#include <span>

namespace polycodec::awkward {

/// `count` elements of `type` that lie one after another from the start of `bytes`, which holds
/// them and lives as long as the value. Elements are viewed, fields are strided views; sub-arrays
/// of records inside of records are copied, and byte strings that end with zeros get a column of
/// lengths.
const polycodec_array* numpy_array(Builder& out, const NumpyType& type, std::string_view bytes,
                                   std::uint64_t count);

}  // namespace polycodec::awkward
