// SPDX-License-Identifier: MIT
#include <polycodec/config.hpp>
#include <polycodec/dispatch.hpp>
#include <polycodec/near_names.hpp>
#include <polycodec/type/match.hpp>
#include <polycodec/type/parse.hpp>

#include "config_limits.hpp"
#include "in_quotes.hpp"
#include "json_document.hpp"
#include "search_path.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace polycodec {
namespace {

constexpr std::uint64_t max_config_bytes = std::uint64_t{1} << 20;

/// The word at `key`, which must be one of `words`.
std::size_t choose_word(const JsonObject& object, const char* key, const std::string& word,
                        const std::vector<std::string>& words) {
  const auto at = std::find(words.begin(), words.end(), word);
  if (at != words.end()) return static_cast<std::size_t>(at - words.begin());
  std::string known;
  for (const auto& w : words) known += (known.empty() ? "" : ", ") + w;
  object.fail(key,
              in_quotes(key) + " must be one of " + known + ", not " + in_quotes(word) + did_you_mean(word, words));
}

type::Type read_type(const JsonObject& object, const JsonPath& path, const std::string& text) {
  try {
    return type::parse(text);
  } catch (const Error& e) {
    object.document().fail(path, in_quotes(path_text(path)) + " is not a type: " + e.describe());
  }
}

std::vector<std::filesystem::path> read_paths(const JsonObject& object, const char* key) {
  std::vector<std::filesystem::path> paths;
  const auto texts = object.texts(key);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    paths.emplace_back(texts[i]);
    if (!paths.back().is_absolute())
      object.document().fail(object.at(key, i), in_quotes(path_text(object.at(key, i))) +
                                                    " must be an absolute path, not " + in_quotes(texts[i]));
  }
  return paths;
}

void read_plugins(const JsonObject& object, RegistryOptions& options) {
  options.plugin_paths = read_paths(object, "paths");
  options.add_paths = read_paths(object, "add_paths");
  options.use_environment = object.find_truth("use_environment").value_or(options.use_environment);
  options.use_builtins = object.find_truth("use_builtins").value_or(options.use_builtins);
}

std::vector<Policy::CodecRule> read_codec_rules(const JsonObject& object, const char* key) {
  std::vector<Policy::CodecRule> rules;
  const Json* list = object.find_list(key);
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const Json& item = (*list)[i];
    if (item.is_string()) {
      rules.push_back({item.get<std::string>(), true, true});
      continue;
    }
    const JsonObject rule(object.document(), item, object.at(key, i), {"codec", "decode", "encode"});
    rules.push_back(
        {rule.text("codec"), rule.find_truth("decode").value_or(true), rule.find_truth("encode").value_or(true)});
  }
  return rules;
}

void read_pins(const JsonObject& object, Policy& policy) {
  const Json* pins = object.find_map("pins");
  if (pins == nullptr) return;
  for (const auto& [id, value] : pins->items()) {
    JsonPath path = object.at("pins");
    path.push_back(id);
    const Json list = value.is_array() ? value : Json::array({value});
    for (const Json& digest : list) {
      const bool good =
          digest.is_string() && digest.get_ref<const std::string&>().size() == 64 &&
          digest.get_ref<const std::string&>().find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
      if (!good)
        object.document().fail(
            path, in_quotes(path_text(path)) + " must be a SHA-256 digest of 64 hex digits, or a list of them");
      policy.pins[id].push_back(digest.get<std::string>());
    }
    // An empty list admits no file at all; that is what it says.
    policy.pins[id];
  }
}

