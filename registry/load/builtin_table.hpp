// SPDX-License-Identifier: MIT
#pragma once

#include "registry/load/registry_options.hpp"

#include <span>

namespace polycodec {

/// The plugins that were linked into this library: an explicit table, made by CMake from the
/// targets. (Objects that register themselves from static constructors are dropped by linkers that
/// see no use of them.)
std::span<const BuiltinPlugin> builtin_plugins() noexcept;

}  // namespace polycodec
