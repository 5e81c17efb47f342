// SPDX-License-Identifier: MIT
#include "element_bounds.hpp"

#include <base/contiguous.hpp>
#include <base/number_type.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/dtype.hpp>

#include <cmath>
#include <limits>
#include <type_traits>

namespace polycodec::schema {
namespace {

template <class T>
class Extremes {
 public:
  using Wide =
      std::conditional_t<std::is_floating_point_v<T>, double,
                         std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;

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

template <class Stored>
std::optional<ElementBounds> bounds_of(const polycodec_array& leaf) {
  Extremes<decltype(value_of(Stored()))> extremes;
  const auto order =
      leaf.byte_order == POLYCODEC_BIG_ENDIAN ? std::endian::big : std::endian::little;
  for_each_run(ArrayView(leaf),
               [&](const std::byte* data, std::uint64_t count, std::int64_t stride) {
                 for (std::uint64_t i = 0; i < count; ++i, data += stride)
                   extremes.add(value_of(load<Stored>(data, order)));
               });
  return extremes.result();
}

}  // namespace

std::optional<ElementBounds> element_bounds(const polycodec_array& leaf) {
  if (ArrayView(leaf).element_count() == 0) return std::nullopt;
  return with_number_type(
      leaf.dtype, [&](auto zero) { return bounds_of<decltype(zero)>(leaf); },
      []() -> std::optional<ElementBounds> { return std::nullopt; });
}

}  // namespace polycodec::schema
