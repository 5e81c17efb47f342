// SPDX-License-Identifier: MIT
// The part of JSON Schema (draft-07) that manifests use for the options of codecs.
#pragma once

#include <polycodec/view.hpp>

#include "json_document.hpp"

#include <string>

namespace polycodec {

/// Throws the document's error unless the object at `path` is a schema of the supported subset: type, enum, minimum,
/// maximum, minLength, maxLength, items, minItems, maxItems, properties, required, additionalProperties (a truth
/// value), default, title, description. Defaults must fit their own schema.
void check_schema(const JsonDocument& document, const Json& schema, const JsonPath& path);

/// Throws Error(Status::option) that names the option (with near names where it is unknown) unless `value` fits.
void check_against_schema(const Json& schema, const Json& value, const JsonPath& path = {});

/// A document node as JSON: null, booleans, numbers, strings, lists, tuples and objects.
/// Throws Error(Status::option) for other kinds and for nesting deeper than 64.
Json json_from_view(View view, const JsonPath& path = {});

}  // namespace polycodec
