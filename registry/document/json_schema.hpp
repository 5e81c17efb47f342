// SPDX-License-Identifier: MIT
// The one checker of options, configuration and manifests: a part of JSON Schema (draft-07).
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/node_view.hpp>

#include "core/value/value.hpp"
#include "registry/document/json_document.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {

struct SchemaProblem {
  JsonPath path;
  std::string what;      ///< such as "must be a string, not a list"
  bool unknown = false;  ///< no such member; `what` is suggestions and known names

  /// The problem as a sentence that names the place.
  std::string describe() const;
};

/// At most `most` places where `value` does not fit. Keywords: type, enum, minimum, maximum,
/// minLength, maxLength, items, minItems, maxItems, properties, required, additionalProperties,
/// pattern (of POSIX), and $ref to #/definitions.
std::vector<SchemaProblem> schema_problems(NodeView schema, NodeView value,
                                           std::size_t most = SIZE_MAX);

/// Checks what a schema of schemas cannot say of the options schema at `path` of a manifest: types
/// exist, and defaults fit their own schema. Throws the document's error.
void check_options_schema(const JsonDocument& document, NodeView schema, const JsonPath& path);

/// The options of `defaults` (an object, or null) with those of `given` over them, checked. Plain
/// JSON: integers of 64 bits, float64, lists for tuples. Throws Error(Status::option) that names
/// the option (with suggestions where it is unknown), also for values that JSON does not have and
/// for nesting deeper than 64.
Value merge_options(NodeView schema, NodeView defaults, NodeView given);

/// The options with the content of a file for its path, where the schema gives an option the role
/// "file": plugins open no paths. It is a regular file of at most 16 MiB. Throws Error(option).
NodeView with_files(NodeView schema, NodeView options, Builder& out);

/// An option whose schema says `"host_only": true` or gives the role "file" is taken from the
/// application, its configuration and the command line, and from nobody else (OptionsFrom). Throws
/// Error(denied) that names it if `options`, which came from others, have it. Options as text are
/// not even parsed where the schema has none such.
void refuse_host_only(NodeView schema, NodeView options);
void refuse_host_only_in_text(NodeView schema, std::string_view options);

/// The options that a message may carry: all others. Empty if there are none.
std::string without_host_only(NodeView schema, std::string_view options);

/// The name of the option whose schema says this `role`, such as "compression"; empty if there is
/// none.
std::string_view option_of_role(NodeView schema, std::string_view role);

/// True if a codec with this schema of options has tolerant reading.
bool has_tolerant(NodeView schema);

/// The options of such a codec, as JSON text (empty: none), with `tolerant` as true and `strict` as
/// false, unless they say otherwise.
std::string with_tolerant(NodeView schema, std::string_view options);

/// The option, as a JSON object, that lifts errors with this detail: its schema says so in `lifts`.
/// Empty if there is none.
std::string lifting_option(NodeView schema, std::string_view detail);

/// The options for an output file, as JSON: the option of the role "extension" gets the extension
/// of `path` where that is one of its words and `options` do not have the option.
std::string options_for_file(NodeView schema, std::string_view options, std::string_view path);

/// The published schema of configuration files, as it is installed, and that of manifests.
std::string_view config_schema() noexcept;
NodeView config_schema_view();
NodeView manifest_schema_view();
std::string_view manifest_schema() noexcept;

}  // namespace polycodec
