// SPDX-License-Identifier: MIT
#include "registry/config/config_check.hpp"

#include <polycodec/quote.hpp>

#include "registry/codec/registry.hpp"
#include "registry/config/config.hpp"
#include "registry/config/config_limits.hpp"
#include "registry/config/rules.hpp"
#include "registry/document/json_document.hpp"
#include "registry/document/json_schema.hpp"

#include <algorithm>
#include <charconv>

namespace polycodec {
namespace {

class ConfigCheck {
 public:
  explicit ConfigCheck(std::string_view text) : text_(text), lines_(text) {}

  bool against_schema() {
    const JsonDocument document(text_, {}, Status::option);
    for (const SchemaProblem& problem : schema_problems(config_schema_view(), document.root()))
      add(problem.path, problem.describe(), false);
    return std::ranges::all_of(problems, &ConfigProblem::warning);
  }

  /// The parser knows what a schema can't say: types, the allowlist, bounds that contradict each
  /// other.
  std::optional<Configuration> parse() {
    try {
      return parse_config(text_, {});
    } catch (const Error& error) {
      // `:line: message`
      std::string_view line = error.message();
      ConfigProblem problem;
      if (line.starts_with(':')) line.remove_prefix(1);
      const auto [end, code] =
          std::from_chars(line.data(), line.data() + line.size(), problem.line);
      if (code == std::errc()) line.remove_prefix(static_cast<std::size_t>(end - line.data()));
      if (line.starts_with(": ")) line.remove_prefix(2);
      problem.message = line;
      problems.push_back(std::move(problem));
      return std::nullopt;
    }
  }

  void codecs(const Configuration& config) {
    const Registry registry = Registry::open(config.registry);
    const auto known = [&](const JsonPath& path, const std::string& name,
                           const std::string& options, const JsonPath& at,
                           const std::string& filters = {}) {
      if (registry.find(name) == nullptr) {
        std::vector<std::string> names;
        for (const CodecInfo& codec : registry.codecs()) names.push_back(codec.name);
        return add(path, "there is no codec " + quote(name) + did_you_mean(name, names), true);
      }
      try {
        (void)registry.codec_with_json(name, options, filters);
      } catch (const Error& error) {
        const std::string_view all = error.message();
        add(error.code() == Status::option ? at : path, std::string(all.substr(0, all.find('\n'))),
            error.code() != Status::option);
      }
    };
    if (!config.default_codec.empty()) known({"defaults", "codec"}, config.default_codec, "", {});
    for (const auto& [name, options] : config.registry.default_options)
      known({"defaults", "options", name}, name, options, {"defaults", "options", name});
    for (std::size_t i = 0; i < config.rules.size(); ++i) {
      const std::string index = std::to_string(i);
      known({"rules", index, "codec"}, config.rules[i].codec, config.rules[i].options,
            {"rules", index, config.rules[i].filters.empty() ? "options" : "filters"},
            config.rules[i].filters);
    }
  }

  /// Rules after one without conditions, and the default after such a rule, never apply.
  void unreachable(const Configuration& config) {
    const auto always = [](const CodecRule& rule) {
      const RuleCondition& when = *rule.when;
      return !when.type && !when.min_size && !when.max_size && !when.peer && !when.file &&
             !when.media_type;
    };
    const auto first = std::find_if(config.rules.begin(), config.rules.end(), always);
    if (first == config.rules.end()) return;
    const auto index = static_cast<std::size_t>(first - config.rules.begin());
    const std::string why =
        "never applies: 'rules[" + std::to_string(index) + "]' has no conditions";
    if (index + 1 < config.rules.size()) add({"rules", std::to_string(index + 1)}, why, true);
    if (!config.default_codec.empty()) add({"defaults", "codec"}, why, true);
  }

  std::vector<ConfigProblem> problems;

 private:
  void add(const JsonPath& path, std::string message, bool warning) {
    std::string key = path.empty() ? std::string() : path_text(path);
    if (!key.empty()) key = key.substr(1, key.size() - 2);
    problems.push_back({lines_.line(path), std::move(key), std::move(message), warning});
  }

  std::string_view text_;
  JsonLines lines_;
};

}  // namespace

std::vector<ConfigProblem> check_config(std::string_view text, bool with_codecs) {
  ConfigCheck check(text);
  bool fits = false;
  try {
    fits = check.against_schema();
  } catch (const Error& e) {
    if (e.code() == Status::memory) throw;
    // No JSON: the parser says so, with its line.
  }
  if (!fits && !check.problems.empty()) return std::move(check.problems);
  if (const auto config = check.parse()) {
    check.unreachable(*config);
    if (with_codecs) check.codecs(*config);
  }
  std::stable_sort(check.problems.begin(), check.problems.end(),
                   [](const auto& a, const auto& b) { return a.line < b.line; });
  return std::move(check.problems);
}

}  // namespace polycodec
