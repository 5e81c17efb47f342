// SPDX-License-Identifier: MIT
// `polycodec report`: what became of many files.
#include <polycodec/quote.hpp>

#include "commands.hpp"
#include "common/terminal.hpp"
#include "conversion_report.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace polycodec::cli {
namespace {

struct Counts {
  std::uint64_t files = 0, source_bytes = 0, output_bytes = 0;
};

/// Prints what the report says. Returns exit_refused if a file failed or is missing.
int show(const Run& run, const ConversionReport& report, const std::string& file) {
  std::map<std::string, Counts> counts;
  std::map<std::string, std::vector<std::string>> reasons;
  std::map<std::string, std::uint64_t> losses;
  for (const auto& [name, record] : report.records) {
    Counts& count = counts[record.status];
    ++count.files;
    count.source_bytes += record.state.bytes;
    count.output_bytes += record.output_bytes;
    if (record.status == "failed") reasons[record.reason].push_back(name);
    for (const auto& [of_class, lost] : record.losses) losses[of_class] += lost;
  }
  Json object{{"ok", reasons.empty() && report.is_complete},
              {"file", file},
              {"job", report.job},
              {"shard", {{"number", report.shard.number}, {"count", report.shard.count}}},
              {"complete", report.is_complete},
              {"files", report.records.size()}};
  std::string text;
  for (const auto& [status, count] : counts) {
    object["states"][status] = {{"files", count.files},
                                {"source_bytes", count.source_bytes},
                                {"output_bytes", count.output_bytes}};
    text += std::to_string(count.files) + " " + status + ": " + human_size(count.source_bytes) +
            " -> " + human_size(count.output_bytes) + "\n";
  }
  object["losses"] = Json::object();
  for (const auto& [of_class, lost] : losses) {
    object["losses"][of_class] = lost;
    text += std::to_string(lost) + " lost (" + of_class + ")\n";
  }
  object["reasons"] = Json::array();
  for (const auto& [reason, files] : reasons) {
    object["reasons"].push_back({{"reason", reason}, {"files", files}});
    text += std::to_string(files.size()) + " failed, such as " + quote_path(files.front()) + ": " +
            reason + "\n";
  }
  if (!report.is_complete) text += "the report has no end: the run continues, or was interrupted\n";
  run.out.print_result(object, text.empty() ? "no files" : text);
  return reasons.empty() && report.is_complete ? exit_done : exit_refused;
}

}  // namespace

void describe_report(Command& command, CommonOptions& options) {
  command.help = "Read reports of conversions of many files";
  command.example = "polycodec report show report.jsonl";

  Command& print = command.add_command("show", "Print the counts of a report, and why files failed",
                                       "polycodec report show report.jsonl");
  auto file = std::make_shared<std::string>();
  print.add("REPORT", file.get(), "A file that convert --report wrote").required();
  add_json_option(print, options);
  print.run = [file](const Run& run) { return show(run, read_report(*file), *file); };

  Command& merge =
      command.add_command("merge", "Join the reports of all parts of a run (convert --shard)",
                          "polycodec report merge report.jsonl part1.jsonl part2.jsonl");
  auto out = std::make_shared<std::string>();
  auto parts = std::make_shared<std::vector<std::string>>();
  merge.add("OUT", out.get(), "The report to write").required();
  merge.add("REPORT", parts.get(), "The reports of all parts, in any order").required();
  add_json_option(merge, options);
  merge.run = [out, parts](const Run& run) {
    const ConversionReport report = merge_reports(*parts);
    run.registry().write_bytes(report.text(), *out);
    return show(run, report, *out);
  };
}

}  // namespace polycodec::cli
