// SPDX-License-Identifier: MIT
// The results of a run, for users or for programs.
#pragma once

#include "json.hpp"
#include "runner.hpp"

#include <sstream>
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

inline const char* word(Outcome outcome) {
  constexpr const char* words[] = {"passed", "failed", "skipped"};
  return words[static_cast<int>(outcome)];
}

inline Totals count(const std::vector<ReportLine>& lines) {
  Totals totals;
  for (const ReportLine& line : lines)
    ++(line.result.outcome == Outcome::passed   ? totals.passed
       : line.result.outcome == Outcome::failed ? totals.failed
                                                : totals.skipped);
  return totals;
}

/// One result for users, with its reasons indented below it.
inline std::string to_text(const ReportLine& line) {
  std::string text = std::string(word(line.result.outcome)) + "  " + line.test->name;
  if (line.result.outcome != Outcome::failed && !line.result.message.empty())
    text += ": " + line.result.message;
  text += "\n";
  if (line.result.outcome != Outcome::failed) return text;
  text += "        must hold: " + line.test->title + "\n";
  std::istringstream message(line.result.message);
  for (std::string part; std::getline(message, part);) text += "        " + part + "\n";
  return text;
}
/// The last line for users.
inline std::string to_text(const Totals& totals, const Tally& tally) {
  const auto number = [](std::uint64_t n) { return std::to_string(n); };
  std::string text = number(totals.passed) + " passed, " + number(totals.failed) + " failed, " +
                     number(totals.skipped) + " skipped";
  if (tally.values != 0)
    text += ", wrote " + number(tally.written) + " of " + number(tally.values) + " values";
  if (tally.inputs != 0)
    text += ", read " + number(tally.read) + " of " + number(tally.inputs) + " inputs";
  return text + "\n";
}

/// {"plugin": .., "cases": [{"name", "outcome", "message", "seconds"}], "passed": n, "failed": n,
/// "skipped": n, "written": n, "values": n, "read": n, "inputs": n}
inline std::string to_json(const std::string& plugin, const std::vector<ReportLine>& lines,
                           const Tally& tally) {
  Json cases = Json::array();
  for (const ReportLine& line : lines)
    cases.push_back({{"name", line.test->name},
                     {"outcome", word(line.result.outcome)},
                     {"message", line.result.message},
                     {"seconds", line.result.seconds}});
  const Totals totals = count(lines);
  return text_of(Json{{"plugin", plugin},
                      {"cases", std::move(cases)},
                      {"passed", totals.passed},
                      {"failed", totals.failed},
                      {"skipped", totals.skipped},
                      {"written", tally.written},
                      {"values", tally.values},
                      {"read", tally.read},
                      {"inputs", tally.inputs}},
                 2) +
         "\n";
}

}  // namespace polycodec::kit
