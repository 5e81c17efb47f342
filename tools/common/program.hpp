// SPDX-License-Identifier: MIT
// What `polycodec` and the programs that it runs (`polycodec-NAME`) have in common.
#pragma once

#include "common/run.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace polycodec::cli {

/// What --version prints.
inline std::string version_text() {
  return POLYCODEC_VERSION " (plugin ABI " + std::to_string(POLYCODEC_ABI_MAJOR) + ")";
}

/// Adds the options and commands of a program, whose shared options go to `options`. `only`, if not
/// empty, is the one command that is wanted: the others need not be added.
using Definition = void (*)(Command& program, CommonOptions& options, std::string_view only);

/// The directory of this program, where those of further commands are.
std::filesystem::path own_directory();

/// The names in a directory, in their order; none with a `problem`. Where memory runs out it throws
/// std::bad_alloc, which ends the program in std::filesystem::directory_iterator.
std::vector<std::string> names_in(const std::filesystem::path& directory, std::error_code& problem);

/// The main function of a program: parses the arguments, runs what they ask for and reports errors.
/// Returns the exit status. `NAME documentation man|bash|zsh|fish|words` prints the man page, the
/// completion for a shell, or the words that complete an argument; `NAME documentation pages DIR`
/// writes a man page for each command into DIR. The program `polycodec` runs
/// `polycodec-NAME` for a NAME that it does not define.
int run_program(const char* name, const char* description, int argc, char** argv,
                Definition define);

/// Prints the documentation that the words of a command line ask for; false if they ask for none.
bool print_documentation(const Command& program, const std::vector<std::string>& words,
                         const Reporter& out);

}  // namespace polycodec::cli
