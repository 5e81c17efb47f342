// SPDX-License-Identifier: MIT
#include "report.hpp"

#include <base/json_writer.hpp>

#include <sstream>

namespace polycodec::kit {
namespace {

const char* word(Outcome outcome) {
  constexpr const char* words[] = {"passed", "failed", "skipped"};
  return words[static_cast<int>(outcome)];
}

}  // namespace

Totals count(const std::vector<ReportLine>& lines) {
  Totals totals;
  for (const ReportLine& line : lines)
    ++(line.result.outcome == Outcome::passed   ? totals.passed
       : line.result.outcome == Outcome::failed ? totals.failed
                                                : totals.skipped);
  return totals;
}

std::string to_text(const ReportLine& line) {
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

std::string to_text(const Totals& totals) {
  return std::to_string(totals.passed) + " passed, " + std::to_string(totals.failed) + " failed, " +
         std::to_string(totals.skipped) + " skipped\n";
}

std::string to_json(const std::string& plugin, const std::vector<ReportLine>& lines) {
  Json cases = Json::list();
  for (const ReportLine& line : lines)
    cases.push_back({{"name", line.test->name},
                     {"outcome", word(line.result.outcome)},
                     {"message", line.result.message},
                     {"seconds", line.result.seconds}});
  const Totals totals = count(lines);
  const Json report{{"plugin", plugin},
                    {"cases", std::move(cases)},
                    {"passed", totals.passed},
                    {"failed", totals.failed},
                    {"skipped", totals.skipped}};
  return report.text(2) + "\n";
}

}  // namespace polycodec::kit
