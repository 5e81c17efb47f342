// SPDX-License-Identifier: MIT
// Blocks of documents, and console sessions as they show them.
#pragma once

#include "run.hpp"

#include <cstddef>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::test {

using Lines = std::vector<std::string>;

inline Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// The fenced blocks of a page in one language.
inline std::vector<Lines> blocks_of(const std::filesystem::path& page,
                                    const std::string& language) {
  std::vector<Lines> found;
  bool inside = false;
  for (const std::string& line : lines_of(read_file(page))) {
    if (!inside && line == "```" + language) {
      inside = true;
      found.emplace_back();
    } else if (inside && line == "```") {
      inside = false;
    } else if (inside) {
      found.back().push_back(line);
    }
  }
  return found;
}

/// A command of a session, and the output that the page shows.
struct Step {
  std::string command;
  Lines shown;
};

/// The steps of a block `console`, which begins with a command.
inline std::vector<Step> steps_of(const Lines& block) {
  std::vector<Step> steps;
  for (const std::string& line : block) {
    if (line.starts_with("$ "))
      steps.push_back({line.substr(2), {}});
    else if (!steps.empty())
      steps.back().shown.push_back(line);
  }
  return steps;
}

/// True if a line of output is what the page shows; `...` in a line is any characters.
inline bool fits_line(std::string_view shown, std::string_view output) {
  const std::size_t gap = shown.find("...");
  if (gap == shown.npos) return shown == output;
  if (!output.starts_with(shown.substr(0, gap))) return false;
  for (std::size_t at = gap; at <= output.size(); ++at)
    if (fits_line(shown.substr(gap + 3), output.substr(at))) return true;
  return false;
}

/// True if the output is what the page shows; a line `...` is any lines.
inline bool fits(const Lines& shown, const Lines& output, std::size_t i = 0, std::size_t j = 0) {
  for (; i < shown.size(); ++i, ++j) {
    if (shown[i] == "...") {
      for (std::size_t k = j; k <= output.size(); ++k)
        if (fits(shown, output, i + 1, k)) return true;
      return false;
    }
    if (j == output.size() || !fits_line(shown[i], output[j])) return false;
  }
  return j == output.size();
}

/// Runs a command of a page in `directory`, with the command of the build and no settings.
inline Finished run_step(const std::filesystem::path& directory, const std::string& command) {
  return run_line(directory,
                  "{ unset POLYCODEC_CONFIG POLYCODEC_PLUGIN_PATH POLYCODEC_PLUGIN_SYSTEM_PATH "
                  "VIRTUAL_ENV CONDA_PREFIX XDG_DATA_HOME; export HOME=" +
                      shell_word(directory.native()) + " PATH='" POLYCODEC_BIN_DIR "':\"$PATH\"; " +
                      command + "; } 2>&1");
}

}  // namespace polycodec::test
