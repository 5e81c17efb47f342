// SPDX-License-Identifier: MIT
// Arrays that contain themselves.
#pragma once

#include <polycodec/builder.hpp>

#include <cstdint>
#include <unordered_map>

namespace polycodec::awkward {

/// The arrays that deferred ones stand for.
using DeferredTargets = std::unordered_map<const polycodec_array*, const polycodec_array*>;

/// `root` without deferred arrays. An array on a cycle becomes an array of documents: its rows are
/// nodes, and where the cycle closes, a REFERENCE to the node of a row. Throws Error:
/// Status::malformed if a row stands for itself or contains itself through tables and indices
/// alone, so that it has no end; indices out of range, with their row; Status::limit for more than
/// limits.max_nodes nodes.
polycodec_node resolve_cycles(Builder& out, const polycodec_node& root,
                              const DeferredTargets& targets, const polycodec_limits& limits);

}  // namespace polycodec::awkward
