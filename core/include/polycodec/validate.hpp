// SPDX-License-Identifier: MIT
// Checking a value that came from a plugin, before anybody reads it.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/export.hpp>
#include <polycodec/limits.hpp>
#include <polycodec/node_view.hpp>
#include <polycodec/regions.hpp>

#include <cstdint>

namespace polycodec {

/// How much of a value is looked at.
enum class Validation : std::uint8_t {
  /// Every node and array header, but no element: the cost depends on the number of nodes, not on
  /// the data.
  /// Afterwards
  /// every leaf element lies inside its buffer and all lengths fit together.
  structure,
  /// Also what buffers and texts hold: offsets, indices, tags, UTF-8, booleans, padding.
  /// Afterwards every
  /// function
  /// of View and NodeView is safe for every index within the lengths. The default for what
  /// strangers sent.
  full,
};

/// Checks the value at `root`. Throws Error(Status::invalid) with path and message at the first
/// rule of the value model that is broken, Error(Status::limit) where depth, nodes or elements
/// exceed `limits`. What can't be seen is trusted: that pointers point to memory of the value, and
/// the size of structure columns. Targets of references are checked too, each once; cycles through
/// plain pointers end at the limit of depth or nodes. Needs O(depth) memory (and O(references),
/// O(columns of a record)). [thread-safe]
///
/// `regions` (or null): where nodes, arrays and their buffers must lie. Throws
/// Error(Status::plugin) for what lies elsewhere.
POLYCODEC_API void validate(const polycodec_node* root, const Limits& limits, Validation validation,
                            const Regions* regions = nullptr);
inline void validate(NodeView value, const Limits& limits, Validation validation) {
  validate(value.raw(), limits, validation);
}

}  // namespace polycodec
