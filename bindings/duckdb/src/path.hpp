// SPDX-License-Identifier: MIT
// Paths into values: `$.vertex.x`, `$["any key"]`, `$.list[3]`.
#pragma once

#include <string>
#include <string_view>

namespace polycodec_sql {

/// Returns the path of a member of what `path` names.
std::string member_path(std::string_view path, std::string_view name);

/// Returns the path without its steps to items, as a projection wants it: `$.a` for `$.a[3]`.
std::string without_items(std::string_view path);

}  // namespace polycodec_sql
