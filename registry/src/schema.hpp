// SPDX-License-Identifier: MIT
// The part of JSON Schema (draft-07) that manifests use for the options of codecs.
#pragma once

#include <polycodec/view.hpp>

#include "json_document.hpp"

#include <string>
#include <string_view>

namespace polycodec {

/// Throws the document's error unless the object at `path` is a schema of the supported subset: type, enum, minimum,
/// maximum, minLength, maxLength, items, minItems, maxItems, properties, required, additionalProperties (a truth
/// value), default, title, description, and host_only. Defaults must fit their own schema.
void check_schema(const JsonDocument& document, const Json& schema, const JsonPath& path);

/// Throws Error(Status::option) that names the option (with near names where it is unknown) unless `value` fits.
void check_against_schema(const Json& schema, const Json& value, const JsonPath& path = {});

/// An option whose schema says `"host_only": true`, such as the path of a file, is taken from the application, its
/// configuration and the command line, and from nobody else. Throws Error(denied) that names it if `options`, which
/// came from a message or a plugin, have it. Options as text are not even parsed where the schema has none such.
void refuse_host_only(const Json& schema, const Json& options);
void refuse_host_only_in_text(const Json& schema, std::string_view options);

/// The options that a message may carry: all others. Empty if there are none.
std::string without_host_only(const Json& schema, std::string_view options);

/// A document node as JSON: null, booleans, numbers, strings, lists, tuples and objects.
/// Throws Error(Status::option) for other kinds and for nesting deeper than 64.
Json json_from_view(View view, const JsonPath& path = {});

}  // namespace polycodec
