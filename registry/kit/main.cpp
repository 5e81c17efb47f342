// SPDX-License-Identifier: MIT
// polycodec-kit: does a plugin keep the contract?
#include <base/pattern.hpp>
#include <polycodec/dispatch.hpp>
#include <polycodec/error.hpp>

#include "cases.hpp"
#include "changes.hpp"
#include "plugin.hpp"
#include "report.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>

namespace polycodec::kit {
namespace {

constexpr int exit_passed = 0;
constexpr int exit_failed = 1;
constexpr int exit_usage = 2;

struct UsageError {
  std::string message;
};

std::string library_of(const std::filesystem::path& manifest) {
  const auto json = nlohmann::json::parse(read_text(manifest), nullptr, false);
  if (!json.is_object() || !json.contains("library") || !json["library"].is_string()) return {};
  return json["library"];
}

/// Manifest and library from the path of either, or of a directory with one plugin.
void locate(std::filesystem::path path, Settings& settings) {
  path = std::filesystem::absolute(path).lexically_normal();
  std::vector<std::filesystem::path> manifests;
  if (path.string().ends_with(".polycodec.json")) {
    if (std::filesystem::exists(path)) manifests.push_back(path);
  } else {
    const bool directory = std::filesystem::is_directory(path);
    const auto parent = directory ? path : path.parent_path();
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(parent, error)) {
      if (!entry.path().string().ends_with(".polycodec.json")) continue;
      if (directory || library_of(entry.path()) == path.filename())
        manifests.push_back(entry.path());
    }
  }
  if (manifests.size() != 1)
    throw UsageError{std::to_string(manifests.size()) + " manifests found for " + path.string() +
                     "; name one manifest or library"};
  settings.manifest = manifests[0];
  const bool named = path.extension() == ".so";
  settings.library = named ? path : manifests[0].parent_path() / library_of(manifests[0]);
}

std::vector<Case> cases_for(const Settings& settings) {
  std::vector<Case> cases = plugin_cases(settings);
  for (const Entry& entry : entries_of(settings)) {
    add_option_cases(cases, settings, entry);
    add_fixture_cases(cases, settings, entry);
    add_subject_cases(cases, settings, entry);
  }
  std::erase_if(cases, [&](const Case& c) {
    const auto matches = [&](const std::string& pattern) { return match_pattern(pattern, c.name); };
    const auto any = [&](const auto& patterns) {
      return std::any_of(patterns.begin(), patterns.end(), matches);
    };
    return (!settings.filters.empty() && !any(settings.filters)) || any(settings.exclude);
  });
  return cases;
}

int run(const Settings& settings) {
  if (settings.changes)
    static_cast<void>(ChangeSet(*settings.changes));  // an unknown name is wrong usage
  const std::vector<Case> cases = cases_for(settings);
  if (cases.empty()) throw UsageError{"no case matches the filter"};
  std::vector<ReportLine> lines;
  for (const Case& c : cases) {
    lines.push_back({&c, run_case(c, settings)});
    const bool shown = !settings.only_failed || lines.back().result.outcome == Outcome::failed;
    if (!settings.json && shown) std::cout << to_text(lines.back()) << std::flush;
  }
  const Totals totals = count(lines);
  std::cout << (settings.json ? to_json(settings.library.string(), lines) : to_text(totals));
  return totals.failed == 0 ? exit_passed : exit_failed;
}

int list(const Settings& settings) {
  for (const Case& c : cases_for(settings)) std::cout << c.name << "  " << c.title << "\n";
  return exit_passed;
}

int list_changes() {
  for (const Change& change : known_changes())
    std::cout << change.name << "  " << change.meaning << "\n";
  return exit_passed;
}

/// The arguments, with `run` put in where no command is named: `polycodec-kit PLUGIN` runs the
/// cases.
std::vector<std::string> with_command(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  constexpr std::string_view known[] = {"run", "list", "changes", "-h", "--help"};
  if (!words.empty() && std::find(std::begin(known), std::end(known), words[0]) == std::end(known))
    words.insert(words.begin(), "run");
  std::reverse(words.begin(), words.end());  // as CLI::App::parse takes them
  return words;
}

int run_command_line(int argc, char** argv) {
  Settings settings;
  std::string plugin;
  CLI::App app(
      "Checks that a plugin keeps polycodec's contract. Exit status: 0 it does, 1 it does not, 2 "
      "wrong usage.",
      "polycodec-kit");
  app.require_subcommand(1);
  const auto add_common = [&](CLI::App* command) {
    command
        ->add_option("plugin", plugin, "the library, its manifest, or a directory with one plugin")
        ->required();
    command->add_option("--filter", settings.filters,
                        "run only cases whose names match this pattern; may be repeated");
    command->add_option("--exclude", settings.exclude,
                        "do not run cases whose names match this pattern; may be repeated");
    command
        ->add_option("--fixtures", settings.fixtures,
                     "directory of inputs with their expected values; may be repeated")
        ->check(CLI::ExistingDirectory);
    command
        ->add_option(
            "--options", settings.options,
            "a JSON file: for each codec the options to open it with, for codecs that need some")
        ->check(CLI::ExistingFile);
  };
  CLI::App* run_command = app.add_subcommand("run", "run the cases (also if no command is named)");
  add_common(run_command);
  run_command
      ->add_option("--changes", settings.changes,
                   "what the format does not keep, or none; see `polycodec-kit changes`. Not "
                   "given: any of them")
      ->delimiter(',');
  run_command->add_option("--timeout", settings.timeout_seconds, "seconds for one case")
      ->check(CLI::Range(1u, 86400u))
      ->capture_default_str();
  run_command->add_flag("--in-process", settings.in_process,
                        "no process of its own for each case, for a debugger");
  run_command->add_flag("--only-failed", settings.only_failed, "print only cases that fail");
  run_command->add_flag("--json", settings.json, "print one JSON object");
  CLI::App* list_command = app.add_subcommand("list", "list the cases");
  add_common(list_command);
  CLI::App* changes_command =
      app.add_subcommand("changes", "list the changes that a codec may declare");

  try {
    app.parse(with_command(argc, argv));
    if (*changes_command) return list_changes();
    locate(plugin, settings);
    return *run_command ? run(settings) : list(settings);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? exit_passed : exit_usage;
  } catch (const UsageError& e) {
    std::cerr << "polycodec-kit: " << e.message << "\n";
  } catch (const Failure& e) {
    std::cerr << "polycodec-kit: " << e.message << "\n";
  } catch (const std::exception& e) {
    std::cerr << "polycodec-kit: " << e.what() << "\n";
  }
  return exit_usage;
}

}  // namespace
}  // namespace polycodec::kit

int main(int argc, char** argv) try {
  return polycodec::kit::run_command_line(argc, argv);
} catch (const std::exception& error) {  // of what comes before the command is known
  std::cerr << "polycodec-kit: " << error.what() << "\n";
  return 2;
}
