// SPDX-License-Identifier: MIT
#include "registry/config/settings.hpp"

#include "core/dispatch/function_table.hpp"
#include "core/io/process.hpp"
#include "core/text/text.hpp"
#include "registry/config/config_limits.hpp"
#include "registry/config/rules.hpp"
#include "registry/document/json_document.hpp"
#include "registry/load/isolation_report.hpp"
#include "registry/load/module.hpp"
#include "registry/load/search_path.hpp"

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace polycodec {
namespace {

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
              {"wasm_runtime", module_runtime(r.policy).string()},
              {"wasm_cache", r.policy.wasm_cache.empty() ? Json() : Json(r.policy.wasm_cache)},
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
              {"max_resident_bytes", l.max_resident_bytes == Limits::by_input
                                         ? Json("half of the machine, for conversions of files")
                                         : Json(l.max_resident_bytes)},
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

/// Who said what holds.
class Origins {
 public:
  explicit Origins(const Configuration& config) : config_(config) {
    for (const ConfigLayer& layer : config.layers) documents_.push_back(parse_json(layer.text));
  }

  std::string of(const std::string& section, const std::string& key) const {
    const std::string name = key.empty() ? section : section + "." + key;
    if (const auto said = config_.said_by.find(name); said != config_.said_by.end())
      return said->second;
    if (section == "plugins" && config_.registry.use_environment) {
      const char* variable = key == "paths"       ? "POLYCODEC_PLUGIN_SYSTEM_PATH"
                             : key == "add_paths" ? "POLYCODEC_PLUGIN_PATH"
                                                  : nullptr;
      const char* set = variable == nullptr ? nullptr : trusted_environment(variable);
      if (set != nullptr)
        return std::string("$") + variable + " = " + set + (key == "paths" ? " instead" : " first");
    }
    for (std::size_t i = documents_.size(); i-- != 0;) {
      const auto path = place(documents_[i].view(), section, key);
      if (!path.empty())
        return config_.layers[i].name + ":" +
               std::to_string(line_in_json(config_.layers[i].text, path));
    }
    return "default";
  }

  /// A member as the last layer that has it writes it.
  std::optional<NodeView> written(std::string_view section) const {
    for (std::size_t i = documents_.size(); i-- != 0;) {
      const auto path = place(documents_[i].view(), section, "");
      if (!path.empty()) return documents_[i].view().at(path.front());
    }
    return std::nullopt;
  }

 private:
  static bool has(NodeView object, std::string_view key) {
    return object.is_object() && object.find(key).has_value();
  }
  /// Where a document has the key; empty if it has not.
  static std::vector<std::string> place(NodeView root, std::string_view section,
                                        std::string_view key) {
    if (!has(root, section)) return {};
    if (key.empty()) return {std::string(section)};
    if (!has(root.at(section), key)) return {};
    return {std::string(section), std::string(key)};
  }

  const Configuration& config_;
  std::vector<Value> documents_;
};

}  // namespace

std::vector<Setting> settings_of(const Configuration& config) {
  const Origins origins(config);
  std::vector<Setting> all;
  const auto add = [&](const std::string& section, const std::string& key, const Json& value) {
    all.push_back({key.empty() ? section : section + "." + key, value, origins.of(section, key)});
  };
  const Json holds = effective(config);
  for (const auto& [section, value] : holds.members()) {
    if (!value.is_object()) {
      add(section, "", value);
      continue;
    }
    for (const auto& [key, member] : value.members()) add(section, key, member);
  }
  const auto add_allowlist = [&](const char* key, const std::shared_ptr<const Allowlist>& list) {
    if (!list) return;
    const auto written = origins.written(key);  // as it was written
    add(key, "", written ? Json(*written) : json_of(list->describe(SIZE_MAX)));
  };
  add_allowlist("allowlist", config.registry.allowlist);
  add_allowlist("allow_also", config.registry.allow_also);
  Json types = Json::object();
  for (const auto& [name, notation] : config.registry.types) types[name] = notation;
  add("types", "", types);
  return all;
}

}  // namespace polycodec
