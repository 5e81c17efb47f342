// SPDX-License-Identifier: MIT
// The commands of `polycodec mesh`: each adds its help, options and action.
#pragma once

#include "tools/common/program.hpp"

namespace polycodec::cli {

void describe_mesh_check(Command& command, Context& context);
void describe_mesh_repair(Command& command, Context& context);

}  // namespace polycodec::cli
