// SPDX-License-Identifier: MIT
// Writing one scalar as an element of a leaf, exactly or not at all.
#pragma once

#include <polycodec/view.hpp>

namespace polycodec::detail {

/// How elements of a leaf look in memory; always in host byte order.
struct ElementLayout {
  std::uint32_t dtype = POLYCODEC_DTYPE_NONE;
  std::uint32_t item_size = 0;
  std::uint32_t unit = 0;
};

/// Writes `item` to the item_size bytes at `out`. Throws Error(Status::type) if it is no such thing
/// at all and Error(Status::range) if it would not be exactly the same.
void store_scalar(const View& item, const ElementLayout& layout, std::byte* out);

}  // namespace polycodec::detail
