// SPDX-License-Identifier: MIT
// What core knows of a call.
#pragma once

#include <polycodec/abi.h>

#include "core/call/budget.hpp"

#include <cstdint>

namespace polycodec {

/// The private data of each polycodec_call that the host makes begins with this.
struct CallState {
  Budget& budget;
};

/// Counts bytes of a file or blob that were handed out in the course of `call` (or null). Throws
/// std::bad_alloc.
inline void count_input(polycodec_call* call, const void* file, std::uint64_t offset,
                        std::uint64_t size, std::uint64_t physical) {
  if (call != nullptr)
    static_cast<CallState*>(call->private_data)->budget.add_input(file, offset, size, physical);
}

}  // namespace polycodec
