// SPDX-License-Identifier: MIT
// The options --columns and --rows.
#pragma once

#include <polycodec/codec_handle.hpp>

#include <string_view>

namespace polycodec::cli {

/// What the strings of the two options ask for; empty: everything. Throws Error(Status::option) for
/// rows that are not a range. Paths are looked at by whoever decodes.
Projection projection_of(std::string_view columns, std::string_view rows);

}  // namespace polycodec::cli
