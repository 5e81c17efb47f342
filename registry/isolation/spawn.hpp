// SPDX-License-Identifier: MIT
// Starting polycodec-sandbox.
#pragma once

#include <sys/types.h>

namespace polycodec::isolation {

/// Starts the program `polycodec-sandbox` beside the library, with `control` as descriptor 3 and no
/// other one, no signal handlers, and few variables of the environment. Throws LoadFailure(load)
/// that names the package.
pid_t spawn_sandbox(int control);

}  // namespace polycodec::isolation
