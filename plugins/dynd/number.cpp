// SPDX-License-Identifier: MIT
#include "number.hpp"

#include <base/convert_number.hpp>
#include <base/dtype_names.hpp>

#include <string>

namespace polycodec::dynd {

bool convert_number(const View& item, std::uint32_t dtype, std::uint8_t (&out)[16]) {
  if (const auto fits = polycodec::convert_number(item, dtype, out)) return *fits;
  const std::string_view name = dtype_name(item.dtype());
  throw Error(Status::type, "expected " + std::string(dtype_name(dtype)) + ", found " +
                                std::string(name.empty() ? kind_name(item.kind()) : name))
      .detail("dynd.type_mismatch");
}

}  // namespace polycodec::dynd
