// SPDX-License-Identifier: MIT
#include "program.hpp"

#include "core/io/mapping_guard.hpp"
#include "registry/load/external_command.hpp"
#include "terminal.hpp"
#include "words.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <utility>

namespace polycodec::cli {
namespace {

/// The first Ctrl-C ends running calls, the second one the program.
extern "C" void on_interrupt(int) {
  if (!ends_at_once().load() && !interrupted().exchange(true)) return;
  if (Activity::is_shown()) static_cast<void>(!::write(STDERR_FILENO, "\n", 1));
  ::_exit(exit_interrupted);
}

bool has_command(const Command& program, std::string_view name) {
  return std::ranges::find(program.commands, name, &Command::name) != program.commands.end();
}

/// Runs `polycodec-NAME`, or throws the error of an unknown command.
[[noreturn]] void run_external(Context& context, const std::vector<std::string>& words,
                               std::vector<std::string> names) {
  const auto& options = context.configuration().registry;
  run_command(words[0], {words.begin() + 1, words.end()}, options, own_directory());
  for (const ProbeRecord& record : find_commands(options, own_directory()))
    names.push_back(record.id.substr(record.id.find(':') + 1));
  refuse_command(words[0], "polycodec", names);
}

/// Adds the programs `polycodec-NAME` to the help. A configuration that cannot be read does not
/// hide the help of the commands.
void add_programs(Command& program, Context& context) try {
  for (const ProbeRecord& record :
       find_commands(context.configuration().registry, own_directory())) {
    const std::string name = record.id.substr(record.id.find(':') + 1);
    if (record.outcome == Outcome::refused || has_command(program, name)) continue;
    Command& made = program.add_command(name, "Run the program polycodec-" + name);
    made.section = "Other programs";
  }
} catch (const Error& error) {
  context.note("the list has no other programs: " + error.describe());
}

int run(Context& context, const char* name, const char* description, int argc, char** argv,
        Definition define) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (words.size() == 1 && (words[0] == "--version" || words[0] == "-V")) {
    context.print(version_text());
    return exit_done;
  }
  const bool asks_for_documentation = words.size() >= 2 && words[0] == "documentation";
  if (!asks_for_documentation) put_command_first(words);
  const bool named = !words.empty() && !words[0].starts_with('-') && !asks_for_documentation;
  Command program{name, description};
  define(program, context, named ? words[0] : std::string());
  if (asks_for_documentation && print_documentation(program, words, context)) return exit_done;
  if (program.name == "polycodec" && words.size() == 1 &&
      (words[0] == "--help" || words[0] == "-h"))
    add_programs(program, context);
  if (named && program.options.empty() && !has_command(program, words[0])) {
    program.commands.clear();
    define(program, context, {});  // all of them, for suggestions
    if (program.name == "polycodec") run_external(context, words, names_of(program));
  }
  // What is wrong with the words is told as the words ask for.
  const auto has = [&](std::string_view word) {
    return std::ranges::find(words, word) != words.end();
  };
  context.options.quiet = has("-q") || has("--quiet");
  context.options.json = has("--json");
  check_words(context, program, words);
  std::signal(SIGINT, on_interrupt);
  posix::guard_mappings();
  std::signal(SIGPIPE, SIG_IGN);  // a reader that has gone away is an error of writing, not a death
  const int status = parse_and_run(program, std::move(words));
  context.report_losses();
  return status != exit_done && interrupted() ? exit_interrupted : status;
}

}  // namespace

int run_program(const char* name, const char* description, int argc, char** argv,
                Definition define) try {
  Context context;
  try {
    return run(context, name, description, argc, argv, define);
  } catch (const Error& error) {
    return context.report(error);
  } catch (const std::bad_alloc&) {
    return context.report(Error(Status::memory, "out of memory"));
  } catch (const std::exception& error) {
    return context.report(Error(Status::internal, error.what()));
  }
} catch (const std::bad_alloc&) {  // even the report needed memory
  std::fprintf(stderr, "%s: out of memory\n", name);
  return exit_refused;
} catch (const std::exception& error) {  // from before the context can report
  std::fprintf(stderr, "%s: %s\n", name, error.what());
  return exit_refused;
}

}  // namespace polycodec::cli
