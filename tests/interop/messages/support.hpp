// SPDX-License-Identifier: MIT
// What the tests of messages share.
#pragma once

#include "error_of.hpp"
#include "registry/codec/registry.hpp"

namespace polycodec {

/// All plugins of this build.
inline const Registry& registry() {
  static const Registry all = Registry::open();
  return all;
}

using test::error_of;

}  // namespace polycodec
