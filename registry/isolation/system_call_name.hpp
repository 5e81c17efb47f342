// SPDX-License-Identifier: MIT
// Names of system calls, for the errors of workers that made a forbidden one.
#pragma once

#include <string>

namespace polycodec {

/// Returns the name of a system call that plugins are likely to try, such as "openat", or "number
/// 999" for any other.
std::string system_call_name(long number);

}  // namespace polycodec
