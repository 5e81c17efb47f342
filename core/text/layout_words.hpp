// SPDX-License-Identifier: MIT
// The words of the form `$layout`.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/detail/layout_fields.hpp>

#include <string_view>

namespace polycodec::text {

/// Names of the flags of an array, by bit.
inline constexpr std::string_view flag_names[] = {"string", "binary", "bits_lsb", "mask_valid"};

/// The columns that the notation writes: the offsets of chunks follow from the chunks.
constexpr ColumnNames written_columns(std::uint32_t layout) noexcept {
  return layout == POLYCODEC_LAYOUT_CHUNKED ? ColumnNames{} : column_names(layout);
}

}  // namespace polycodec::text
