// SPDX-License-Identifier: MIT
#pragma once

#include "registry/load/registry_options.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace polycodec {

/// The plugins that were linked into the library: an explicit table. (Objects that register
/// themselves from static constructors are dropped by linkers that see no use of them.) What this
/// is linked into says it (registry/library).
std::span<const BuiltinPlugin> builtin_plugins() noexcept;

/// A plugin that this package installs as files.
struct PackagePlugin {
  std::string_view id;
  std::string_view manifest;  ///< the text of its manifest, which the tests check
};

/// The plugins that this package installs as files: from their manifests, when the library is
/// built. None in a library that has them linked in.
std::span<const PackagePlugin> package_plugins() noexcept;

/// The same table as a library exports it for polycodec-sandbox, which opens that library where one
/// of these plugins is isolated. Both come from one build: `version` must be the same in both.
struct BuiltinTable {
  std::uint32_t struct_size;
  const char* version;
  std::span<const BuiltinPlugin> (*plugins)() noexcept;
};

#define POLYCODEC_BUILTIN_TABLE_SYMBOL "polycodec_builtin_table"

}  // namespace polycodec
