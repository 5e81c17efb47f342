// SPDX-License-Identifier: MIT
// The words of a command line before they are parsed: where options may stand, and suggestions for
// unknown ones.
#pragma once

#include "common/command.hpp"

#include <string>
#include <vector>

namespace polycodec::cli {

/// Turns `help` and `help COMMAND...` into the options that print the help, and puts shared options
/// such as --config behind the first word of the command. Only for a program with commands.
void put_command_first(std::vector<std::string>& words);

/// Leaves out shared options that the command has no use for. Throws Status::option, with a
/// suggestion, for an unknown command or option.
void check_words(const Command& program, std::vector<std::string>& words);

/// Throws the error of an unknown command. `before` is the part of the line before its name.
[[noreturn]] void refuse_command(const std::string& word, const std::string& before,
                                 const std::vector<std::string>& names);

/// The names of the commands below a command.
std::vector<std::string> names_of(const Command& command);

}  // namespace polycodec::cli
