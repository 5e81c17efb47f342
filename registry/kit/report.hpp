// SPDX-License-Identifier: MIT
// The results of a run, for people or for programs.
#pragma once

#include "runner.hpp"

#include <string>
#include <vector>

namespace polycodec::kit {

struct ReportLine {
  const Case* test;
  Result result;
};

/// Counts of a run.
struct Totals {
  unsigned passed = 0, failed = 0, skipped = 0;
};
Totals count(const std::vector<ReportLine>& lines);

/// One result for people, with its reasons indented below it.
std::string to_text(const ReportLine& line);
/// The last line for people.
std::string to_text(const Totals& totals);

/// {"plugin": .., "cases": [{"name", "outcome", "message", "seconds"}], "passed": n, "failed": n,
/// "skipped": n}
std::string to_json(const std::string& plugin, const std::vector<ReportLine>& lines);

}  // namespace polycodec::kit
