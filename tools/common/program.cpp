// SPDX-License-Identifier: MIT
#include "common/program.hpp"

#include <polycodec/quote.hpp>

#include "common/terminal.hpp"
#include "common/words.hpp"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>

namespace polycodec::cli {
namespace {

namespace fs = std::filesystem;

/// The first Ctrl-C ends running calls, the second one the program.
extern "C" void on_interrupt(int) {
  if (!ends_at_once().load() && interrupt_flag().exchange(1) == 0) return;
  if (Activity::is_shown()) static_cast<void>(!::write(STDERR_FILENO, "\n", 1));
  ::_exit(exit_interrupted);
}

bool has_command(const Command& program, std::string_view name) {
  return std::ranges::find(program.commands, name, &Command::name) != program.commands.end();
}

/// The names of the programs beside this one, `polycodec-NAME`, in their order.
std::vector<std::string> programs_beside() {
  constexpr std::string_view prefix = "polycodec-";
  std::vector<std::string> names;
  const fs::path directory = own_directory();
  std::error_code error;
  for (const std::string& file : names_in(directory, error)) {
    if (!file.starts_with(prefix)) continue;
    const fs::path path = directory / file;
    if (::access(path.c_str(), X_OK) == 0 && fs::is_regular_file(path, error))
      names.push_back(file.substr(prefix.size()));
  }
  return names;
}

/// Runs `polycodec-NAME` beside this program, or throws the error of an unknown command.
[[noreturn]] void run_beside(std::vector<std::string> words, std::vector<std::string> names) {
  const std::vector<std::string> beside = programs_beside();
  if (std::ranges::find(beside, words[0]) == beside.end()) {
    names.insert(names.end(), beside.begin(), beside.end());
    refuse_command(words[0], "polycodec", names);
  }
  words[0] = (own_directory() / ("polycodec-" + words[0])).string();
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execv(arguments[0], arguments.data());
  throw Error(Status::io,
              "cannot run " + quote_path(words[0]) + ": " + std::generic_category().message(errno));
}

int run(const char* name, const char* description, std::vector<std::string> words,
        const Reporter& out, Definition define) {
  if (words.size() == 1 && (words[0] == "--version" || words[0] == "-V")) {
    out.print(version_text());
    return exit_done;
  }
  const bool asks_for_documentation = words.size() >= 2 && words[0] == "documentation";
  if (!asks_for_documentation) put_command_first(words);
  const bool named = !words.empty() && !words[0].starts_with('-') && !asks_for_documentation;
  CommonOptions options;
  Command program{name, description};
  define(program, options, named ? words[0] : std::string());
  if (asks_for_documentation && print_documentation(program, words, out)) return exit_done;
  const bool has_programs = program.name == "polycodec";
  if (has_programs && words.size() == 1 && (words[0] == "--help" || words[0] == "-h"))
    for (const std::string& other : programs_beside())
      program.add_command(other, "Run the program polycodec-" + other).section = "Other programs";
  if (named && program.options.empty() && !has_command(program, words[0])) {
    program.commands.clear();
    define(program, options, {});  // all of them, for suggestions
    if (has_programs) run_beside(std::move(words), names_of(program));
  }
  check_words(program, words);
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGPIPE, SIG_IGN);  // a reader that has gone away is an error of writing, not a death
  const Command* const command = parse(program, std::move(words));
  if (command == nullptr) return exit_done;
  try {
    const int status = command->run(Run(std::move(options)));
    return status != exit_done && interrupted() ? exit_interrupted : status;
  } catch (const Error& error) {
    return out.report(error, command->compares);
  }
}

}  // namespace

std::vector<std::string> names_in(const fs::path& directory, std::error_code& problem) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::opendir(directory.c_str()),
                                                   [](DIR* d) { return ::closedir(d); });
  errno = stream == nullptr ? errno : 0;
  while (const dirent* const entry = stream == nullptr ? nullptr : ::readdir(stream.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
    errno = 0;
  }
  problem = {errno, std::generic_category()};
  std::ranges::sort(names);
  return names;
}

fs::path own_directory() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

namespace {

// Destructors may lack memory, too, such as those of JSON documents, and what they throw ends the
// program: with the same error and status as elsewhere, but for faults of the program itself.
[[noreturn]] void end_without_memory() noexcept {
  try {
    if (std::current_exception()) throw;
  } catch (const std::bad_alloc&) {
    constexpr std::string_view text = "polycodec: out of memory\n";
    static_cast<void>(!::write(STDERR_FILENO, text.data(), text.size()));
    ::_exit(exit_refused);
  } catch (...) {
  }
  std::abort();
}

}  // namespace

int run_program(const char* name, const char* description, int argc, char** argv,
                Definition define) try {
  std::set_terminate(end_without_memory);
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  // What is wrong with the words is told as the words ask for.
  const auto has = [&](std::string_view word) {
    return std::ranges::find(words, word) != words.end();
  };
  const Reporter out(has("--json"), has("-q") || has("--quiet"));
  try {
    return run(name, description, std::move(words), out, define);
  } catch (const Error& error) {
    return out.report(error);
  } catch (const std::bad_alloc&) {
    return out.report(Error(Status::memory, "out of memory"));
  } catch (const std::exception& error) {
    return out.report(Error(Status::internal, error.what()));
  }
} catch (const std::bad_alloc&) {  // even the report needed memory
  std::fprintf(stderr, "%s: out of memory\n", name);
  return exit_refused;
} catch (const std::exception& error) {  // from before an error can be reported
  std::fprintf(stderr, "%s: %s\n", name, error.what());
  return exit_refused;
}

}  // namespace polycodec::cli
