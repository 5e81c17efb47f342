// SPDX-License-Identifier: MIT
// The `polycodec` command.
#include <polycodec/near_names.hpp>

#include "commands.hpp"
#include "context.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

namespace {

extern "C" void on_interrupt(int) {
  polycodec::cli::interrupted().store(true);
}

/// What to say of a word that stands where a command should and is none; "" if there is none.
std::string unknown_command(CLI::App& app, int argc, char** argv) {
  CLI::App* at = &app;
  for (int i = 1; i < argc && at->get_require_subcommand_min() != 0; ++i) {
    const std::string word = argv[i];
    if (word.starts_with('-')) return {};
    const auto all = at->get_subcommands([](CLI::App*) { return true; });
    const auto next =
        std::find_if(all.begin(), all.end(), [&](CLI::App* known) { return known->get_name() == word; });
    if (next != all.end()) {
      at = *next;
      continue;
    }
    std::vector<std::string> names;
    for (const CLI::App* known : all)
      if (!known->get_group().empty()) names.push_back(known->get_name());
    const std::string before = at == &app ? "" : at->get_name() + " ";
    return "no command is called '" + before + word + "'" + polycodec::did_you_mean(word, names) + "; `polycodec " +
           before + "--help` lists them";
  }
  return {};
}

int run(int argc, char** argv) {
  using namespace polycodec::cli;
  CLI::App app("Looks into files of many formats, checks them, and turns them into each other.", "polycodec");
  app.set_version_flag("--version", POLYCODEC_VERSION " (plugin ABI 1)");
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::help);
  app.footer(
      "Exit status: 0 done, 1 the input or the data was refused, 2 wrong usage, 3 no such codec or plugin refused.");

  Context context;
  Action action;
  add_list(app, context, action);
  add_info(app, context, action);
  add_doctor(app, context, action);
  add_config(app, context, action);
  add_type(app, context, action);
  add_sniff(app, context, action);
  add_inspect(app, context, action);
  add_decode(app, context, action);
  add_encode(app, context, action);
  add_convert(app, context, action);
  add_validate(app, context, action);
  add_hash(app, context, action);
  add_message(app, context, action);
  add_negotiate(app, context, action);
  add_render(app, context, action);
  add_schema(app, context, action);
  add_fastbin(app, context, action);
  add_store(app, context, action);
  add_plugin(app, context, action);
  add_documentation(app, context, action);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const std::string unknown = unknown_command(app, argc, argv);
    if (error.get_exit_code() != 0 && !unknown.empty())
      return context.report(polycodec::Error(polycodec::Status::option, unknown));
    return app.exit(error) == 0 ? exit_done : exit_usage;
  }
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGPIPE, SIG_IGN);  // a reader that has gone away is an error of writing, not a death
  try {
    return action();
  } catch (const polycodec::Error& error) {
    return context.report(error);
  } catch (const std::bad_alloc&) {
    return context.report(polycodec::Error(polycodec::Status::memory, "out of memory"));
  } catch (const std::exception& error) {
    return context.report(polycodec::Error(polycodec::Status::internal, error.what()));
  }
}

}  // namespace

int main(int argc, char** argv) try {
  return run(argc, argv);
} catch (const std::exception& error) {  // of what comes before the context can report
  std::cerr << "polycodec: " << error.what() << "\n";
  return polycodec::cli::exit_refused;
}
