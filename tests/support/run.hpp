// SPDX-License-Identifier: MIT
// Programs that tests start.
#pragma once

#include "files.hpp"

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

namespace polycodec::test {

struct Finished {
  int status = -1;  // the exit status, or 128 and the number of the signal
  std::string out, err;
};

/// A word for the shell.
inline std::string shell_word(std::string_view word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// Runs a line of shell in `directory`, and waits for it. `input` is its standard input.
inline Finished run_line(const std::filesystem::path& directory, const std::string& line,
                         std::string_view input = {}) {
  const TemporaryDirectory streams;
  const auto name = [&](const char* stream) { return (streams.path() / stream).string(); };
  write_file(name("in"), input);
  const int status =
      std::system(("cd " + shell_word(directory.native()) + " && { " + line + "; } < " +
                   name("in") + " > " + name("out") + " 2> " + name("err"))
                      .c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_file(name("out")),
          read_file(name("err"))};
}

}  // namespace polycodec::test
