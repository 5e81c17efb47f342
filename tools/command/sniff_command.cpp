// SPDX-License-Identifier: MIT
// `polycodec sniff`: which codec a file is for, and why.
#include "commands.hpp"
#include "common/terminal.hpp"

#include <memory>
#include <optional>

namespace polycodec::cli {
namespace {

int run_sniff(const Run& run, const std::string& file) {
  const Input input = run.open_input(file);
  std::string json;
  std::optional<Match> chosen;
  std::optional<Error> refused;
  try {
    chosen = run.registry().choose(input.source, &json);
  } catch (const Error& error) {
    if (json.empty()) throw;
    refused = error;
  }
  const bool has_codec = chosen && chosen->codec != "raw";
  Json candidates = parse_json(json);
  if (run.out.is_json()) {
    for (Json& candidate : candidates) candidate.erase("by");
    Json object{{"file", file},
                {"chosen", has_codec ? Json(chosen->codec) : Json()},
                {"by", chosen ? Json(chosen_by_name(chosen->by)) : Json()},
                {"candidates", std::move(candidates)}};
    if (refused) object["error"] = to_json(*refused);
    run.out.print_json(object);
    return chosen ? exit_done : exit_refused;
  }
  std::string text;
  for (const Json& candidate : candidates) {
    const std::string& codec = candidate["codec"].get_ref<const std::string&>();
    text += (has_codec && chosen->codec == codec ? styled(Style::good, "* ") : "  ") +
            styled(Style::name, codec) + "  " + candidate["score"].dump() + "  " +
            candidate["reason"].get_ref<const std::string&>() +
            (candidate["extension"].get<bool>() ? " (and the extension fits)" : "") + "\n";
  }
  if (!text.empty()) run.out.print(text);
  if (refused) rethrow_about(input.name, *refused);
  if (chosen->by == ChosenBy::header)
    run.out.print("* " + (has_codec ? chosen->codec : "no codec: the body is plain bytes") + "  " +
                  chosen->reason);
  return exit_done;
}

}  // namespace

void describe_sniff(Command& command, CommonOptions& options) {
  command.help = "Detect the format of a file, and say why";
  command.example = "polycodec detect in.data";
  auto file = std::make_shared<std::string>();
  command.add("FILE", file.get(), "The file; - is standard input").required();
  add_mapping_option(command, options);
  add_common_options(command, options);
  command.run = [file](const Run& run) { return run_sniff(run, *file); };
}

}  // namespace polycodec::cli
