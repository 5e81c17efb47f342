// SPDX-License-Identifier: MIT
// What makes two conversions the same.
#pragma once

#include "common/run.hpp"

#include <string>

namespace polycodec::cli {

/// A file that was converted on other terms is converted again.
struct Terms {
  std::string to;       ///< codec and version, such as "ply@0.3.0"
  std::string options;  ///< all that decides about the result, as one line of JSON
};

/// A codec and the version of its plugin, such as "ply@0.3.0".
std::string versioned(const Run& run, const std::string& codec);

/// The terms that the options of the command and the configuration set.
Terms terms_of(const Run& run);

}  // namespace polycodec::cli
