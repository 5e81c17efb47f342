// SPDX-License-Identifier: MIT
// The subcommands of `polycodec fastbin`, each in a file of its own.
#pragma once

#include "commands.hpp"

namespace polycodec::cli {

void add_fastbin_diff(CLI::App& fastbin, Context& context, Action& action);
void add_fastbin_generate(CLI::App& fastbin, Context& context, Action& action);
void add_fastbin_infer(CLI::App& fastbin, Context& context, Action& action);
void add_fastbin_verify(CLI::App& fastbin, Context& context, Action& action);

}  // namespace polycodec::cli
