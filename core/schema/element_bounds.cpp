// SPDX-License-Identifier: MIT
#include "element_bounds.hpp"

#include <base/contiguous.hpp>
#include <base/half.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/dtype.hpp>

#include <cmath>
#include <limits>
#include <type_traits>

namespace polycodec::schema {
namespace {

template <class T, class Wide>
class Extremes {
 public:
  void add(T value) noexcept {
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(value)) {
        nan_ = true;
        return;
      }
    }
    if (!any_ || value < least_) least_ = value;
    if (!any_ || value > most_) most_ = value;
    any_ = true;
  }
  std::optional<ElementBounds> result() const noexcept {
    if (any_)
      return ElementBounds{Number::of(static_cast<Wide>(least_)),
                           Number::of(static_cast<Wide>(most_)), nan_};
    if (!nan_) return std::nullopt;
    const Number nan = Number::of(std::numeric_limits<double>::quiet_NaN());
    return ElementBounds{nan, nan, true};
  }

 private:
  T least_{}, most_{};
  bool any_ = false, nan_ = false;
};

template <class Stored, class T, class Wide, class Convert>
std::optional<ElementBounds> bounds(const polycodec_array& leaf, Convert convert) {
  Extremes<T, Wide> extremes;
  const auto order =
      leaf.byte_order == POLYCODEC_BIG_ENDIAN ? std::endian::big : std::endian::little;
  for_each_run(ArrayView(leaf),
               [&](const std::byte* data, std::uint64_t count, std::int64_t stride) {
                 for (std::uint64_t i = 0; i < count; ++i, data += stride)
                   extremes.add(convert(load<Stored>(data, order)));
               });
  return extremes.result();
}

template <class T, class Wide>
std::optional<ElementBounds> bounds_of(const polycodec_array& leaf) {
  return bounds<T, T, Wide>(leaf, [](T value) { return value; });
}

}  // namespace

std::optional<ElementBounds> element_bounds(const polycodec_array& leaf) {
  if (ArrayView(leaf).element_count() == 0) return std::nullopt;
  switch (leaf.dtype) {
    case POLYCODEC_DTYPE_INT8:
      return bounds_of<std::int8_t, std::int64_t>(leaf);
    case POLYCODEC_DTYPE_INT16:
      return bounds_of<std::int16_t, std::int64_t>(leaf);
    case POLYCODEC_DTYPE_INT32:
      return bounds_of<std::int32_t, std::int64_t>(leaf);
    case POLYCODEC_DTYPE_INT64:
      return bounds_of<std::int64_t, std::int64_t>(leaf);
    case POLYCODEC_DTYPE_UINT8:
      return bounds_of<std::uint8_t, std::uint64_t>(leaf);
    case POLYCODEC_DTYPE_UINT16:
      return bounds_of<std::uint16_t, std::uint64_t>(leaf);
    case POLYCODEC_DTYPE_UINT32:
      return bounds_of<std::uint32_t, std::uint64_t>(leaf);
    case POLYCODEC_DTYPE_UINT64:
      return bounds_of<std::uint64_t, std::uint64_t>(leaf);
    case POLYCODEC_DTYPE_FLOAT16:
      return bounds<std::uint16_t, float, double>(
          leaf, [](std::uint16_t bits) { return half_to_float(bits); });
    case POLYCODEC_DTYPE_FLOAT32:
      return bounds_of<float, double>(leaf);
    case POLYCODEC_DTYPE_FLOAT64:
      return bounds_of<double, double>(leaf);
    default:
      return std::nullopt;
  }
}

}  // namespace polycodec::schema
