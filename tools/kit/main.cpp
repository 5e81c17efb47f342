// SPDX-License-Identifier: MIT
// polycodec-kit: does a plugin keep the contract?
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "cases.hpp"
#include "changes.hpp"
#include "plugin.hpp"
#include "report.hpp"
#include "shelter.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>

namespace polycodec::kit {
namespace {

constexpr int exit_passed = 0;
constexpr int exit_failed = 1;
constexpr int exit_usage = 2;

struct UsageError {
  std::string message;
};

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
      if (directory || library_of(parsed(read_text(entry.path()))) == path.filename())
        manifests.push_back(entry.path());
    }
  }
  if (manifests.size() != 1)
    throw UsageError{std::to_string(manifests.size()) + " manifests found for " + path.string() +
                     "; name one manifest or library"};
  settings.manifest = manifests[0];
  const bool named = path.extension() == ".so" || path.extension() == ".wasm";
  settings.library =
      named ? path : manifests[0].parent_path() / library_of(parsed(read_text(manifests[0])));
}

// A case with the options of the run, and with those that fixtures bring.
void run_setups(const Settings& settings, const Entry& entry, const SubjectCase& c) {
  std::string nothing;
  bool has_run = false;
  for (const Entry& setup : setups_of(settings, entry)) {
    try {
      c.check(*open_subject(settings, setup), settings);
      has_run = true;
    } catch (const Skip& skipped) {
      if (nothing.empty()) nothing = skipped.reason;
    }
  }
  if (has_run) return;
  if ((c.applies & due) != 0) fail(std::move(nothing));
  skip(std::move(nothing));
}

// All cases of the groups that apply to `entry`.
void add_subject_cases(std::vector<Case>& cases, const Settings& settings, const Entry& entry) {
  const unsigned kind = 1u << static_cast<unsigned>(entry.kind);
  for (const auto& group :
       {read_cases(), write_cases(), limit_cases(), memory_cases(), codec_cases(), kind_cases()})
    for (const SubjectCase& c : group) {
      if ((c.applies & kind) == 0 || ((c.applies & reading) != 0 && !entry.can_read) ||
          ((c.applies & writing) != 0 && !entry.can_write))
        continue;
      cases.push_back({entry.case_name(c.name), c.title,
                       [&settings, entry, c] { run_setups(settings, entry, c); }});
    }
}

std::vector<Case> cases_for(const Settings& settings) {
  std::vector<Case> cases = plugin_cases(settings);
  for (const Entry& entry : entries_of(settings)) {
    add_option_cases(cases, settings, entry);
    add_fixture_cases(cases, settings, entry);
    add_subject_cases(cases, settings, entry);
  }
  std::erase_if(cases, [&](const Case& c) {
    const auto matches = [&](const std::string& pattern) {
      return ::fnmatch(pattern.c_str(), c.name.c_str(), FNM_NOESCAPE) == 0;
    };
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
    if (!settings.json && shown) std::cout << printable(to_text(lines.back())) << std::flush;
  }
  const Totals totals = count(lines);
  std::cout << printable(settings.json ? to_json(settings.library.string(), lines, tally())
                                       : to_text(totals, tally()));
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

constexpr std::string_view help =
    R"(Checks that a plugin keeps polycodec's contract
Usage: polycodec-kit [run|list] PLUGIN [OPTIONS]
       polycodec-kit changes

Commands:
  run      Run the cases (also if no command is named)
  list     List the cases
  changes  List the changes that a codec may declare

PLUGIN is the library, its manifest, or a directory with one plugin.

Options:
  --filter PATTERN   Run only cases whose names match; may be repeated
  --exclude PATTERN  Do not run cases whose names match; may be repeated
  --fixtures DIR     Read inputs with their expected values; may be repeated
  --options FILE     Open each codec with its options in this JSON file
  --changes NAMES    Allow these changes (A,B), or none; by default all
  --wasm-runtime FILE  Run modules with this library of wasmtime
  --timeout SECONDS  Stop a case after this time (1 to 86400, default 60)
  --in-process       Run all cases in this process, for a debugger; trusts the plugin
  --only-failed      Print only cases that fail
  --json             Print one JSON object

Exit status: 0 the contract is kept, 1 it is not, 2 wrong usage.
Example: polycodec-kit build/plugins/greetings.so --filter 'codec/*'
)";

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> words;
  for (std::size_t end; (end = list.find(',')) != list.npos; list.remove_prefix(end + 1))
    words.emplace_back(list.substr(0, end));
  words.emplace_back(list);
  return words;
}

