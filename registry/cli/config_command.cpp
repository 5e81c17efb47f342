// SPDX-License-Identifier: MIT
// `polycodec config`: check a configuration, show what holds and who said so.
#include <base/quote.hpp>
#include <polycodec/config.hpp>
#include <polycodec/text.hpp>

#include "commands.hpp"
#include "registry/config/config_check.hpp"
#include "registry/config/config_limits.hpp"
#include "registry/config/old_words.hpp"
#include "registry/config/rules.hpp"
#include "registry/isolation/report.hpp"
#include "terminal.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>

namespace polycodec::cli {
namespace {

int run_check(Context& context, const std::string& file, bool with_codecs) {
  const Source source = context.open_input(file);
  const auto problems = check_config(source.bytes(), with_codecs);
  const bool ok =
      std::all_of(problems.begin(), problems.end(), [](const auto& p) { return p.warning; });
  if (context.options.json) {
    Json list = Json::list();
    for (const ConfigProblem& p : problems)
      list.push_back({{"line", p.line},
                      {"key", p.key},
                      {"message", p.message},
                      {"severity", p.warning ? "warning" : "error"}});
    context.print_json(Json{{"ok", ok}, {"file", file}, {"problems", list}});
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

Json json_of(std::string_view text) {
  return Json(parse_json(text).view());
}

/// What holds, key by key, in the shape of a configuration file.
Json effective(const Configuration& config) {
  const RegistryOptions& r = config.registry;
  const auto paths = [](const std::vector<std::string>& all) {
    Json list = Json::list();
    for (const auto& path : all) list.push_back(path);
    return list;
  };
  const auto rules = [](const std::vector<Policy::CodecRule>& all) {
    Json list = Json::list();
    for (const auto& rule : all)
      list.push_back({{"codec", rule.pattern}, {"decode", rule.decode}, {"encode", rule.encode}});
    return list;
  };
  Json plugins{{"paths", paths(r.plugin_paths.empty() ? std::vector{default_plugin_directory()}
                                                      : r.plugin_paths)},
               {"add_paths", paths(r.add_paths)},
               {"use_environment", r.use_environment},
               {"use_builtins", r.use_builtins}};
  Json pins = Json::object();
  for (const auto& [id, digests] : r.policy.pins) pins[id] = digests;
  Json policy{{"mode", r.policy.mode == Policy::Mode::open ? "open" : "listed"},
              {"allow_plugins", r.policy.allow_plugins},
              {"deny_plugins", r.policy.deny_plugins},
              {"allow_codecs", rules(r.policy.allow_codecs)},
              {"deny_codecs", rules(r.policy.deny_codecs)},
              {"pins", pins},
              {"require_pins", r.policy.require_pins},
              {"trusted_owners", r.policy.trusted_owners},
              {"isolation", rule_json(r.policy.isolation)}};
  for (const auto& [pattern, rule] : r.policy.isolation_of)
    policy["isolation"]["plugins"][pattern] = rule_json(rule);
  const Limits& l = r.limits;
  const auto bound = [](std::uint64_t most) {
    return most == Limits::by_input ? Json("as much as the input earns") : Json(most);
  };
  Json limits{{"max_depth", l.max_depth},
              {"max_input_bytes", l.max_input_bytes},
              {"max_work", bound(l.max_work)},
              {"max_output_bytes", bound(l.max_output_bytes)},
              {"max_memory_bytes", bound(l.max_memory_bytes)},
              {"max_nodes", l.max_nodes},
              {"max_elements", l.max_elements},
              {"max_stack_bytes", l.max_stack_bytes},
              {"max_header_bytes", l.max_header_bytes}};
  Json options = Json::object();
  for (const auto& [name, text] : r.default_options) options[name] = json_of(text);
  Json choices = Json::list();
  for (const CodecRule& rule : config.rules) {
    Json when = Json::object();
    if (rule.when->type) when["type"] = rule.when->type_text;
    if (rule.when->min_size) when["min_size"] = *rule.when->min_size;
    if (rule.when->max_size) when["max_size"] = *rule.when->max_size;
    if (rule.when->peer) when["peer"] = *rule.when->peer;
    if (rule.when->file) when["file"] = *rule.when->file;
    if (rule.when->media_type) when["media_type"] = *rule.when->media_type;
    Json one{{"when", when}, {"codec", rule.codec}};
    if (!rule.options.empty()) one["options"] = json_of(rule.options);
    if (!rule.filters.empty()) one["filters"] = json_of(rule.filters);
    choices.push_back(one);
  }
  constexpr const char* levels[] = {"debug", "info", "warning", "error"};
  const auto level = static_cast<std::size_t>(config.log_level.value_or(POLYCODEC_LOG_WARNING));
  return {{"plugins", plugins},
          {"policy", policy},
          {"limits", limits},
          {"compression", r.compression.empty() ? Json::list() : json_of(r.compression)},
          {"log_level", level < std::size(levels) ? levels[level] : "warning"},
          {"defaults",
           {{"codec", config.default_codec.empty() ? Json() : Json(config.default_codec)},
            {"options", options}}},
          {"rules", choices}};
}

/// Who said what holds: the file with a line, an option of the command, the environment, or nobody.
class Origins {
 public:
  Origins(Context& context, std::string text) : context_(context), text_(std::move(text)) {
    if (!text_.empty()) said_ = parse_json(text_);
    if (!context.options.limits.empty()) limits_ = parse_json(context.options.limits);
  }

  std::string of(const std::string& section, const std::string& key) const {
    if (section == "limits" && has(limits_.view(), key)) return "--limits";
    if (key == "isolation" && !context_.options.isolate.empty()) return "--isolate";
    if (section == "plugins") {
      if (key == "add_paths" && !context_.options.plugin_paths.empty()) return "--plugin-path";
      const char* name = key == "paths"       ? "POLYCODEC_PLUGIN_SYSTEM_PATH"
                         : key == "add_paths" ? "POLYCODEC_PLUGIN_PATH"
                                              : nullptr;
      const bool heard = context_.configuration().registry.use_environment;
      if (name != nullptr && heard && std::getenv(name) != nullptr)
        return std::string("$") + name + " = " + std::getenv(name) +
               (key == "paths" ? " instead" : " first");
    }
    if (!has(said_.view(), section)) {
      for (const OldWord& word : old_words)
        if (word.now == section && has(said_.view(), word.old))
          return of(std::string(word.old), key);
      return "default";
    }
    if (!key.empty() && !has(said_.view().at(section), key)) return "default";
    std::vector<std::string> path{section};
    if (!key.empty()) path.push_back(key);
    return context_.configuration().path + ":" + std::to_string(line_in_json(text_, path));
  }

 private:
  static bool has(NodeView object, std::string_view key) {
    return object.is_object() && object.find(key).has_value();
  }

  Context& context_;
  std::string text_;
  Value said_, limits_;
};

int run_show(Context& context, bool changed_only) {
  const Configuration& config = context.configuration();
  std::string text;
  if (!config.path.empty()) text = std::string(context.open_input(config.path).bytes());
  const Origins origins(context, text);
  const Json all = effective(config);
  Json result = Json::object();
  std::string lines;
  const auto add = [&](const std::string& section, const std::string& key, const Json& value) {
    const std::string origin = origins.of(section, key);
    if (changed_only && origin == "default") return;
    const std::string name = key.empty() ? section : section + "." + key;
    result[name] = Json{{"value", value}, {"origin", origin}};
    lines += name + " = " + value.text(json_compact) + "  " +
             styled(Style::dim, "(" + origin + ")") + "\n";
  };
  for (const auto& [section, value] : all.members()) {
    if (!value.is_object()) {
      add(section, "", value);
      continue;
    }
    for (const auto& [key, member] : value.members()) add(section, key, member);
  }
  const Value written = parse_json(text.empty() ? std::string("{}") : text);
  if (config.registry.allowlist) {
    // As it was written: what it allows is the same.
    const auto now = written.view().find("allowlist");
    add("allowlist", "", Json(now ? *now : written.view().at("whitelist")));  // old name
  }
  const auto types = written.view().find("types");
  add("types", "", types ? Json(*types) : Json::object());
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
