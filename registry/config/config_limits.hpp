// SPDX-License-Identifier: MIT
// Limits in JSON.
#pragma once

#include <polycodec/node_view.hpp>

#include "core/call/limits.hpp"

namespace polycodec {

/// The limits in `object`, which the schema of configuration files has checked, over `base`.
Limits read_limits(NodeView object, Limits base);

}  // namespace polycodec