unsigned seconds_of(const std::string& text) {
  unsigned seconds = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (code != std::errc() || end != text.data() + text.size() || seconds < 1 || seconds > 86400)
    throw UsageError{"invalid --timeout " + quote(text) + ": must be 1 to 86400"};
  return seconds;
}

int run_command_line(std::vector<std::string> words) {
  if (words.empty()) throw UsageError{"no plugin is named; see polycodec-kit --help"};
  std::string command = "run", plugin;
  if (words[0] == "run" || words[0] == "list" || words[0] == "changes") {
    command = words[0];
    words.erase(words.begin());
  }
  Settings settings;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const std::size_t equals = word.starts_with("--") ? word.find('=') : word.npos;
    const std::string name = word.substr(0, equals);
    const auto value = [&] {
      if (equals != word.npos) return word.substr(equals + 1);
      if (i + 1 == words.size()) throw UsageError{quote(name) + " needs a value"};
      return words[++i];
    };
    const auto existing = [&](bool directory) {
      const std::filesystem::path path = value();
      std::error_code ignored;
      if (!(directory ? is_directory(path, ignored) : is_regular_file(path, ignored)))
        throw UsageError{quote(name) + " names no " + (directory ? "directory" : "file") + ": " +
                         quote_path(path.string())};
      return path;
    };
    if (name == "-h" || name == "--help") {
      std::cout << help;
      return exit_passed;
    }
    if (name == "--filter")
      settings.filters.push_back(value());
    else if (name == "--exclude")
      settings.exclude.push_back(value());
    else if (name == "--fixtures")
      settings.fixtures.push_back(existing(true));
    else if (name == "--options")
      settings.options = existing(false);
    else if (name == "--wasm-runtime")
      settings.wasm_runtime = std::filesystem::absolute(existing(false));
    else if (name == "--changes")
      settings.changes = split(value());
    else if (name == "--timeout")
      settings.timeout_seconds = seconds_of(value());
    else if (word == "--in-process")
      settings.in_process = true;
    else if (word == "--only-failed")
      settings.only_failed = true;
    else if (word == "--json")
      settings.json = true;
    else if (word.starts_with('-') || !plugin.empty())
      throw UsageError{"unknown argument " + quote(word) + "; see polycodec-kit --help"};
    else
      plugin = word;
  }
  if (command == "changes") return list_changes();
  if (plugin.empty()) throw UsageError{"no plugin is named; see polycodec-kit --help"};
  locate(plugin, settings);
  if (!settings.in_process) enter_shelter();
  // Compiling takes longer than a case, so it is done once. Each case has its own copy.
  if (is_module(settings)) static_cast<void>(entry_object(settings));
  return command == "run" ? run(settings) : list(settings);
}

}  // namespace
}  // namespace polycodec::kit

int main(int argc, char** argv) {
  using namespace polycodec::kit;
  std::string why;
  try {
    return run_command_line({argv + 1, argv + argc});
  } catch (const UsageError& e) {
    why = e.message;
  } catch (const Failure& e) {
    why = e.message;
  } catch (const std::exception& e) {
    why = e.what();
  }
  std::cerr << "polycodec-kit: " << polycodec::printable(why) << "\n";
  return exit_usage;
}
