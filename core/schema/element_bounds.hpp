// SPDX-License-Identifier: MIT
// The extreme elements of an array.
#pragma once

#include <polycodec/abi.h>

#include "number.hpp"

#include <optional>

namespace polycodec::schema {

struct ElementBounds {
  Number least, most;
  bool has_nan = false;
};

/// Of a leaf of integers or floats of up to 64 bits; nothing for other leaves and where there are
/// no elements (or nothing but NaN: then has_nan is set and both are NaN).
std::optional<ElementBounds> element_bounds(const polycodec_array& leaf);

}  // namespace polycodec::schema
