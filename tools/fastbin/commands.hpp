// SPDX-License-Identifier: MIT
// The subcommands of `polycodec fastbin`, each in its own file.
#pragma once

#include "common/program.hpp"

namespace polycodec::cli {

void describe_fastbin_diff(Command& command, CommonOptions& options);
void describe_fastbin_generate(Command& command, CommonOptions& options);
void describe_fastbin_infer(Command& command, CommonOptions& options);
void describe_fastbin_verify(Command& command, CommonOptions& options);

}  // namespace polycodec::cli
