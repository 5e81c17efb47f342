// SPDX-License-Identifier: MIT
// How deep functions of the binding may call themselves, on the stack of this thread.
#pragma once

#include <base/stack.hpp>

#include "handle.hpp"

#include <cstdint>

namespace polycodec_python {

/// Raises LimitError if a recursive function at this depth must go no deeper. The first levels fit
/// on every stack.
inline void check_stack(std::uint32_t depth) {
  if (depth > 16 && polycodec::is_stack_low()) [[unlikely]]
    raise(POLYCODEC_ERROR_LIMIT,
          "nested too deeply for this stack: use a thread with a larger stack");
}

}  // namespace polycodec_python
