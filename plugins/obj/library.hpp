// SPDX-License-Identifier: MIT
// Writing material libraries (MTL).
#pragma once

#include <polycodec/view.hpp>
#include <polycodec/writer.hpp>

#include <string_view>

namespace polycodec::obj {

/// Writes the records of the member `materials` of an OBJ value as a library. Throws Error with the
/// path of what a library cannot hold.
void write_library(const View& materials, std::string_view newline, Writer& out);

}  // namespace polycodec::obj