Policy read_policy(const JsonObject& object) {
  Policy policy;
  if (const auto mode = object.find_text("mode"))
    policy.mode =
        choose_word(object, "mode", *mode, {"open", "listed"}) == 0 ? Policy::Mode::open : Policy::Mode::listed;
  policy.allow_plugins = object.texts("allow_plugins");
  policy.deny_plugins = object.texts("deny_plugins");
  policy.allow_codecs = read_codec_rules(object, "allow_codecs");
  policy.deny_codecs = read_codec_rules(object, "deny_codecs");
  read_pins(object, policy);
  policy.require_pins = object.find_truth("require_pins").value_or(false);
  if (const Json* owners = object.find_list("trusted_owners")) {
    for (std::size_t i = 0; i < owners->size(); ++i) {
      const Json& owner = (*owners)[i];
      if (!owner.is_number_unsigned() || owner.get<std::uint64_t>() > UINT32_MAX)
        object.document().fail(object.at("trusted_owners", i), "'trusted_owners' must be a list of user ids");
      policy.trusted_owners.push_back(owner.get<std::uint32_t>());
    }
  }
  return policy;
}

RuleCondition read_condition(const JsonObject& object) {
  RuleCondition when;
  if (const auto text = object.find_text("type")) {
    when.type_text = *text;
    when.type = read_type(object, object.at("type"), *text);
  }
  when.min_size = object.find_count("min_size");
  when.max_size = object.find_count("max_size");
  if (when.min_size && when.max_size && *when.min_size > *when.max_size)
    object.fail("min_size", "'min_size' is greater than 'max_size': the rule would never apply");
  when.peer = object.find_text("peer");
  when.file = object.find_text("file");
  when.media_type = object.find_text("media_type");
  return when;
}

std::string object_text(const JsonObject& object, const char* key) {
  const Json* value = object.find_map(key);
  return value == nullptr ? std::string() : value->dump();
}

std::string codec_name(const JsonObject& object, const char* key) {
  std::string name = object.text(key);
  if (!is_canonical_name(name)) object.fail(key, in_quotes(name) + " is not a codec name");
  return name;
}

CodecRule read_rule(const JsonDocument& document, const Json& value, const JsonPath& path) {
  const JsonObject object(document, value, path, {"when", "codec", "options", "then"});
  CodecRule rule;
  if (const Json* when = object.find("when"))
    rule.when = read_condition(JsonObject(document, *when, object.at("when"),
                                          {"type", "min_size", "max_size", "peer", "file", "media_type"}));
  rule.codec = codec_name(object, "codec");
  rule.options = object_text(object, "options");
  if (const Json* then = object.find_list("then")) rule.then = then->dump();
  return rule;
}

CompressionRule read_compression(const JsonDocument& document, const Json& value, const JsonPath& path) {
  const JsonObject object(document, value, path, {"min_size", "types", "contexts", "method", "level"});
  CompressionRule rule;
  rule.min_size = object.find_count("min_size").value_or(rule.min_size);
  rule.types_text = object.texts("types");
  for (std::size_t i = 0; i < rule.types_text.size(); ++i)
    rule.types.push_back(read_type(object, object.at("types", i), rule.types_text[i]));
  rule.contexts = object.texts("contexts");
  rule.method = object.text("method");
  if (const Json* level = object.find("level")) {
    if (!level->is_number_integer())
      object.fail("level", "'level' must be an integer, not " + std::string(json_kind(*level)));
    rule.level = level->get<std::int64_t>();
  }
  return rule;
}

void read_defaults(const JsonObject& object, Configuration& config) {
  if (object.find("codec") != nullptr) config.default_codec = codec_name(object, "codec");
  const Json* options = object.find_map("options");
  if (options == nullptr) return;
  for (const auto& [name, value] : options->items()) {
    JsonPath path = object.at("options");
    path.push_back(name);
    if (!is_canonical_name(name)) object.document().fail(path, in_quotes(name) + " is not a codec name");
    if (!value.is_object())
      object.document().fail(path, in_quotes(path_text(path)) + " must be an object, not " + json_kind(value));
    config.registry.default_options[name] = value.dump();
  }
}

