// SPDX-License-Identifier: MIT
// Schemas as text: for users and generators, and in the one spelling that the hash is taken of.
#pragma once

#include "schema.hpp"

#include <string>

namespace polycodec::fastbin {

/// JSON text that parse_schema() reads back as an equal schema, in the spelling that the original
/// generator takes (members of structs as an object). Two spaces an indentation, with a newline.
/// Deterministic.
std::string schema_to_json(const Schema& schema);

/// The normalized text that says how buffers are read, and nothing else: per line a struct with its
/// members' names and types, enums with storage and the names of values, in the order of the
/// schema. The spelling, docstrings, strings of enum members and the namespace leave no trace.
/// Schemas with equal text read each other's buffers alike.
std::string canonical_text(const Schema& schema);

}  // namespace polycodec::fastbin
