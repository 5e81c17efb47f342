// SPDX-License-Identifier: MIT
#include "program.hpp"

#include <base/quote.hpp>

#include "core/io/mapping_guard.hpp"
#include "registry/choose/suggestions.hpp"
#include "registry/config/old_words.hpp"
#include "registry/load/external_command.hpp"
#include "terminal.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <utility>

namespace polycodec::cli {
namespace {

extern "C" void on_interrupt(int) {
  interrupted().store(true);
}

std::vector<std::string> names_of(const Command& command) {
  std::vector<std::string> names;
  for (const Command& child : command.commands) names.push_back(child.name);
  return names;
}

/// Throws the error of an unknown command. `before` is what stands before its name.
[[noreturn]] void refuse_command(const std::string& word, const std::string& before,
                                 const std::vector<std::string>& names) {
  const std::string shown = (before + " ").substr(sizeof "polycodec");
  throw Error(Status::option, "no command is called " + quote(shown + word) +
                                  did_you_mean(word, names) + "; `" + before +
                                  " --help` lists them");
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

void note_old(Context& context, std::string_view old, std::string_view now) {
  context.note(styled(Style::warning, "warning:", true) + " " + quote(old) +
               " is the old name of " + quote(now));
}

/// Replaces the old name of a flag in `word` (`--NAME` or `--NAME=VALUE`), with a note.
void renew_flag(Context& context, const Command& command, std::string& word) {
  const auto known = [&](std::string_view name) {
    return std::ranges::any_of(command.options, [&](const Option& option) {
      return ("," + option.names + ",").find("," + std::string(name) + ",") != std::string::npos;
    });
  };
  const std::string old = word.substr(0, word.find('='));
  const std::string_view now = known(old) ? std::string_view() : word_now(old, known);
  if (now.empty()) return;
  word.replace(0, old.size(), now);
  note_old(context, old, now);
}

/// Throws if a command is expected and the word is none. Replaces old names of commands and flags.
void check_words(Context& context, const Command& program, std::vector<std::string>& words) {
  const Command* at = &program;
  std::string before = at->name;
  for (std::string& word : words) {
    const bool is_flag = word.starts_with('-');
    if (word == "--" || at->rest != nullptr || (is_flag && !at->commands.empty())) return;
    if (word.starts_with("--")) renew_flag(context, *at, word);
    if (is_flag || at->commands.empty()) continue;
    const auto find = [&](std::string_view name) {
      return std::ranges::find(at->commands, name, &Command::name);
    };
    auto next = find(word);
    if (next == at->commands.end()) {
      next = find(
          word_now(word, [&](std::string_view name) { return find(name) != at->commands.end(); }));
      if (next == at->commands.end()) refuse_command(word, before, names_of(*at));
      note_old(context, word, next->name);
      word = next->name;
    }
    at = &*next;
    before += " " + at->name;
  }
}

int run(Context& context, const char* name, const char* description, int argc, char** argv,
        Definition define) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (words.size() == 1 && words[0] == "--version") {
    context.print(version_text());
    return exit_done;
  }
  const bool asks_for_documentation = words.size() == 2 && words[0] == "documentation";
  const bool named = !words.empty() && !words[0].starts_with('-') && !asks_for_documentation;
  Command program{name, description};
  define(program, context, named ? words[0] : std::string());
  if (asks_for_documentation && print_documentation(program, words[1], context)) return exit_done;
  if (named && program.options.empty() &&
      std::ranges::find(program.commands, words[0], &Command::name) == program.commands.end()) {
    program.commands.clear();
    define(program, context, {});  // all of them, for suggestions
    if (program.name == "polycodec") run_external(context, words, names_of(program));
  }
  context.options.quiet = std::ranges::any_of(
      words, [](const std::string& word) { return word == "-q" || word == "--quiet"; });
  check_words(context, program, words);
  std::signal(SIGINT, on_interrupt);
  posix::guard_mappings();
  std::signal(SIGPIPE, SIG_IGN);  // a reader that has gone away is an error of writing, not a death
  const int status = parse_and_run(program, std::move(words));
  context.report_losses();
  return status;
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
