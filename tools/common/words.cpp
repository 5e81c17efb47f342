// SPDX-License-Identifier: MIT
#include "common/words.hpp"

#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "common/common_options.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace polycodec::cli {
namespace {

/// The options that all commands share, whether or not they have a use for them.
const Command& shared_options() {
  static CommonOptions options;  // which the targets of the options need
  static const Command shared = [] {
    Command command{"", ""};
    add_common_options(command, options);
    return command;
  }();
  return shared;
}

const Option* find_option(const Command& command, std::string_view name) {
  const auto found = std::ranges::find_if(command.options, [&](const Option& option) {
    return ("," + option.names + ",").find("," + std::string(name) + ",") != std::string::npos;
  });
  return found == command.options.end() || found->is_operand() ? nullptr : &*found;
}

/// The words of the option at `at`: two if its value is a word of its own.
std::size_t words_of(const Option& option, const std::string& word) {
  return option.is_flag() || word.find('=') != std::string::npos ? 1 : 2;
}

std::string name_in(const std::string& word) {
  return word.substr(0, word.find('='));
}

[[noreturn]] void refuse_option(const std::string& word, const std::string& command,
                                const Command& known) {
  std::vector<std::string> names{"--help"};
  for (const Option& option : known.options) {
    const std::size_t at = option.names.find("--");
    if (at != std::string::npos) names.push_back(option.names.substr(at));
  }
  throw Error(Status::option, "unknown option " + quote(word) + did_you_mean(word, names) + "; `" +
                                  command + " --help` lists all");
}

/// Checks the words of one command, from `at` on: options that are shared but not known are left
/// out.
void check_options(const Command& command, const std::string& name, std::vector<std::string>& words,
                   std::size_t at) {
  while (at < words.size() && words[at] != "--") {
    const std::string& word = words[at];
    if (!word.starts_with("--")) {
      const Option* const option = find_option(command, name_in(word));
      at += option == nullptr ? 1 : words_of(*option, word);
      continue;
    }
    const std::string given = name_in(word);
    const Option* const option = find_option(command, given);
    if (option == nullptr && given != "--help") {
      const Option* const shared = find_option(shared_options(), given);
      if (shared == nullptr) refuse_option(given, name, command);
      const auto first = words.begin() + static_cast<std::ptrdiff_t>(at);
      const std::size_t count = std::min(words_of(*shared, word), words.size() - at);
      words.erase(first, first + static_cast<std::ptrdiff_t>(count));
      continue;
    }
    at += option == nullptr ? 1 : words_of(*option, word);
  }
}

}  // namespace

std::vector<std::string> names_of(const Command& command) {
  std::vector<std::string> names;
  for (const Command& child : command.commands) names.push_back(child.name);
  return names;
}

void refuse_command(const std::string& word, const std::string& before,
                    const std::vector<std::string>& names) {
  if (std::error_code ignored; before == "polycodec" && std::filesystem::exists(word, ignored))
    throw Error(Status::option, quote_path(word) + " is a file, not a command: try `polycodec " +
                                    "inspect " + word + "`; `polycodec --help` lists all");
  const std::string shown = (before + " ").substr(sizeof "polycodec");
  throw Error(Status::option, "no command is called " + quote(shown + word) +
                                  did_you_mean(word, names) + "; `" + before +
                                  " --help` lists them");
}

void put_command_first(std::vector<std::string>& words) {
  if (!words.empty() && words[0] == "help") {
    words.erase(words.begin());
    words.push_back("--help");
    return;
  }
  std::size_t at = 0;
  while (at < words.size() && words[at].starts_with('-')) {
    const Option* const option = find_option(shared_options(), name_in(words[at]));
    if (option == nullptr) return;  // --help, --version, or unknown
    at += words_of(*option, words[at]);
  }
  if (at < words.size()) {
    const auto command = words.begin() + static_cast<std::ptrdiff_t>(at);
    std::rotate(words.begin(), command, command + 1);
  }
}

void check_words(const Command& program, std::vector<std::string>& words) {
  const Command* at = &program;
  std::string before = at->name;
  std::size_t i = 0;
  std::vector<std::string> moved;  // shared options that stood before the last command
  for (; i < words.size() && !at->commands.empty(); ++i) {
    const std::string& word = words[i];
    if (word.starts_with('-')) {
      const Option* const option = find_option(shared_options(), name_in(word));
      if (at == &program || option == nullptr) return;
      const std::size_t end = std::min(i + words_of(*option, word), words.size());
      const auto first = words.begin() + static_cast<std::ptrdiff_t>(i);
      const auto last = words.begin() + static_cast<std::ptrdiff_t>(end);
      moved.insert(moved.end(), first, last);
      words.erase(first, last);
      --i;
      continue;
    }
    const auto next = std::ranges::find(at->commands, word, &Command::name);
    if (next == at->commands.end()) refuse_command(word, before, names_of(*at));
    at = &*next;
    before += " " + at->name;
  }
  words.insert(words.begin() + static_cast<std::ptrdiff_t>(i), moved.begin(), moved.end());
  if (at->rest == nullptr && at->commands.empty()) check_options(*at, before, words, i);
}

}  // namespace polycodec::cli
