// SPDX-License-Identifier: MIT
// Reading schemas: JSON text in either spelling, or a document that says the same.
#pragma once

#include <polycodec/node_view.hpp>

#include "schema.hpp"

#include <string_view>

namespace polycodec::fastbin {

/// The schema that JSON text says. Members of structs may be an object (`"name": "type"`) or a list
/// of objects with `name` and `type`. Throws Error(option) with the detail word `schema` and a
/// message that starts with `origin:line: ` and the path in the schema: text that is not JSON,
/// missing and wrong entries, unknown types, forward and circular use, duplicates, reserved names.
/// `origin` may be a file name. [thread-safe]
Schema parse_schema(std::string_view text, std::string_view origin = "schema");

/// The same from a document: a STRING is such text; an OBJECT is read as the JSON object of its
/// members, and errors name no line.
Schema schema_from_view(NodeView document, std::string_view origin = "schema");

}  // namespace polycodec::fastbin
