// SPDX-License-Identifier: MIT
#include <base/checked.hpp>
#include <model/type/layout.hpp>
#include <polycodec/dtype.hpp>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace polycodec::type {

SplitType split_dims(const Type& type) {
  SplitType split{{}, type};
  while (split.element.is(Kind::fixed_dim) || split.element.is(Kind::var_dim)) {
    split.dims.push_back({split.element.is(Kind::fixed_dim), split.element.size()});
    split.element = Type(split.element.element());
  }
  return split;
}

std::optional<FixedWidth> fixed_width(const Type& type) noexcept {
  const auto sized = [](polycodec_dtype dtype, std::uint64_t count,
                        std::uint32_t width) -> std::optional<FixedWidth> {
    if (count > UINT32_MAX / width) return std::nullopt;
    return FixedWidth{dtype, static_cast<std::uint32_t>(count * width), POLYCODEC_UNIT_NONE};
  };
  switch (type.kind()) {
    case Kind::scalar:
      return sized(type.dtype(), 1, dtype_size(type.dtype()));
    case Kind::datetime:
      return FixedWidth{POLYCODEC_DTYPE_TIMESTAMP64, 8, type.unit()};
    case Kind::timedelta:
      return FixedWidth{POLYCODEC_DTYPE_DURATION64, 8, type.unit()};
    case Kind::fixed_bytes:
      return sized(POLYCODEC_DTYPE_FIXED_BYTES, type.size(), 1);
    case Kind::fixed_string: {
      const std::uint32_t width = encoding_unit_size(type.encoding());
      return sized(width == 1   ? POLYCODEC_DTYPE_FIXED_UTF8
                   : width == 2 ? POLYCODEC_DTYPE_FIXED_UTF16
                                : POLYCODEC_DTYPE_FIXED_UTF32,
                   type.size(), width);
    }
    default:
      return std::nullopt;
  }
}

bool has_sentinel(const Type& inner) noexcept {
  const polycodec_dtype dtype = inner.dtype();
  return dtype == POLYCODEC_DTYPE_BOOLEAN || is_signed_integer(dtype) ||
         dtype == POLYCODEC_DTYPE_FLOAT32 || dtype == POLYCODEC_DTYPE_FLOAT64 ||
         dtype == POLYCODEC_DTYPE_COMPLEX64 || dtype == POLYCODEC_DTYPE_COMPLEX128;
}

std::uint64_t minsize(const Type& type) noexcept {
  switch (type.kind()) {
    case Kind::scalar:
      return type.dtype() == POLYCODEC_DTYPE_COMPLEX32 ? 0 : dtype_size(type.dtype());
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
