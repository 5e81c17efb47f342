// SPDX-License-Identifier: MIT
// The parts of generated code that are the same for all schemas. The build puts the files of
// ../runtime into the program (embed.cmake).
#pragma once

#include <string_view>

namespace polycodec::fastbin {

/// fastbin_runtime.hpp
std::string_view cpp_runtime_text();
/// FastbinRuntime.jl
std::string_view julia_runtime_text();

}  // namespace polycodec::fastbin
