// SPDX-License-Identifier: MIT
// The state of an isolated plugin as JSON, for operators.
#pragma once

#include <base/json_writer.hpp>

#include "registry/load/plugins.hpp"

namespace polycodec {

/// Returns `{"rule": .., "layers": {NAME: null or the kernel's error}, "starts": N, "deaths": N,
/// "kills": N}`, or null for a plugin that runs in-process.
Json isolation_json(const IsolationReport* report);

/// Returns a rule as `policy.isolation` has it.
Json rule_json(const IsolationRule& rule);

}  // namespace polycodec
