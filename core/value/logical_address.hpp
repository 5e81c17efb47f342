// SPDX-License-Identifier: MIT
// The logical content address: one for equal items, whatever holds them.
#pragma once

#include <polycodec/node_view.hpp>

#include "core/call/limits.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace polycodec {

class Budget;

/// Returns the logical address of a valid value as 64 hex digits. docs/content-address.md has the
/// bytes that it is the SHA-256 of; `hashed` (or null) gets their number. Memory does not grow with
/// the value. Throws Status::limit with the path (depth, stack, work; cycles end there too).
/// [thread-safe]
std::string logical_address(NodeView value, const Limits& limits,
                            std::shared_ptr<Budget> budget = {}, std::uint64_t* hashed = nullptr);

}  // namespace polycodec
