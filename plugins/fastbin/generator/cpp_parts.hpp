// SPDX-License-Identifier: MIT
// Enums and structs as code of C++; the parts of a generated header.
#pragma once

#include "cpp_names.hpp"

namespace polycodec::fastbin {

/// The enum, is_known, to_string, from_string, operator<< and, if the schema wants it, parse_NAME.
void write_cpp_enum(CodeText& code, const Schema& schema, const CppNames& names, std::size_t index);
/// The class that views a struct, its Values, and its Writer.
void write_cpp_struct(CodeText& code, const Schema& schema, const CppNames& names,
                      std::size_t index);

}  // namespace polycodec::fastbin
