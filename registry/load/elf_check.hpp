// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace polycodec {

/// Why the open file is not a complete shared library in ELF format for the machine that this
/// process runs on; empty if it is. The system's loader does not check this: it maps what the
/// headers promise, and a file that was cut short then kills the process with SIGBUS. Runs nothing
/// of the file.
std::string elf_problem(int fd);

}  // namespace polycodec
