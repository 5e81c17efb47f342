// SPDX-License-Identifier: MIT
// Names that are no keywords and yet cannot be used in C++.
#pragma once

#include <string_view>

namespace polycodec::fastbin {

/// True for the name of a macro that standard headers of usual systems define: the preprocessor
/// would replace it wherever generated code has it.
bool is_cpp_macro(std::string_view name);

}  // namespace polycodec::fastbin
