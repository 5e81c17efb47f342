// SPDX-License-Identifier: MIT
// Numbers of the value model as numbers of another type, if not a bit is lost.
#pragma once

#include <base/convert_number.hpp>
#include <base/dtype_names.hpp>
#include <polycodec/view.hpp>

#include <cstdint>
#include <string>

namespace polycodec::dynd {

/// Writes the number `item` as `dtype`, little-endian, to `out`. An integer may become any integer
/// or float that holds it, a float one that holds it exactly (of the NaNs only the plain quiet
/// one), complex numbers likewise; true and false stay what they are. Returns false, and leaves
/// `out` unspecified, if the number does not fit; throws Error(type) if `item` is not a number of
/// that family.
inline bool number_as(const View& item, std::uint32_t dtype, std::uint8_t (&out)[16]) {
  if (const auto fits = polycodec::convert_number(item, dtype, out)) return *fits;
  const std::string_view name = dtype_name(item.dtype());
  throw Error(Status::type, "expected " + std::string(dtype_name(dtype)) + ", found " +
                                std::string(name.empty() ? kind_name(item.kind()) : name))
      .detail("dynd.type_mismatch");
}

}  // namespace polycodec::dynd
