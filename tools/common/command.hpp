// SPDX-License-Identifier: MIT
// A command and its options, as a table that the parser, the man page and the completion read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace polycodec::cli {

class Run;

/// An option, a flag or (where the name has no dash) an operand.
struct Option {
  using Target = std::variant<bool*, std::string*, std::vector<std::string>*, std::uint64_t*,
                              unsigned*, double*>;
  std::string names;  ///< such as "-o,--output" or "FILE"
  Target target;      ///< what is parsed goes here; a flag sets a bool
  std::string help;
  std::string value_name = {};
  std::string section = {};  ///< of the help, such as "Input"; empty: "Options"
  std::vector<std::string> choices = {};
  std::uint64_t least = 0, most = UINT64_MAX;  ///< of numbers
  bool needed = false;
  bool shows_default = false;

  Option& required() {
    needed = true;
    return *this;
  }
  Option& show_default() {
    shows_default = true;
    return *this;
  }
  Option& one_of(std::vector<std::string> words) {
    choices = std::move(words);
    return *this;
  }
  Option& range(std::uint64_t from, std::uint64_t to) {
    least = from;
    most = to;
    return *this;
  }

  bool is_operand() const { return !names.starts_with('-'); }
  bool is_flag() const { return std::holds_alternative<bool*>(target); }
};

/// Options keep their addresses.
struct Command {
  std::string name, help;
  std::string example = {};  ///< one line that works
  std::string section = {};  ///< of the help of the command above, such as "Convert"
  std::deque<Option> options = {};
  std::deque<Command> commands = {};
  /// Returns the exit status; errors are thrown as polycodec::Error.
  std::function<int(const Run& run)> run = {};
  bool compares = false;  ///< any error is status 2, as in other programs that compare files
  std::vector<std::string>* rest = nullptr;  ///< where arguments go that are not its own

  /// `names` such as "FILE", "--quiet", or "-o,--output OUT" with a name for the value.
  Option& add(std::string_view names, Option::Target target, std::string text) {
    const std::size_t end = std::min(names.find(' '), names.size());
    const std::string_view value = names.substr(std::min(end + 1, names.size()));
    options.push_back(
        {std::string(names.substr(0, end)), target, std::move(text), std::string(value)});
    return options.back();
  }
  /// Puts the options that `add_options` adds into a section of the help.
  template <class AddOptions>
  void add_section(const char* title, AddOptions&& add_options) {
    const std::size_t first = options.size();
    add_options();
    for (std::size_t i = first; i < options.size(); ++i) options[i].section = title;
  }
  Command& add_command(std::string word, std::string text, std::string line = {}) {
    Command& made = commands.emplace_back();
    made.name = std::move(word);
    made.help = std::move(text);
    made.example = std::move(line);
    return made;
  }
};

/// Parses the words after the program's name into the targets of the options. Returns the program,
/// or the command that the words name; null if they asked for help, which is printed. Throws
/// Status::option.
const Command* parse(Command& program, std::vector<std::string> words);

}  // namespace polycodec::cli
