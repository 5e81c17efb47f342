// SPDX-License-Identifier: MIT
// The only file that knows CLI11.
#include "common/program.hpp"
#include "common/terminal.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <CLI/Validators.hpp>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <sstream>
#include <utility>

namespace polycodec::cli {
namespace {

/// CLI11 takes an operand `[a, b]` for two, where there may be several. A mark before it hides the
/// bracket.
constexpr char mark = '\1';

std::string marked(std::string word) {
  if (word.starts_with('[') || word.starts_with(mark)) word.insert(word.begin(), mark);
  return word;
}

std::string unmarked(std::string word) {
  if (word.starts_with(mark)) word.erase(0, 1);
  return word;
}

void add_option(CLI::App& app, Option& option) {
  CLI::Option* made = nullptr;
  if (option.is_flag()) {
    made = app.add_flag(option.names, *std::get<bool*>(option.target), option.help);
  } else {
    made =
        std::visit([&](auto* target) { return app.add_option(option.names, *target, option.help); },
                   option.target);
    if (option.shows_default) made->capture_default_str();
    // An option takes one word each time: what follows it is an operand.
    if (!option.is_operand()) made->allow_extra_args(false);
  }
  if (!option.value_name.empty()) made->type_name(option.value_name);
  if (!option.choices.empty()) made->check(CLI::IsMember(option.choices));
  if (option.most != UINT64_MAX) made->check(CLI::Range(option.least, option.most));
  if (!option.section.empty()) made->group(option.section);
  made->required(option.needed);
  if (!option.is_flag()) made->transform(std::function<std::string(std::string)>(unmarked));
}

/// Adds the options and subcommands of `command` to `app`. `chosen` becomes what is to be run.
void describe(CLI::App& app, Command& command, Command*& chosen) {
  for (Option& option : command.options) add_option(app, option);
  if (!command.example.empty()) app.footer("Example: " + command.example);
  for (Command& child : command.commands) {
    CLI::App& below = *app.add_subcommand(child.name, child.help);
    if (!child.section.empty()) below.group(child.section);
    describe(below, child, chosen);
  }
  if (!command.commands.empty()) app.require_subcommand(command.run ? 0 : 1, 1);
  if (!command.run) return;
  if (command.rest != nullptr) app.prefix_command();
  app.callback([&app, &command, &chosen] {
    if (!app.get_subcommands().empty()) return;  // the command of a command is what runs
    chosen = &command;
    if (command.rest != nullptr)
      for (const std::string& word : app.remaining()) command.rest->push_back(unmarked(word));
  });
}

/// The command that the words named, such as "polycodec store add".
std::string name_of(const CLI::App& app) {
  std::string name = app.get_name();
  for (const CLI::App* below : app.get_subcommands()) return name + " " + name_of(*below);
  return name;
}

/// The parser's message, as errors here begin, with what to do where the words show it.
std::string reason_of(const CLI::ParseError& error, const std::vector<std::string>& words) {
  std::string reason = error.what();
  const auto is_cut = [](const std::string& word) {
    return word.starts_with('{') && !word.ends_with('}');
  };
  if (std::ranges::any_of(words, is_cut))
    reason = "JSON with spaces is cut by the shell: quote it, as '{\"name\": \"value\"}'";
  if (reason == "FILE is required") reason += ", and '-' is standard input";
  if (reason == "A subcommand is required") reason = "the command is missing";
  std::erase(reason, mark);
  if (!reason.empty() && reason[0] >= 'A' && reason[0] <= 'Z' && reason.size() > 1 &&
      reason[1] >= 'a' && reason[1] <= 'z')
    reason[0] = static_cast<char>(reason[0] + ('a' - 'A'));
  return reason;
}

}  // namespace

const Command* parse(Command& program, std::vector<std::string> words) {
  CLI::App app(program.help, program.name);
  app.set_version_flag("-V,--version", version_text());
  Command* chosen = nullptr;
  describe(app, program, chosen);
  app.footer((program.example.empty() ? "" : "Example: " + program.example + "\n") +
             "Exit status: 0 done, 1 the input or the data was rejected, 2 wrong usage, 3 no such "
             "codec or plugin rejected");
  const std::vector<std::string> given = words;
  try {
    std::ranges::reverse(words);  // as CLI11 takes them
    for (std::string& word : words) word = marked(std::move(word));
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0)
      throw Error(Status::option,
                  reason_of(error, given) + "; `" + name_of(app) + " --help` lists all");
    std::ostringstream out;
    app.exit(error, out, out);
    Reporter().print(out.str());
    return nullptr;
  }
  return chosen;
}

}  // namespace polycodec::cli
