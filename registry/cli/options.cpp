// SPDX-License-Identifier: MIT
// The only file that knows CLI11.
#include "program.hpp"
#include "terminal.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <CLI/Validators.hpp>

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <utility>

namespace polycodec::cli {
namespace {

void add_option(CLI::App& app, Option& option) {
  CLI::Option* made = nullptr;
  if (option.is_flag()) {
    made = app.add_flag(option.names, *std::get<bool*>(option.target), option.help);
  } else {
    made =
        std::visit([&](auto* target) { return app.add_option(option.names, *target, option.help); },
                   option.target);
    if (option.shows_default) made->capture_default_str();
  }
  if (!option.value_name.empty()) made->type_name(option.value_name);
  if (!option.choices.empty()) made->check(CLI::IsMember(option.choices));
  if (option.most != UINT64_MAX) made->check(CLI::Range(option.least, option.most));
  made->required(option.needed);
}

/// Adds the options and subcommands of `command` to `app`. `chosen` becomes what is to be run.
void describe(CLI::App& app, Command& command, Command*& chosen) {
  for (Option& option : command.options) add_option(app, option);
  for (Command& child : command.commands)
    describe(*app.add_subcommand(child.name, child.help), child, chosen);
  if (!command.commands.empty()) {
    app.require_subcommand(1);
    return;
  }
  if (command.rest != nullptr) app.prefix_command();
  app.callback([&app, &command, &chosen] {
    chosen = &command;
    if (command.rest != nullptr)
      for (const std::string& word : app.remaining()) command.rest->push_back(word);
  });
}

}  // namespace

int parse_and_run(Command& program, std::vector<std::string> words) {
  CLI::App app(program.help, program.name);
  app.failure_message(CLI::FailureMessage::help);
  app.set_version_flag("--version", version_text());
  app.footer(
      "Exit status: 0 done, 1 the input or the data was refused, 2 wrong usage, 3 no such codec or "
      "plugin refused.");
  Command* chosen = nullptr;
  describe(app, program, chosen);
  try {
    std::ranges::reverse(words);  // as CLI11 takes them
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, err;
    const int status = app.exit(error, out, err);
    std::fputs(printable(out.str()).c_str(), stdout);
    std::fputs(printable(err.str()).c_str(), stderr);
    return status == 0 ? exit_done : exit_usage;
  }
  return chosen->run();
}

}  // namespace polycodec::cli
