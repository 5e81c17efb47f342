// SPDX-License-Identifier: MIT
// Loading a plugin into a process of its own.
#pragma once

#include "registry/load/catalog.hpp"
#include "registry/load/isolation_rule.hpp"

#include <atomic>
#include <memory>

namespace polycodec::isolation {

/// Loads the plugin of a slot in a process, and gives objects that call it there. Throws
/// LoadFailure, and Error(Status::cancelled) soon after `cancel` (or null) becomes true.
std::shared_ptr<const LoadedPlugin> load_isolated(const PluginSlot& slot, const Policy& policy,
                                                  const IsolationRule& rule, const LogHook& log,
                                                  const std::atomic<bool>* cancel);

}  // namespace polycodec::isolation
