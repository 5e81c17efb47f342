// SPDX-License-Identifier: MIT
#include "config_check.hpp"

#include <polycodec/json.hpp>
#include <polycodec/near_names.hpp>
#include <polycodec/pipeline.hpp>
#include <polycodec/registry.hpp>
#include <polycodec/schema/validate.hpp>

#include <algorithm>
#include <charconv>
#include <set>

namespace polycodec::cli {
namespace {

using Path = std::vector<std::string>;

/// `$.a["b c"][3]` as keys and indices. Keys that the path shows cut or escaped end it: what is around them is near
/// enough.
Path parts_of(std::string_view path) {
  Path parts;
  path.remove_prefix(std::min<std::size_t>(1, path.size()));
  while (!path.empty()) {
    const bool quoted = path.starts_with("[\"");
    const std::size_t begin = quoted ? 2 : 1;
    const std::size_t end = quoted           ? path.find("\"]", begin)
                            : path[0] == '[' ? path.find(']', begin)
                                             : std::min(path.find_first_of(".[", begin), path.size());
    if (end == path.npos) break;
    parts.emplace_back(path.substr(begin, end - begin));
    path.remove_prefix(end + (quoted ? 2 : path[0] == '[' ? 1 : 0));
  }
  return parts;
}

std::string key_text(const Path& path) {
  std::string text;
  for (const std::string& part : path) {
    const bool index = !part.empty() && part.find_first_not_of("0123456789") == part.npos;
    text += index ? "[" + part + "]" : (text.empty() ? "" : ".") + part;
  }
  return text;
}

/// The keys that the schema knows where `path` stands.
std::vector<std::string> known_keys(View schema, const Path& path) {
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const auto properties = schema.find("properties");
    auto next = properties ? properties->find(path[i]) : std::nullopt;
    if (!next) next = schema.find("items");
    if (!next) next = schema.find("additionalProperties");
    if (!next || !next->is_object()) return {};
    schema = *next;
  }
  std::vector<std::string> keys;
  if (const auto properties = schema.find("properties"))
    for (std::uint64_t i = 0; i < properties->size(); ++i) keys.emplace_back(properties->key(i).as_string());
  return keys;
}

class Check {
 public:
  explicit Check(std::string_view text) : text_(text) {}

  bool against_schema() {
    const schema::Schema schema = schema::Schema::parse(config_schema());
    const Value document = parse_json(text_, {}, DuplicateKeys::refuse);
    for (const schema::Problem& problem : schema::validate(schema, document.view())) {
      const Path path = parts_of(problem.path);
      std::string message = problem.reason;
      if (problem.keyword == "additionalProperties" && !path.empty())
        message =
            "unknown key '" + key_text(path) + "'" + did_you_mean(path.back(), known_keys(schema.document(), path));
      else if (problem.keyword == "enum" || problem.keyword == "pattern")
        message += expectation(schema.document(), path);
      add(path, message, false);
    }
    return problems.empty();
  }

  /// The parser knows what a schema can't say: types, the whitelist, bounds that contradict each other.
  std::optional<Configuration> parse() {
    try {
      return parse_config(text_, {});
    } catch (const Error& error) {
      // `:line: message`
      std::string_view message = error.message();
      ConfigProblem problem;
      if (message.starts_with(':')) message.remove_prefix(1);
      const auto [end, code] = std::from_chars(message.data(), message.data() + message.size(), problem.line);
      if (code == std::errc()) message.remove_prefix(static_cast<std::size_t>(end - message.data()));
      if (message.starts_with(": ")) message.remove_prefix(2);
      problem.message = message;
      problems.push_back(std::move(problem));
      return std::nullopt;
    }
  }

  void codecs(const Configuration& config) {
    const Registry registry = Registry::open(config.registry);
    const auto known = [&](const Path& path, const std::string& name, const std::string& options, const Path& at,
                           const std::string& then = {}) {
      if (registry.find(name) == nullptr) {
        std::vector<std::string> names;
        for (const CodecInfo& codec : registry.codecs()) names.push_back(codec.name);
        return add(path, "there is no codec '" + name + "'" + did_you_mean(name, names), true);
      }
      try {
        (void)registry.codec_with_json(name, options);
        if (!then.empty()) (void)Pipeline::make(registry, name, options, then);
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
            {"rules", index, config.rules[i].then.empty() ? "options" : "then"}, config.rules[i].then);
    }
  }

  /// Rules behind one without conditions, and the default behind such a rule, never apply.
  void unreachable(const Configuration& config) {
    const auto always = [](const CodecRule& rule) {
      const RuleCondition& when = rule.when;
      return !when.type && !when.min_size && !when.max_size && !when.peer && !when.file && !when.media_type;
    };
    const auto first = std::find_if(config.rules.begin(), config.rules.end(), always);
    if (first == config.rules.end()) return;
    const auto index = static_cast<std::size_t>(first - config.rules.begin());
    const std::string why = "never applies: 'rules[" + std::to_string(index) + "]' has no conditions";
    if (index + 1 < config.rules.size()) add({"rules", std::to_string(index + 1)}, why, true);
    if (!config.default_codec.empty()) add({"defaults", "codec"}, why, true);
  }

  std::vector<ConfigProblem> problems;

 private:
  void add(const Path& path, std::string message, bool warning) {
    problems.push_back({line_in_json(text_, path), key_text(path), std::move(message), warning});
  }

  /// What the schema says of a key that has a wrong value.
  static std::string expectation(View schema, const Path& path) {
    for (const std::string& part : path) {
      const auto properties = schema.find("properties");
      auto next = properties ? properties->find(part) : std::nullopt;
      if (!next) next = schema.find("items");
      if (!next) next = schema.find("additionalProperties");
      if (!next || !next->is_object()) return {};
      schema = *next;
    }
    if (const auto choices = schema.find("enum")) {
      std::string words;
      for (const polycodec_node& choice : choices->items())
        words += (words.empty() ? "" : ", ") + std::string(View(&choice).as_string());
      return ": " + words;
    }
    const auto pattern = schema.find("pattern");
    if (!pattern) return {};
    return pattern->as_string() == "^/" ? ": an absolute path is expected"
                                        : ": a digest of 64 hex digits is expected";
  }

  std::string_view text_;
};

}  // namespace

std::vector<ConfigProblem> check_config(std::string_view text, bool with_codecs) {
  Check check(text);
  bool fits = false;
  try {
    fits = check.against_schema();
  } catch (const Error&) {
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

}  // namespace polycodec::cli
