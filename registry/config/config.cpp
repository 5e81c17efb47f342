// SPDX-License-Identifier: MIT
#include "registry/config/config.hpp"

#include <base/json_writer.hpp>
#include <base/pattern.hpp>
#include <base/seeded_hash.hpp>
#include <model/type/match.hpp>
#include <model/type/parse.hpp>
#include <polycodec/quote.hpp>

#include "core/dispatch/function_table.hpp"
#include "core/io/process.hpp"
#include "core/text/infer.hpp"
#include "core/text/text.hpp"
#include "registry/config/config_limits.hpp"
#include "registry/config/rules.hpp"
#include "registry/document/json_document.hpp"
#include "registry/document/json_schema.hpp"
#include "registry/load/isolation_rule.hpp"
#include "registry/load/search_path.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace polycodec {
namespace {

constexpr std::uint64_t max_config_bytes = std::uint64_t{1} << 20;

/// The named types of the document itself.
type::TypeNames own_types(const JsonDocument& document) {
  SeededMap<std::string_view, std::string_view> named;
  const NodeView types = object_at(document.root(), "types");
  for (std::uint64_t i = 0; i < types.size(); ++i)
    named.emplace(types.key(i).as_string(), types.value(i).as_string());
  return [named = std::move(named)](std::string_view name) {
    const auto found = named.find(name);
    return found == named.end() ? std::nullopt : std::optional(found->second);
  };
}

/// Those, and those of the plugins that the document names: they are asked when one is first
/// needed.
type::TypeNames all_types(const JsonDocument& document, const RegistryOptions& options) {
  return [own = own_types(document), &options,
          registered = type::TypeNames()](std::string_view name) mutable {
    if (const auto notation = own(name)) return notation;
    if (!registered) registered = Registry::open(options).type_names();
    return registered(name);
  };
}

type::Type read_type(const JsonDocument& document, const JsonPath& path, const std::string& text,
                     const type::TypeNames& names) {
  try {
    type::ParseOptions options;
    options.named = &names;
    return type::parse(text, options);
  } catch (const Error& e) {
    document.fail(path, path_text(path) + " is not a type: " + e.describe());
  }
}

std::vector<std::string> paths_at(NodeView object, std::string_view key) {
  const auto texts = texts_at(object, key);
  return {texts.begin(), texts.end()};
}

void read_plugins(NodeView object, RegistryOptions& options) {
  options.plugin_paths = paths_at(object, "paths");
  options.add_paths = paths_at(object, "add_paths");
  options.use_environment = bool_at(object, "use_environment", options.use_environment);
  options.use_builtins = bool_at(object, "use_builtins", options.use_builtins);
}

std::vector<Policy::CodecRule> read_codec_rules(NodeView list) {
  std::vector<Policy::CodecRule> rules;
  for (std::uint64_t i = 0; i < list.size(); ++i) {
    if (list[i].is_string())
      rules.push_back({std::string(list[i].as_string()), true, true});
    else
      rules.push_back({text_at(list[i], "codec"), bool_at(list[i], "decode", true),
                       bool_at(list[i], "encode", true)});
  }
  return rules;
}

Policy read_policy(NodeView object) {
  Policy policy;
  policy.mode = text_at(object, "mode") == "listed" ? Policy::Mode::listed : Policy::Mode::open;
  policy.allow_plugins = texts_at(object, "allow_plugins");
  policy.deny_plugins = texts_at(object, "deny_plugins");
  policy.allow_codecs = read_codec_rules(list_at(object, "allow_codecs"));
  policy.deny_codecs = read_codec_rules(list_at(object, "deny_codecs"));
  const NodeView pins = object_at(object, "pins");
  for (std::uint64_t i = 0; i < pins.size(); ++i) {
    // An empty list allows no file at all.
    auto& digests = policy.pins[std::string(pins.key(i).as_string())];
    if (pins.value(i).is_string())
      digests.emplace_back(pins.value(i).as_string());
    else
      digests = texts_at(pins, pins.key(i).as_string());
  }
  policy.require_pins = bool_at(object, "require_pins", false);
  const NodeView owners = list_at(object, "trusted_owners");
  for (std::uint64_t i = 0; i < owners.size(); ++i)
    policy.trusted_owners.push_back(static_cast<std::uint32_t>(owners[i].as_uint64()));
  policy.wasm_runtime = text_at(object, "wasm_runtime");
  policy.wasm_cache = text_at(object, "wasm_cache");
  if (const auto isolation = object.find("isolation")) read_isolation(*isolation, policy);
  return policy;
}

std::optional<std::uint64_t> find_count(NodeView object, std::string_view key) {
  const auto found = object.find(key);
  return found ? std::optional(found->as_uint64()) : std::nullopt;
}

std::optional<std::string> find_text(NodeView object, std::string_view key) {
  const auto found = object.find(key);
  return found ? std::optional(std::string(found->as_string())) : std::nullopt;
}

std::shared_ptr<const RuleCondition> read_condition(const JsonDocument& document, NodeView object,
                                                    const JsonPath& path,
                                                    const type::TypeNames& names) {
  RuleCondition when;
  if (const auto text = find_text(object, "type")) {
    when.type_text = *text;
    when.type =
        std::make_shared<const type::Type>(read_type(document, path / "type", *text, names));
  }
  when.min_size = find_count(object, "min_size");
  when.max_size = find_count(object, "max_size");
  if (when.min_size && when.max_size && *when.min_size > *when.max_size)
    document.fail(path / "min_size",
                  "'min_size' is greater than 'max_size': the rule would never apply");
  when.peer = find_text(object, "peer");
  when.file = find_text(object, "file");
  when.media_type = find_text(object, "media_type");
  return std::make_shared<const RuleCondition>(std::move(when));
}

/// A member as JSON text; empty where it is absent.
std::string json_of(const std::optional<NodeView>& member) {
  return member ? to_json(*member, json_compact) : std::string();
}

std::string codec_name(const JsonDocument& document, NodeView object, const JsonPath& path) {
  std::string name = text_at(object, "codec");
  if (!is_canonical_name(name)) document.fail(path / "codec", quote(name) + " is not a codec name");
  return name;
}

CodecRule read_rule(const JsonDocument& document, NodeView object, const JsonPath& path,
                    const type::TypeNames& names) {
  CodecRule rule;
  rule.when = read_condition(document, object_at(object, "when"), path / "when", names);
  rule.codec = codec_name(document, object, path);
  rule.options = json_of(object.find("options"));
  rule.filters = json_of(object.find("filters"));
  return rule;
}

void check_compression(const JsonDocument& document) {
  const NodeView rules = list_at(document.root(), "compression");
  const type::TypeNames own = own_types(document);
  for (std::uint64_t i = 0; i < rules.size(); ++i) {
    const auto types = texts_at(rules[i], "types");
    const JsonPath path = JsonPath{"compression"} / std::size_t{i} / "types";
    for (std::size_t k = 0; k < types.size(); ++k)
      (void)read_type(document, path / k, std::string(types[k]), own);
  }
}

void read_defaults(const JsonDocument& document, NodeView object, Configuration& config) {
  const JsonPath path{"defaults"};
  if (object.find("codec")) config.default_codec = codec_name(document, object, path);
  const NodeView options = object_at(object, "options");
  for (std::uint64_t i = 0; i < options.size(); ++i) {
    const std::string name(options.key(i).as_string());
    if (!is_canonical_name(name))
      document.fail(path / "options" / name, quote(name) + " is not a codec name");
    config.registry.default_options[name] = json_of(options.value(i));
  }
}

template <class T, class Read>
std::vector<T> read_list(const JsonDocument& document, const char* key, Read read) {
  std::vector<T> all;
  const NodeView list = list_at(document.root(), key);
  for (std::uint64_t i = 0; i < list.size(); ++i)
    all.push_back(read(document, list[i], JsonPath{key} / std::size_t{i}));
  return all;
}

bool fits(const std::optional<std::string>& pattern, std::string_view text) {
  return !pattern || (!text.empty() && match_pattern(*pattern, text));
}

/// `type`: that of facts.value, which is inferred when a rule first asks for it.
bool applies(const RuleCondition* rule, const RuleFacts& facts, std::optional<type::Type>& type) {
  if (rule == nullptr) return true;
  const RuleCondition& when = *rule;
  if ((when.min_size || when.max_size) && !facts.size) return false;
  if (when.min_size && *facts.size < *when.min_size) return false;
  if (when.max_size && *facts.size > *when.max_size) return false;
  const std::string_view file = facts.file.substr(facts.file.rfind('/') + 1);
  if (!fits(when.peer, facts.peer) || !fits(when.file, file) ||
      !fits(when.media_type, facts.media_type))
    return false;
  if (!when.type) return true;
  if (facts.value == nullptr) return false;
  if (!type) type = infer_type(NodeView(facts.value));
  return type::matches(*when.type, *type);
}

/// What a document says that its schema has accepted.
Configuration read_document(const JsonDocument& document, Configuration config) {
  const NodeView root = document.root();
  read_plugins(object_at(root, "plugins"), config.registry);
  config.registry.policy = read_policy(object_at(root, "policy"));
  config.registry.limits = read_limits(object_at(root, "limits"), {});
  const auto read_allowlist = [&](const char* key, std::shared_ptr<const Allowlist>& to) {
    const auto given = root.find(key);
    if (!given) return;
    try {
      to = std::make_shared<const Allowlist>(Allowlist::from(*given));
    } catch (const Error& e) {
      document.fail({key}, quote(key) + ": " + e.message());
    }
  };
  read_allowlist("allowlist", config.registry.allowlist);
  read_allowlist("allow_also", config.registry.allow_also);
  const NodeView types = object_at(root, "types");
  const type::TypeNames own = own_types(document);
  for (std::uint64_t i = 0; i < types.size(); ++i) {
    const std::string name(types.key(i).as_string()), notation(types.value(i).as_string());
    (void)read_type(document, JsonPath{"types"} / name, notation, own);
    config.registry.types.emplace(name, notation);
  }
  check_compression(document);
  config.registry.compression = json_of(root.find("compression"));
  constexpr std::array<std::string_view, 4> levels = {"debug", "info", "warning", "error"};
  if (const auto level = find_text(root, "log_level"))
    config.log_level =
        static_cast<polycodec_log_level>(std::ranges::find(levels, *level) - levels.begin());
  read_defaults(document, object_at(root, "defaults"), config);
  const type::TypeNames names = all_types(document, config.registry);
  config.rules = read_list<CodecRule>(document, "rules",
                                      [&](const auto&... at) { return read_rule(at..., names); });
  return config;
}

/// Members of later documents in the place of those of earlier ones.
Json merged(const std::vector<JsonDocument>& documents) {
  constexpr std::array<std::string_view, 5> sections = {"plugins", "policy", "limits", "types",
                                                        "defaults"};
  Json all = Json::object();
  for (const JsonDocument& document : documents) {
    const NodeView root = document.root();
    for (std::uint64_t i = 0; i < root.size(); ++i) {
      const std::string key(root.key(i).as_string());
      if (std::ranges::find(sections, key) == sections.end()) {
        all[key] = Json(root.value(i));
        continue;
      }
      const NodeView section = root.value(i);
      for (std::uint64_t k = 0; k < section.size(); ++k) {
        const std::string name(section.key(k).as_string());
        Json& to = all[key][name];
        if (key != "defaults" || name != "options") {
          to = Json(section.value(k));
          continue;
        }
        const NodeView codecs = section.value(k);
        for (std::uint64_t n = 0; n < codecs.size(); ++n)
          to[std::string(codecs.key(n).as_string())] = Json(codecs.value(n));
      }
    }
  }
  return all;
}

}  // namespace

