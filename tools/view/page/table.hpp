// SPDX-License-Identifier: MIT
// Records and matrices as tables of a page, and items as short text.
#pragma once

#include <polycodec/view.hpp>

#include "common/json.hpp"
#include "view/meter.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace polycodec::page {

using cli::Json;

/// Returns `text`, cut at a character boundary to about `most` bytes.
std::string cut(std::string text, std::size_t most);

/// Returns an item in plain typed JSON, cut to about `most` bytes.
std::string plain_text(const View& view, std::size_t most);

/// Returns the table of a list of records (by rows or by columns), of an object of columns of one
/// length, or of a matrix; nothing for other values. Shows the first and the last rows, and at most
/// so many columns. Its form is described at outline(). Throws Error(limit).
std::optional<Json> table_of(const View& view, cli::Meter& meter);

}  // namespace polycodec::page
