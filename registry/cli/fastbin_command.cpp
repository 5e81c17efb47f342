// SPDX-License-Identifier: MIT
// `polycodec fastbin`: what schemas of fastbin are good for beside decoding and encoding.
#include "fastbin_command.hpp"

#include "commands.hpp"

namespace polycodec::cli {

void add_fastbin(CLI::App& app, Context& context, Action& action) {
  CLI::App* command = app.add_subcommand("fastbin", "Work with schemas of fastbin buffers");
  command->require_subcommand(1);
  add_fastbin_verify(*command, context, action);
  add_fastbin_infer(*command, context, action);
  add_fastbin_diff(*command, context, action);
  add_fastbin_generate(*command, context, action);
}

}  // namespace polycodec::cli
