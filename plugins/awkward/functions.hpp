// SPDX-License-Identifier: MIT
// What this plugin registers.
#pragma once

#include <polycodec/function.hpp>

namespace polycodec::awkward {

/// The type `awkward_table`, which the manifest names with the same notation.
inline constexpr polycodec_type table_type =
    make_type("awkward_table", "Rows * {...}", "A table of columns");

/// The functions that files may call, under every name that files know them by. They take values
/// and make values; none of them reads a file, looks a name up, or runs anything that data brings.
struct Functions {
  static constexpr const char* id = POLYCODEC_FUNCTIONS_INTERFACE;
  /// The polycodec_functions table.
  static const void* get() noexcept;
};

}  // namespace polycodec::awkward
