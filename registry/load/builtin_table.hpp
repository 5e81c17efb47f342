// SPDX-License-Identifier: MIT
#pragma once

#include "registry/load/registry_options.hpp"

#include <span>

namespace polycodec {

/// The plugins that were linked into the library: an explicit table. (Objects that register
/// themselves from static constructors are dropped by linkers that see no use of them.) What this
/// is linked into says it (registry/library).
std::span<const BuiltinPlugin> builtin_plugins() noexcept;

}  // namespace polycodec
