// SPDX-License-Identifier: MIT
#include "registry/load/builtin_table.hpp"

namespace polycodec {

std::span<const BuiltinPlugin> builtin_plugins() noexcept {
  return {};
}

}  // namespace polycodec
