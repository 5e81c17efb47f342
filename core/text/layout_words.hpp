// SPDX-License-Identifier: MIT
// The words of the form `$layout`.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/detail/layout_fields.hpp>

#include <string_view>

namespace polycodec::text {

/// Names of the flags of an array, by bit.
inline constexpr std::string_view flag_names[] = {"string", "binary", "bits_lsb", "mask_valid"};

/// The names of the structure columns of a layout; empty where it has none.
struct ColumnNames {
  std::string_view first;
  std::string_view second;
};

constexpr ColumnNames column_names(std::uint32_t layout) noexcept {
  switch (layout) {
    case POLYCODEC_LAYOUT_LIST_OFFSETS:
      return {"offsets", ""};
    case POLYCODEC_LAYOUT_LIST_VIEW:
      return {"starts", "stops"};
    case POLYCODEC_LAYOUT_UNION:
      return {"index", "tags"};
    case POLYCODEC_LAYOUT_OPTION_BYTES:
    case POLYCODEC_LAYOUT_OPTION_BITS:
      return {"mask", ""};
    case POLYCODEC_LAYOUT_INDEXED:
      return {"index", ""};
    default:
      return {"", ""};
  }
}

}  // namespace polycodec::text
