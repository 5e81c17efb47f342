// SPDX-License-Identifier: MIT
// The subcommands of `polycodec fastbin`, each in its own file.
#pragma once

#include "tools/common/program.hpp"

namespace polycodec::cli {

void describe_fastbin_diff(Command& command, Context& context);
void describe_fastbin_generate(Command& command, Context& context);
void describe_fastbin_infer(Command& command, Context& context);
void describe_fastbin_verify(Command& command, Context& context);

}  // namespace polycodec::cli
