// SPDX-License-Identifier: MIT
// The system calls of a worker.
#pragma once

#include "registry/sandbox/confine.hpp"

namespace polycodec::sandbox {

/// Allows this process, from now on, the system calls that serving a call needs. Numbers that are
/// newer than the list answer ENOSYS. All others end the process, see confine_worker(). Returns 0
/// or an errno.
int filter_system_calls(ForbiddenCallHook hook);

}  // namespace polycodec::sandbox
