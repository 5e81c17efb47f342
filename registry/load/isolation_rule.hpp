// SPDX-License-Identifier: MIT
// Where a plugin runs: the policy's word for it, and the words of configurations.
#pragma once

#include <polycodec/node_view.hpp>

#include "registry/load/plugins.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace polycodec {

/// Who brings a plugin: this package, another one, or the program that runs the registry.
enum class PluginOrigin : std::uint8_t { package, foreign, program };

/// Returns what the policy says of a plugin: the rule of the pattern that says most about its id,
/// else the general one.
const IsolationRule& wanted_isolation(const Policy& policy, std::string_view id);

/// Returns the rule for a plugin, with `in_process` or `process` as its mode. Throws
/// LoadFailure(policy) where the policy demands a process for code of the program itself.
IsolationRule isolation_rule(const Policy& policy, const Manifest& manifest, PluginOrigin origin);

/// Returns why isolation_rule() says so, such as "a plugin of the package".
std::string_view reason_of_place(const Policy& policy, const Manifest& manifest,
                                 PluginOrigin origin);

/// Reads `policy.isolation` of a configuration, which fits the schema, into `policy`.
void read_isolation(NodeView given, Policy& policy);

/// Reads a mode, or JSON as `policy.isolation` has it, into `policy`. An empty text changes
/// nothing, and a mode alone keeps the limits. Throws Error(option).
void read_isolation_text(std::string_view text, Policy& policy);

/// Lets no plugin from outside of the package run in-process: rules that say so become `auto`.
void isolate_foreign(Policy& policy);

/// Returns the word for a mode, such as "in-process".
std::string_view isolation_mode_name(IsolationMode mode) noexcept;

/// Returns the required layers that do not hold, as bits 1 << Layer. A layer without a result does
/// not hold.
std::uint32_t missing_layers(const IsolationRule& rule, std::span<const LayerResult> results);

}  // namespace polycodec
