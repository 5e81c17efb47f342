// SPDX-License-Identifier: MIT
#include <model/type/layout.hpp>
#include <polycodec/checked.hpp>
#include <polycodec/dtype.hpp>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace polycodec::type {

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

}  // namespace polycodec::type
