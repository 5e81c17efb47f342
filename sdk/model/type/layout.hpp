// SPDX-License-Identifier: MIT
// What a type says about sizes: a dimension, the width of an element.
#pragma once

#include <model/type/text.hpp>
#include <model/type/type.hpp>
#include <polycodec/checked.hpp>
#include <polycodec/dtype.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace polycodec::type {

/// A dimension that values can have.
struct Dim {
  bool fixed = false;        /// else var
  std::uint64_t length = 0;  /// of a fixed dimension; 0 for var
  bool operator==(const Dim&) const = default;
};

/// What a columnar leaf needs to know of an element type.
struct FixedWidth {
  polycodec_dtype dtype = POLYCODEC_DTYPE_NONE;
  std::uint32_t item_size = 0;                     /// bytes
  polycodec_time_unit unit = POLYCODEC_UNIT_NONE;  /// of datetime and timedelta
  bool operator==(const FixedWidth&) const = default;
};

/// The leaf layout of a scalar, fixed_bytes, fixed_string, datetime or timedelta; nothing for every
/// other type, and for sizes of 2^32 bytes and more. `ascii` strings are FIXED_UTF8, `ucs2` strings
/// FIXED_UTF16.
std::optional<FixedWidth> fixed_width(const Type& type) noexcept;

/// True if DyND writes a missing `?inner` as a reserved value of `inner` itself, not behind a
/// prefix byte: bool, the signed integers, float32, float64 and complex numbers of those.
bool has_sentinel(const Type& inner) noexcept;

}  // namespace polycodec::type
