// SPDX-License-Identifier: MIT
// All that is wrong with a configuration.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

struct ConfigProblem {
  std::size_t line = 0;
  std::string key;  ///< such as `limits.max_dept`; or empty
  std::string message;
  bool warning = false;  ///< the file can be used all the same
};

/// Everything that is wrong with a configuration, not only what is first: against the schema, then
/// what no schema can say, then (`with_codecs`, which opens a registry) whether the codecs and
/// options that it names exist. In order of line; empty if all is well.
std::vector<ConfigProblem> check_config(std::string_view text, bool with_codecs);

}  // namespace polycodec
