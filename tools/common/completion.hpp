// SPDX-License-Identifier: MIT
// Completion for shells, from the definitions that a program parses with.
#pragma once

#include "common/command.hpp"

#include <string>
#include <vector>

namespace polycodec::cli {

/// Names of an option as the user types them: "--json", "-o", "--output".
std::vector<std::string> spellings(const Option& option);

/// The options of a command, with the one that every command has.
std::vector<Option> options_of(const Command& command);

/// Adds all words that may follow a command.
void add_words(const Command& from, std::string& words);

std::string bash_completion(const Command& program);
std::string zsh_completion(const Command& program);
std::string fish_completion(const Command& program);

}  // namespace polycodec::cli
