// SPDX-License-Identifier: MIT
// `polycodec config`: check a configuration, show what holds and who said so.
#include <base/quote.hpp>
#include <polycodec/config.hpp>
#include <polycodec/text.hpp>

#include "commands.hpp"
#include "registry/choose/descriptions.hpp"
#include "registry/config/settings.hpp"
#include "tools/common/terminal.hpp"

#include <algorithm>
#include <memory>

namespace polycodec::cli {
namespace {

int run_check(Context& context, const std::string& file, bool with_codecs) {
  const Source source = context.open_input(file);
  const auto problems = check_config(source.bytes(), with_codecs);
  const bool ok =
      std::all_of(problems.begin(), problems.end(), [](const auto& p) { return p.warning; });
  if (context.options.json) {
    context.print_json(Json{{"ok", ok}, {"file", file}, {"problems", to_json(problems)}});
    return ok ? exit_done : exit_usage;
  }
  for (const ConfigProblem& p : problems) {
    // Messages of the parser name their key themselves.
    const bool names_key = p.key.empty() || p.message.find(quote(p.key)) != p.message.npos;
    context.print(file + ":" + std::to_string(p.line) + ": " + (p.warning ? "warning: " : "") +
                  (names_key ? "" : quote(p.key) + ": ") + p.message);
  }
  if (ok) context.print(file + ": good" + (problems.empty() ? "" : ", with warnings"));
  return ok ? exit_done : exit_usage;
}

int run_show(Context& context, bool changed_only) {
  const Configuration& config = context.configuration();
  Json result = Json::object();
  std::string lines;
  for (const Setting& setting : settings_of(config)) {
    if (changed_only && setting.origin == "default") continue;
    result[setting.key] = Json{{"value", setting.value}, {"origin", setting.origin}};
    lines += setting.key + " = " + setting.value.text(json_compact) + "  " +
             styled(Style::dim, "(" + setting.origin + ")") + "\n";
  }
  const std::string file = config.path.empty() ? std::string("none") : config.path;
  context.print_result(
      Json{{"file", config.path.empty() ? Json() : Json(file)}, {"settings", result}},
      "configuration file: " + file + "\n" + lines);
  return exit_done;
}

}  // namespace

void describe_config(Command& command, Context& context) {
  command.help = "Check and show configuration files";
  command.example = "polycodec config check polycodec.json";

  Command& check = command.add_command("check", "Check a configuration file and list all problems",
                                       "polycodec config check polycodec.json");
  const auto file = std::make_shared<std::string>();
  const auto no_codecs = std::make_shared<bool>(false);
  check.add("FILE", file.get(), "The file; - is standard input").required();
  check.add("--no-codecs", no_codecs.get(),
            "Do not look for the codecs that it names, and load no plugin");
  context.add_json_option(check);
  check.run = [&context, file, no_codecs] { return run_check(context, *file, !*no_codecs); };

  Command& show = command.add_command("show", "Print every setting and its origin",
                                      "polycodec config show --changed");
  const auto changed = std::make_shared<bool>(false);
  show.add("--changed", changed.get(), "Show only settings that differ from the defaults");
  context.add_common_options(show);
  show.run = [&context, changed] { return run_show(context, *changed); };

  Command& schema = command.add_command("schema", "Print the JSON schema of configuration files",
                                        "polycodec config schema > config.schema.json");
  schema.run = [&context] {
    context.print(config_schema());
    return exit_done;
  };
}

}  // namespace polycodec::cli
