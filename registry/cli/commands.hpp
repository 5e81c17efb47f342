// SPDX-License-Identifier: MIT
// The subcommands: each adds itself to the application and sets `result` when it is run.
#pragma once

#include "context.hpp"

#include <CLI/App.hpp>

#include <functional>

namespace polycodec::cli {

/// What a subcommand does when it is chosen; returns the exit status. Errors are thrown as polycodec::Error.
using Action = std::function<int()>;

void add_list(CLI::App& app, Context& context, Action& action);
void add_info(CLI::App& app, Context& context, Action& action);
void add_doctor(CLI::App& app, Context& context, Action& action);
void add_config(CLI::App& app, Context& context, Action& action);
void add_type(CLI::App& app, Context& context, Action& action);
void add_sniff(CLI::App& app, Context& context, Action& action);
void add_inspect(CLI::App& app, Context& context, Action& action);
void add_decode(CLI::App& app, Context& context, Action& action);
void add_encode(CLI::App& app, Context& context, Action& action);
void add_convert(CLI::App& app, Context& context, Action& action);
void add_validate(CLI::App& app, Context& context, Action& action);
void add_hash(CLI::App& app, Context& context, Action& action);
void add_message(CLI::App& app, Context& context, Action& action);
void add_negotiate(CLI::App& app, Context& context, Action& action);
void add_render(CLI::App& app, Context& context, Action& action);
void add_schema(CLI::App& app, Context& context, Action& action);
void add_fastbin(CLI::App& app, Context& context, Action& action);
void add_store(CLI::App& app, Context& context, Action& action);
void add_plugin(CLI::App& app, Context& context, Action& action);
/// The hidden subcommand that the build uses to write the man page and the shell completion.
void add_documentation(CLI::App& app, Context& context, Action& action);

}  // namespace polycodec::cli