template <class T, class Read>
std::vector<T> read_list(const JsonObject& object, const char* key, Read read) {
  std::vector<T> all;
  const Json* list = object.find_list(key);
  for (std::size_t i = 0; list != nullptr && i < list->size(); ++i)
    all.push_back(read(object.document(), (*list)[i], object.at(key, i)));
  return all;
}

bool fits(const std::optional<std::string>& pattern, std::string_view text) {
  return !pattern || (!text.empty() && match_pattern(*pattern, text));
}

bool applies(const RuleCondition& when, const RuleFacts& facts) {
  if ((when.min_size || when.max_size) && !facts.size) return false;
  if (when.min_size && *facts.size < *when.min_size) return false;
  if (when.max_size && *facts.size > *when.max_size) return false;
  const std::string_view file = facts.file.substr(facts.file.rfind('/') + 1);
  if (!fits(when.peer, facts.peer) || !fits(when.file, file) || !fits(when.media_type, facts.media_type))
    return false;
  return !when.type || (facts.type != nullptr && type::matches(*when.type, *facts.type));
}

}  // namespace

std::optional<CodecRule> Configuration::choose(const RuleFacts& facts) const {
  for (const auto& rule : rules)
    if (applies(rule.when, facts)) return rule;
  if (default_codec.empty()) return std::nullopt;
  CodecRule rule;
  rule.codec = default_codec;
  return rule;
}

Configuration parse_config(std::string_view text, std::string_view origin) {
  const JsonDocument document(text, std::string(origin), Status::option);
  const JsonObject object(
      document, document.root(), {},
      {"plugins", "policy", "limits", "whitelist", "compression", "log_level", "defaults", "rules"});
  Configuration config;
  if (const Json* plugins = object.find("plugins"))
    read_plugins(JsonObject(document, *plugins, object.at("plugins"),
                            {"paths", "add_paths", "use_environment", "use_builtins"}),
                 config.registry);
  if (const Json* policy = object.find("policy"))
    config.registry.policy = read_policy(JsonObject(document, *policy, object.at("policy"),
                                                    {"mode", "allow_plugins", "deny_plugins", "allow_codecs",
                                                     "deny_codecs", "pins", "require_pins", "trusted_owners"}));
  if (const Json* limits = object.find("limits"))
    config.registry.limits = read_limits(document, *limits, object.at("limits"), {});
  if (const Json* whitelist = object.find("whitelist")) {
    try {
      config.registry.whitelist = std::make_shared<const Whitelist>(Whitelist::parse(whitelist->dump()));
    } catch (const Error& e) {
      object.fail("whitelist", "'whitelist': " + e.message());
    }
  }
  config.compression = read_list<CompressionRule>(object, "compression", read_compression);
  if (const Json* rules = object.find("compression")) config.registry.compression = rules->dump();
  if (const auto level = object.find_text("log_level"))
    config.log_level = static_cast<polycodec_log_level>(
        choose_word(object, "log_level", *level, {"debug", "info", "warning", "error"}));
  if (const Json* defaults = object.find("defaults"))
    read_defaults(JsonObject(document, *defaults, object.at("defaults"), {"codec", "options"}), config);
  config.rules = read_list<CodecRule>(object, "rules", read_rule);
  return config;
}

Configuration load_config(const std::filesystem::path& path) {
  Limits limits;
  limits.max_input_bytes = max_config_bytes;
  limits.max_memory_bytes = max_config_bytes;
  const Source file = Source::file(path, limits, FileAccess::read);
  Configuration config = parse_config(file.bytes(), path.string());
  config.path = path;
  return config;
}

Configuration load_default_config() {
  const char* path = trusted_environment("POLYCODEC_CONFIG");
  if (path == nullptr || *path == '\0') return {};
  if (!std::filesystem::path(path).is_absolute())
    throw Error(Status::option, "POLYCODEC_CONFIG must be an absolute path, not '" + std::string(path) + "'");
  return load_config(path);
}

}  // namespace polycodec
