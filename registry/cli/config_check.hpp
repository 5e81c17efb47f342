// SPDX-License-Identifier: MIT
// Everything that is wrong with a configuration file, not only what is first.
#pragma once

#include <polycodec/config.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::cli {

struct ConfigProblem {
  std::size_t line = 0;
  std::string key;  ///< such as `limits.max_dept`; or empty
  std::string message;
  bool warning = false;  ///< the file can be used all the same
};

/// The JSON schema of configuration files, as it is installed.
std::string_view config_schema();

/// Checks the text against the schema, then with the parser that loads it, then (`with_codecs`) whether the codecs
/// and options that it names are there. Empty if all is well.
std::vector<ConfigProblem> check_config(std::string_view text, bool with_codecs);

}  // namespace polycodec::cli
