// SPDX-License-Identifier: MIT
// The commands of `polycodec mesh`: each adds its help, options and action.
#pragma once

#include "common/program.hpp"

namespace polycodec::cli {

void describe_mesh_check(Command& command, CommonOptions& options);
void describe_mesh_repair(Command& command, CommonOptions& options);

}  // namespace polycodec::cli
