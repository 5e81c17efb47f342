// SPDX-License-Identifier: MIT
// `polycodec sniff`: which codec a file is for, and why.
#include "commands.hpp"
#include "tools/common/terminal.hpp"

#include <memory>

namespace polycodec::cli {
namespace {

int run_sniff(Context& context, const std::string& file) {
  const Source source = context.open_input(file);
  const auto candidates = context.registry().sniff(source);
  const auto choice = attempt([&] { return context.registry().choose(source); });
  if (context.options.json) {
    Json object{{"file", file}};
    const bool named = choice.ok() && choice.value().codec != nullptr;
    object["chosen"] = named ? Json(choice.value().codec->name) : Json();
    object["by"] = choice.ok() ? Json(chosen_by_name(choice.value().by)) : Json();
    object["candidates"] = Json::list();
    for (const auto& c : candidates)
      object["candidates"].push_back({{"codec", c.codec->name},
                                      {"score", c.score},
                                      {"reason", c.reason},
                                      {"extension", c.extension}});
    if (!choice.ok()) object["error"] = to_json(choice.error());
    context.print_json(object);
    return choice.ok() ? exit_done : exit_refused;
  }
  std::string text;
  for (const auto& c : candidates) {
    const bool chosen = choice.ok() && choice.value().codec == c.codec;
    text += (chosen ? styled(Style::good, "* ") : "  ") + styled(Style::name, c.codec->name) +
            "  " + std::to_string(c.score) + "  " + c.reason +
            (c.extension ? " (and the extension fits)" : "") + "\n";
  }
  if (!text.empty()) context.print(text);
  if (!choice.ok()) throw choice.error();
  if (choice.value().by == ChosenBy::header) {
    const CodecInfo* codec = choice.value().codec;
    context.print("* " + (codec == nullptr ? "no codec: the body is plain bytes" : codec->name) +
                  "  " + choice.value().reason);
  }
  return exit_done;
}

}  // namespace

void describe_sniff(Command& command, Context& context) {
  command.help = "Detect the format of a file, and say why";
  command.example = "polycodec detect in.data";
  auto file = std::make_shared<std::string>();
  command.add("FILE", file.get(), "The file; - is standard input").required();
  context.add_mapping_option(command);
  context.add_common_options(command);
  command.run = [&context, file] { return run_sniff(context, *file); };
}

}  // namespace polycodec::cli
