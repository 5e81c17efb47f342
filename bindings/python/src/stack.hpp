// SPDX-License-Identifier: MIT
// How deep functions of the binding may call themselves, on the stack of this thread.
#pragma once

#include "python.hpp"

#include <cstdint>

namespace polycodec_python {

/// True if a recursive function must go no deeper. False on other stacks, such as those of
/// coroutines.
bool is_stack_low() noexcept;

/// Throws Status::limit if a recursive function at this depth must go no deeper. The first levels
/// fit on every stack.
inline void check_stack(std::uint32_t depth) {
  if (depth > 16 && is_stack_low()) [[unlikely]]
    throw Error(Status::limit,
                "nested too deeply for this stack: use a thread with a larger stack");
}

}  // namespace polycodec_python
