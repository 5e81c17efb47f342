// SPDX-License-Identifier: MIT
// The options --columns and --rows.
#pragma once

#include <polycodec/polycodec.hpp>

#include <string_view>

namespace polycodec::cli {

/// Sets what the strings of the two options ask for; empty: everything. Throws
/// Error(Status::option) for rows that are not a range. Paths are looked at by whoever decodes.
/// Returns true if they ask for a part.
bool set_projection(CallOptions& call, std::string_view columns, std::string_view rows);

}  // namespace polycodec::cli
