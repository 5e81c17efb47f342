// SPDX-License-Identifier: MIT
// Lines and columns of text, for errors of text formats.
#pragma once

#include <polycodec/error.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace polycodec {

/// Line and column, both from 1. Columns count bytes.
struct LineColumn {
  std::uint64_t line = 1;
  std::uint64_t column = 1;
};

/// Returns the place of the byte at `offset` of `text`. Lines end with a newline. An offset after
/// the end is taken as the end. Linear in `offset`: call it for a message, not for each item.
LineColumn line_column(std::string_view text, std::uint64_t offset) noexcept;

/// Returns an error about the byte at `offset` of `text`, with this offset, and with the line and
/// column after the message: `expected a number (line 3, column 7)`.
Error text_error(Status status, std::string message, std::string_view text, std::uint64_t offset);

}  // namespace polycodec
