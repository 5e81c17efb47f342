// SPDX-License-Identifier: MIT
// Schemas of values: JSON Schema draft 4 with yggdrasil's types of scalars, arrays and objects with
// units.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/export.hpp>
#include <polycodec/limits.hpp>
#include <polycodec/node_view.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace polycodec::schema {

struct Program;

/// The notation of a registered type by its name, or nothing: Registry::type_names().
using TypeNames = std::function<std::optional<std::string_view>(std::string_view name)>;

/// In what `precision` is counted where a schema is read or written.
enum class Precision : std::uint8_t {
  bytes,  ///< as in yggdrasil since 1.9
  bits,   ///< as in the documents of yggdrasil, and before 1.9
};

/// How a schema is written.
struct PrintOptions {
  /// Whose order of the keywords of scalars and arrays: units before shape (the C++ library) or
  /// behind it (Python).
  bool python_order = false;
  /// Characters beyond ASCII as \uXXXX, as Python writes them.
  bool ascii = false;
  Precision precision = Precision::bytes;
  unsigned indent = 0;  ///< 0: one line without blanks
};

/// A schema, checked and ready to be applied. Cheap to copy (copies share); never changes; may be
/// used by several threads. What the language is made of stands in docs/schemas.md.
class POLYCODEC_API Schema {
 public:
  /// The schema that allows every value: `{}`.
  Schema() = default;

  /// Reads JSON text. Throws Error(malformed or another code of parse_json()) with the byte offset
  /// where it is no JSON, Error(malformed), detail word `schema.keyword`, with the path inside the
  /// schema where a keyword is wrong, `schema.reference` for a `$ref` that leads nowhere, outside
  /// or only back to itself, `schema.pattern` for a regular expression that RE2 does not accept,
  /// Error(limit) for schemas that are too deep or too large. A type word that `names` knows asks
  /// for a value of the registered type.
  static Schema parse(std::string_view json, const Limits& limits = {},
                      Precision precision = Precision::bytes, const TypeNames& names = {});

  /// The same of a schema that was read already, such as the datatype of a message header; it is
  /// copied.
  static Schema from_view(NodeView document, const Limits& limits = {},
                          Precision precision = Precision::bytes, const TypeNames& names = {});

  /// The schema as a document, as it was read but with precisions in bytes. Lives as long as the
  /// last copy.
  NodeView document() const;

  /// JSON text, in which the keywords type, subtype, precision, units, shape and encoding of each
  /// (sub-)schema come first and in this order, and all others follow in the order in which they
  /// were read.
  std::string to_json(const PrintOptions& options = {}) const;

  /// The same as a node in the arena of `out`.
  polycodec_node to_node(Builder& out, const PrintOptions& options = {}) const;

  /// For the functions of this library.
  const Program& program() const;
  explicit Schema(std::shared_ptr<const Program> program) noexcept : program_(std::move(program)) {}

 private:
  std::shared_ptr<const Program> program_;  // null: every value
};

/// Where two schemas differ first, and in what.
struct SchemaDifference {
  std::string path;    ///< in the schema, such as `$.properties.x.units`
  std::string reason;  ///< for people
};

/// The first difference of two schemas; nothing if they say the same. Precision is compared
/// exactly, units by what they say (`meters` is m, but cm is not m); aliases say what they stand
/// for (`int` is a scalar with subtype int). The order of keywords, properties, required names and
/// of type words does not count, nor do title, description,
/// `$schema`, `id` and definitions. `$ref` is compared as it is written. [thread-safe]
POLYCODEC_API std::optional<SchemaDifference> first_difference(const Schema& a, const Schema& b);

}  // namespace polycodec::schema
