// SPDX-License-Identifier: MIT
#include "registry/load/isolation_rule.hpp"

#include <base/json_writer.hpp>
#include <base/pattern.hpp>
#include <polycodec/quote.hpp>

#include "registry/document/json_document.hpp"
#include "registry/document/json_schema.hpp"
#include "registry/json/plugin.hpp"
#include "registry/load/library.hpp"
#include "registry/load/module.hpp"
#include "registry/load/policy.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>

namespace polycodec {
namespace {

constexpr std::array<std::string_view, 3> mode_names = {"auto", "in-process", "process"};

IsolationMode mode_named(std::string_view name) {
  return static_cast<IsolationMode>(std::ranges::find(mode_names, name) - mode_names.begin());
}

std::uint32_t layer_bits(NodeView names) {
  std::uint32_t bits = 0;
  for (std::uint64_t i = 0; i < names.size(); ++i)
    for (std::uint32_t layer = 0; layer <= static_cast<std::uint32_t>(Layer::not_dumpable); ++layer)
      if (layer_name(static_cast<Layer>(layer)) == names[i].as_string()) bits |= 1u << layer;
  return bits;
}

/// `base` with the members that `given` has.
IsolationRule read_rule(NodeView given, IsolationRule base) {
  if (given.is_string()) {
    base.mode = mode_named(given.as_string());
    return base;
  }
  const auto number = [&](const char* key, auto& to) {
    if (const auto member = given.find(key))
      to = static_cast<std::remove_reference_t<decltype(to)>>(member->as_uint64());
  };
  if (const auto mode = given.find("mode")) base.mode = mode_named(mode->as_string());
  number("memory", base.memory_bytes);
  number("cpu_seconds", base.cpu_seconds);
  number("wall_seconds", base.wall_seconds);
  number("load_seconds", base.load_seconds);
  base.reuse = bool_at(given, "reuse", base.reuse);
  if (const auto names = given.find("require")) base.require = layer_bits(*names);
  return base;
}

}  // namespace

const IsolationRule& wanted_isolation(const Policy& policy, std::string_view id) {
  const IsolationRule* best = &policy.isolation;
  std::optional<std::size_t> weight;
  for (const auto& [pattern, rule] : policy.isolation_of) {
    if (!match_pattern(pattern, id)) continue;
    const std::size_t w = pattern_weight(pattern);
    if (weight && *weight >= w) continue;
    weight = w;
    best = &rule;
  }
  return *best;
}

IsolationRule isolation_rule(const Policy& policy, const Manifest& manifest, PluginOrigin origin) {
  IsolationRule rule = wanted_isolation(policy, manifest.id);
  if (manifest.id == json::plugin_id) {
    rule.mode = IsolationMode::in_process;
  } else if (origin == PluginOrigin::program) {
    if (rule.mode == IsolationMode::process)
      throw LoadFailure{Stage::policy,
                        "plugin " + quote(manifest.id) +
                            " is a part of the program: it runs in-process only; set it to "
                            "'in-process' in policy.isolation.plugins"};
    rule.mode = IsolationMode::in_process;
  } else if (is_module(manifest.library)) {
    if (rule.mode == IsolationMode::process)
      throw LoadFailure{Stage::policy,
                        "plugin " + quote(manifest.id) +
                            " is a WebAssembly module, whose sandbox is in this process: set it to "
                            "'auto' in policy.isolation.plugins"};
    rule.mode = IsolationMode::in_process;
  } else if (rule.mode == IsolationMode::automatic) {
    const bool may_stay =
        origin == PluginOrigin::package && !manifest.isolate && manifest.libraries.empty();
    rule.mode = may_stay ? IsolationMode::in_process : IsolationMode::process;
  }
  return rule;
}

std::string_view reason_of_place(const Policy& policy, const Manifest& manifest,
                                 PluginOrigin origin) {
  if (manifest.id == json::plugin_id) return "a part of the library";
  if (origin == PluginOrigin::program) return "a part of the program";
  if (is_module(manifest.library)) return "a WebAssembly module";
  if (wanted_isolation(policy, manifest.id).mode != IsolationMode::automatic)
    return "policy.isolation says so";
  if (origin == PluginOrigin::foreign) return "not a plugin of the package";
  if (!manifest.libraries.empty()) return "it has libraries of its own";
  return manifest.isolate ? "its manifest asks for it" : "a plugin of the package";
}

void isolate_foreign(Policy& policy) {
  const auto relax = [](IsolationRule& rule) {
    if (rule.mode == IsolationMode::in_process) rule.mode = IsolationMode::automatic;
  };
  relax(policy.isolation);
  for (auto& [pattern, rule] : policy.isolation_of) relax(rule);
}

void read_isolation(NodeView given, Policy& policy) {
  policy.isolation = read_rule(given, policy.isolation);
  policy.isolation_of.clear();
  if (given.is_string()) return;
  const NodeView plugins = object_at(given, "plugins");
  for (std::uint64_t i = 0; i < plugins.size(); ++i)
    policy.isolation_of.emplace(plugins.key(i).as_string(),
                                read_rule(plugins.value(i), policy.isolation));
}

void read_isolation_text(std::string_view text, Policy& policy) {
  if (text.empty()) return;
  // An object is all of the text: what follows it would be members of the policy.
  if (text.starts_with('{')) static_cast<void>(JsonDocument(text, "isolation", Status::option));
  const std::string value = text.starts_with('{') ? std::string(text) : to_json_string(text);
  const std::string config =
      JsonObjectText().add("policy", JsonObjectText().add("isolation", value).end()).end();
  const JsonDocument document(config, "isolation", Status::option);
  document.check(config_schema_view());
  read_isolation(document.root().at("policy").at("isolation"), policy);
}

std::string_view isolation_mode_name(IsolationMode mode) noexcept {
  return mode_names[static_cast<std::size_t>(mode)];
}

std::uint32_t missing_layers(const IsolationRule& rule, std::span<const LayerResult> results) {
  std::uint32_t held = 0, refused = 0;
  for (const LayerResult& result : results)
    (result.error == 0 ? held : refused) |= 1u << static_cast<unsigned>(result.layer);
  return rule.require & ~(held & ~refused);
}

}  // namespace polycodec
