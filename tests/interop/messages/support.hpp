// SPDX-License-Identifier: MIT
// What the tests of messages share.
#pragma once

#include <polycodec/registry.hpp>

#include "error_of.hpp"

namespace polycodec {

/// All plugins of this build.
inline const Registry& registry() {
  static const Registry all = Registry::open();
  return all;
}

using test::error_of;

}  // namespace polycodec
