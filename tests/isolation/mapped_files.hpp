// SPDX-License-Identifier: MIT
// Whether workers map the files that they read.
#pragma once

#include "registry/codec/registry.hpp"

#include <algorithm>
#include <string_view>

namespace polycodec::test {

/// True if workers of an isolated plugin, which has been loaded, map files: only those that cannot
/// open files get a descriptor. For others the host itself reads the file.
inline bool workers_map_files(const Registry& registry, std::string_view plugin) {
  const auto report = registry.probe(plugin).isolation;
  return std::ranges::any_of(report->layers, [](const LayerResult& one) {
    return one.layer == Layer::seccomp && one.error == 0;
  });
}

}  // namespace polycodec::test
