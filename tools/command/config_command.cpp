// SPDX-License-Identifier: MIT
// `polycodec config`: check a configuration, show what holds and who said so.
#include <polycodec/quote.hpp>

#include "commands.hpp"
#include "common/terminal.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace polycodec::cli {
namespace {

int run_check(const Run& run, const std::string& file, bool with_codecs) {
  const Input input = run.open_input(file);
  const Json problems =
      json_of(check_config(input.bytes(), with_codecs ? 0u : POLYCODEC_CHECK_NO_CODECS));
  const bool ok = std::ranges::none_of(
      problems, [](const Json& problem) { return problem["severity"] == "error"; });
  if (run.out.is_json()) {
    run.out.print_json({{"ok", ok}, {"file", file}, {"problems", problems}});
    return ok ? exit_done : exit_usage;
  }
  for (const Json& problem : problems) {
    const auto key = problem["key"].get<std::string>();
    const auto message = problem["message"].get<std::string>();
    // Messages of the parser name their key themselves.
    const bool names_key = key.empty() || message.find(quote(key)) != message.npos;
    run.out.print(file + ":" + problem["line"].dump() + ": " +
                  (problem["severity"] == "error" ? "" : "warning: ") +
                  (names_key ? "" : quote(key) + ": ") + message);
  }
  if (ok) run.out.print(file + ": good" + (problems.empty() ? "" : ", with warnings"));
  return ok ? exit_done : exit_usage;
}

/// Who said what holds, for users of this program: it is what the program says where an option
/// does.
std::string origin_of(const std::string& key, std::string origin) {
  if (origin.starts_with("--limits:")) return "--limits";
  if (origin != "the program") return origin;
  if (key == "plugins.add_paths") return "--plugin-path";
  return key == "policy.isolation" ? "--isolate" : origin;
}

int run_show(const Run& run, bool changed_only) {
  Json result = Json::object();
  std::string lines;
  for (const Json& setting : parse_json(run.registry().description(About::settings))) {
    const auto key = setting["key"].get<std::string>();
    const std::string origin = origin_of(key, setting["origin"].get<std::string>());
    if (changed_only && origin == "default") continue;
    const Json& value = setting["value"];
    result[key] = {{"value", value}, {"origin", origin}};
    lines += key + " = " + text_of(value) + "  " + styled(Style::dim, "(" + origin + ")") + "\n";
  }
  const std::string file = configuration_file(run.options);
  run.out.print_result({{"file", file.empty() ? Json() : Json(file)}, {"settings", result}},
                       "configuration file: " + (file.empty() ? "none" : file) + "\n" + lines);
  return exit_done;
}

}  // namespace

std::string configuration_file(const CommonOptions& options) {
  if (!options.config.empty()) return options.config;
  const char* const file = std::getenv("POLYCODEC_CONFIG");
  return file == nullptr ? "" : file;
}

void describe_config(Command& command, CommonOptions& options) {
  command.help = "Check and show configuration files";
  command.example = "polycodec config check polycodec.json";

  Command& check = command.add_command("check", "Check a configuration file and list all problems",
                                       "polycodec config check polycodec.json");
  const auto file = std::make_shared<std::string>();
  const auto no_codecs = std::make_shared<bool>(false);
  check.add("FILE", file.get(), "The file; - is standard input").required();
  check.add("--no-codecs", no_codecs.get(),
            "Do not look for the codecs that it names, and load no plugin");
  add_json_option(check, options);
  check.run = [file, no_codecs](const Run& run) { return run_check(run, *file, !*no_codecs); };

  Command& show = command.add_command("show", "Print every setting and its origin",
                                      "polycodec config show --changed");
  const auto changed = std::make_shared<bool>(false);
  show.add("--changed", changed.get(), "Show only settings that differ from the defaults");
  add_common_options(show, options);
  show.run = [changed](const Run& run) { return run_show(run, *changed); };

  Command& schema = command.add_command("schema", "Print the JSON schema of configuration files",
                                        "polycodec config schema > config.schema.json");
  schema.run = [](const Run& run) {
    run.out.print(Registry().description(About::config_schema));
    return exit_done;
  };
}

}  // namespace polycodec::cli
