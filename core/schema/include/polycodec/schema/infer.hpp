// SPDX-License-Identifier: MIT
// The schema of a value.
#pragma once

#include <polycodec/export.hpp>
#include <polycodec/limits.hpp>
#include <polycodec/node_view.hpp>
#include <polycodec/schema/schema.hpp>

#include <cstdint>

namespace polycodec::schema {

struct InferOptions {
  /// As in the headers of messages: without shapes, and without the precision of texts.
  bool minimal = false;
  /// Lists of up to so many items get a schema for each; longer ones get one for all, and none
  /// where the items have more than 16 different schemas.
  std::uint64_t max_tuple = 64;
};

/// The schema that describes `value`, which is valid; the value passes validate() with it. Numbers
/// and texts are what the yggdrasil codec writes them as: int64, float64 and strings without
/// attributes are plain JSON (integer, number, string), everything else scalars and arrays with
/// subtype, precision and units; a table is a list of arrays with titles. Kinds that schemas have
/// no word for are described by `{}`. Arrays are not read, except indices for missing items. Throws
/// Error(limit) beyond the limits. [thread-safe]
POLYCODEC_API Schema infer(NodeView value, const InferOptions& options = {},
                           const Limits& limits = {});

}  // namespace polycodec::schema