std::optional<CodecRule> Configuration::choose(const RuleFacts& facts) const {
  std::optional<type::Type> type;
  for (const auto& rule : rules)
    if (applies(rule.when.get(), facts, type)) return rule;
  if (default_codec.empty()) return std::nullopt;
  CodecRule rule;
  rule.codec = default_codec;
  return rule;
}

Configuration parse_config(std::string_view text, std::string_view origin) {
  return parse_config({{std::string(text), std::string(origin)}});
}

Configuration parse_config(std::vector<ConfigLayer> layers) {
  std::vector<JsonDocument> documents;
  std::string names;
  Configuration config;
  for (const ConfigLayer& layer : layers) {
    auto& document = documents.emplace_back(layer.text, layer.name, Status::option);
    document.check(config_schema_view());
    names += (names.empty() ? "" : ", ") + layer.name;
  }
  if (documents.size() == 1)
    config = read_document(documents.front(), std::move(config));
  else if (!documents.empty())
    config = read_document(
        JsonDocument(parse_json(merged(documents).text(json_compact)), names, Status::option),
        std::move(config));
  config.layers = std::move(layers);
  return config;
}

Configuration load_config(const std::string& path) {
  Limits limits;
  limits.max_input_bytes = max_config_bytes;
  limits.max_memory_bytes = max_config_bytes;
  const Source file = Source::file(path, limits, FileAccess::read);
  Configuration config = parse_config(file.bytes(), path);
  config.path = path;
  return config;
}

Configuration load_default_config() {
  const char* path = trusted_environment("POLYCODEC_CONFIG");
  if (path == nullptr || *path == '\0') return {};
  if (*path != '/')
    throw Error(Status::option, "POLYCODEC_CONFIG must be an absolute path, not " + quote(path));
  return load_config(path);
}

}  // namespace polycodec
