// SPDX-License-Identifier: MIT
// Runs cases, each in a process of its own, and watches them.
#pragma once

#include "case.hpp"
#include "settings.hpp"

#include <string>
#include <vector>

namespace polycodec::kit {

enum class Outcome { passed, failed, skipped };

struct Result {
  Outcome outcome = Outcome::failed;
  std::string message;  ///< why it failed or was skipped, or a remark
  double seconds = 0;
};

/// Runs one case: in a child process with a time limit, or in this process. A crash, a time-out and
/// anything that is written to standard output or standard error are failures.
Result run_case(const Case& c, const Settings& settings);

}  // namespace polycodec::kit
