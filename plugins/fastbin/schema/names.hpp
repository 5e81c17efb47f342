// SPDX-License-Identifier: MIT
// Which names a schema may give.
#pragma once

#include <string>
#include <string_view>

namespace polycodec::fastbin {

/// Why `name` cannot name an enum, a struct, a member or a part of the namespace, or "" if it can:
/// it must be an identifier (letters, digits and underscores in ASCII), no keyword of C++, and none
/// of the names that generated classes use themselves (`buffer`, `buffer_size`, `owns_buffer`, and
/// what starts with `fastbin_`).
std::string name_problem(std::string_view name);

}  // namespace polycodec::fastbin
