// SPDX-License-Identifier: MIT
// What a type says about sizes: its dimensions, the width of an element, the fewest bytes that a DyND value takes.
#pragma once

#include <polycodec/checked.hpp>
#include <polycodec/dtype.hpp>
#include <polycodec/type/text.hpp>
#include <polycodec/type/type.hpp>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace polycodec::type {

/// A dimension that values can have.
struct Dim {
  bool fixed = false;        /// else var
  std::uint64_t length = 0;  /// of a fixed dimension; 0 for var
  bool operator==(const Dim&) const = default;
};

/// A type taken apart: `dims[0] * dims[1] * .. * element`.
struct SplitType {
  std::vector<Dim> dims;
  Type element;
};

/// Takes the leading fixed and var dimensions off `type`; the element may be anything else, also an option or an
/// annotated type with dimensions of its own.
inline SplitType split_dims(const Type& type) {
  SplitType split{{}, type};
  while (split.element.is(Kind::fixed_dim) || split.element.is(Kind::var_dim)) {
    split.dims.push_back({split.element.is(Kind::fixed_dim), split.element.size()});
    split.element = Type(split.element.element());
  }
  return split;
}

/// What a columnar leaf needs to know of an element type.
struct FixedWidth {
  polycodec_dtype dtype = POLYCODEC_DTYPE_NONE;
  std::uint32_t item_size = 0;                     /// bytes
  polycodec_time_unit unit = POLYCODEC_UNIT_NONE;  /// of datetime and timedelta
  bool operator==(const FixedWidth&) const = default;
};

/// The leaf layout of a scalar, fixed_bytes, fixed_string, datetime or timedelta; nothing for every other type, and
/// for sizes of 2^32 bytes and more. `ascii` strings are FIXED_UTF8, `ucs2` strings FIXED_UTF16.
inline std::optional<FixedWidth> fixed_width(const Type& type) noexcept {
  const auto sized = [](polycodec_dtype dtype, std::uint64_t count,
                        std::uint32_t width) -> std::optional<FixedWidth> {
    if (count > UINT32_MAX / width) return std::nullopt;
    return FixedWidth{dtype, static_cast<std::uint32_t>(count * width), POLYCODEC_UNIT_NONE};
  };
  switch (type.kind()) {
    case Kind::scalar:
      return sized(type.dtype(), 1, dtype_size(type.dtype()));
    case Kind::datetime:
      return FixedWidth{POLYCODEC_DATETIME64, 8, type.unit()};
    case Kind::timedelta:
      return FixedWidth{POLYCODEC_TIMEDELTA64, 8, type.unit()};
    case Kind::fixed_bytes:
      return sized(POLYCODEC_FIXED_BYTES, type.size(), 1);
    case Kind::fixed_string: {
      const std::uint32_t width = encoding_unit_size(type.encoding());
      return sized(width == 1   ? POLYCODEC_FIXED_UTF8
                   : width == 2 ? POLYCODEC_FIXED_UTF16
                                : POLYCODEC_FIXED_UTF32,
                   type.size(), width);
    }
    default:
      return std::nullopt;
  }
}

/// True if DyND writes a missing `?inner` as a reserved value of `inner` itself, not behind a prefix byte: bool, the
/// signed integers, float32, float64 and complex numbers of those.
inline bool has_sentinel(const Type& inner) noexcept {
  const polycodec_dtype dtype = inner.dtype();
  return dtype == POLYCODEC_BOOL || is_signed_integer(dtype) || dtype == POLYCODEC_FLOAT32 ||
         dtype == POLYCODEC_FLOAT64 || dtype == POLYCODEC_COMPLEX64 || dtype == POLYCODEC_COMPLEX128;
}

/// The fewest bytes that a value of `type` takes in DyND serialization; UINT64_MAX stands for that many or more. 0
/// for types that DyND cannot serialize: symbolic types and the additions to its notation. A count read from
/// untrusted bytes that is greater than what is left divided by this (where it is not 0) is false.
inline std::uint64_t minsize(const Type& type) noexcept {
  switch (type.kind()) {
    case Kind::scalar:
      return type.dtype() == POLYCODEC_COMPLEX32 ? 0 : dtype_size(type.dtype());
    case Kind::string:
    case Kind::character:
    case Kind::bytes:
    case Kind::var_dim:
      return 1;
    case Kind::fixed_bytes:
      return type.size();
    case Kind::fixed_string:
      return checked_mul(type.size(), encoding_unit_size(type.encoding())).value_or(UINT64_MAX);
    case Kind::type_type:
    case Kind::array:
      return 2;
    case Kind::fixed_dim:
      return checked_mul(type.size(), minsize(type.element())).value_or(UINT64_MAX);
    case Kind::option:
      return has_sentinel(type.element()) ? minsize(type.element()) : 1;
    case Kind::pointer:
      return minsize(type.element());
    case Kind::record:
    case Kind::tuple: {
      std::uint64_t sum = 0;
      for (const Type& item : type.items())
        if (!checked_add(sum, minsize(item), sum)) return UINT64_MAX;
      return sum;
    }
    default:
      return 0;
  }
}

}  // namespace polycodec::type
