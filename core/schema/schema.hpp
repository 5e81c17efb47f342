// SPDX-License-Identifier: MIT
// Schemas: JSON Schema draft 4 with yggdrasil's types of scalars, arrays and objects with units.
// The schema of a value, problems of a value, values made to fit, and units of measurement.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/node_view.hpp>

#include "core/call/limits.hpp"
#include "core/value/value.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
  /// after it (Python).
  bool python_order = false;
  /// Escapes for characters beyond ASCII, as Python writes them.
  bool ascii = false;
  Precision precision = Precision::bytes;
  unsigned indent = 0;  ///< 0: one line without spaces
};

/// A schema, checked and ready to be applied. Cheap to copy (copies share); never changes; may be
/// used by several threads. What the language is made of is in docs/schemas.md.
class Schema {
 public:
  /// The schema that allows every value: `{}`.
  Schema() = default;

  /// Reads JSON text. Throws Error(malformed or another code of parse_json()) with the byte offset
  /// where it is not JSON, Error(malformed), detail word `schema.keyword`, with the path inside the
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

  /// JSON text, in which the keywords type, subtype, precision, units, shape and encoding of each
  /// (sub-)schema come first and in this order, and all others follow in the order in which they
  /// were read.
  std::string to_json(const PrintOptions& options = {}) const;

  /// For the functions of this library.
  const Program& program() const;
  explicit Schema(std::shared_ptr<const Program> program) noexcept : program_(std::move(program)) {}

 private:
  std::shared_ptr<const Program> program_;  // null: every value
};

/// Where two schemas differ first, and in what.
struct SchemaDifference {
  std::string path;    ///< in the schema, such as `$.properties.x.units`
  std::string reason;  ///< human-readable
};

/// The first difference of two schemas; nothing if they say the same. Precision is compared
/// exactly, units by what they say (`meters` is m, but cm is not m); aliases say what they stand
/// for (`int` is a scalar with subtype int). The order of keywords, properties, required names and
/// of type words does not count, nor do title, description,
/// `$schema`, `id` and definitions. `$ref` is compared as it is written. [thread-safe]
std::optional<SchemaDifference> first_difference(const Schema& a, const Schema& b);

/// Where a value does not fit its schema, and why.
struct Problem {
  std::string path;     ///< of the part of the value, as in polycodec/path.hpp
  std::string keyword;  ///< of the schema, such as `maximum`
  std::string reason;   ///< human-readable
};

struct ValidateOptions {
  /// Validation ends with so many problems.
  std::size_t max_problems = 100;
  /// If not null, gets what is not a problem but worth telling: properties that are deprecated.
  std::vector<Problem>* warnings = nullptr;
};

/// All problems of a valid value in the order in which the schema finds them; none if it fits. The
/// value is checked as it is: nothing is cast, converted or filled in, see normalize(). Numbers in
/// another unit than the schema's do not fit, nor, where it has a `type`, numbers without a unit.
/// `minimum`, `maximum` and `multipleOf` hold for all numbers and all elements of arrays. Throws
/// Error(limit) beyond limits.max_depth, and beyond limits.max_work: hostile schemas take 2^n steps
/// for n bytes of text. [thread-safe]
std::vector<Problem> validate(const Schema& schema, NodeView value,
                              const ValidateOptions& options = {}, const Limits& limits = {});

/// The first problem; nothing if the value fits. [thread-safe]
std::optional<Problem> first_problem(const Schema& schema, NodeView value,
                                     const Limits& limits = {});

struct InferOptions {
  /// As in the headers of messages: without shapes, and without the precision of strings.
  bool minimal = false;
  /// As bodies of messages have them: the values of the codecs ply and obj are of types with these
  /// names, and not objects.
  bool geometry = false;
  /// Lists of up to so many items get a schema for each; longer ones get one for all, and none
  /// where the items have more than 16 different schemas.
  std::uint64_t max_tuple = 64;
};

/// The schema that describes `value`, which is valid; the value passes validate() with it. Numbers
/// and strings are what the yggdrasil codec writes them as: int64, float64 and strings without
/// attributes are plain JSON (integer, number, string), everything else scalars and arrays with
/// subtype, precision and units; a table is a list of arrays with titles. Kinds that schemas have
/// no word for are described by `{}`. Arrays are not read, except indices for missing items. Throws
/// Error(limit) beyond the limits. [thread-safe]
Schema infer(NodeView value, const InferOptions& options = {}, const Limits& limits = {});

/// For which absent properties a `default` is filled in.
enum class Defaults : std::uint8_t {
  none,
  required,  ///< those in `required`, as yggdrasil does
  all,       ///< all that have one
};

/// Which numbers may change a little.
enum class Rounding : std::uint8_t {
  none,    ///< none: a float that the wanted type does not hold exactly is an error
  floats,  ///< what becomes a float is rounded to the nearest; what becomes an integer must be one
  all,     ///< what becomes an integer is rounded to the nearest, too (a tie to the even one)
};

struct NormalizeOptions {
  Defaults defaults = Defaults::all;
  Rounding rounding = Rounding::floats;
  /// As in ValidateOptions; also gets every alias that was replaced.
  std::vector<Problem>* warnings = nullptr;
};

/// `value` as `schema` wants it: numbers cast to the wanted subtype and precision (decided by the
/// number, not by its type: an int64 that holds 5 fits in int8) and converted to the wanted units,
/// which are added where there are none; strings to the wanted encoding, strings of digits to
/// numbers; aliases replaced, defaults filled in, singular values wrapped and wrapped ones
/// unwrapped where the schema allows it. Numbers never overflow, and integers never lose a
/// fraction, silently. The result passes validate(). What needs no change is the value's own node:
/// the result lives no longer than `value`. Throws Error with the path: type, range or invalid
/// where the value can't be made to fit, unsupported (`units.unknown`) and io (`units.database`)
/// where units can't be converted, limit beyond the limits. [thread-safe]
polycodec_node normalize(const Schema& schema, NodeView value, Builder& out,
                         const NormalizeOptions& options = {}, const Limits& limits = {});

/// The same of a value that is given up: what did not change stays where it is, and lives as long
/// as the result.
Value normalize(const Schema& schema, Value&& value, const NormalizeOptions& options = {},
                const Limits& limits = {});

/// The canonical text of a unit, or nothing if the text is in no unit that yggdrasil knows: factors
/// in the order of their first occurrence, joined by `*`, powers as `**n`, in brackets where there
/// are several factors: `kg m/s2` -> `kg*m*(s**-2)`, `meters` -> `m`, `h` -> `hr`, `umol` ->
/// `μmol`. No unit ("", "n/a") is "". Accepted are names and abbreviations with SI prefixes, `*`,
/// `/`, `**`, `^`, juxtaposition, powers written after a name (`m2`, `s-2`), brackets, fractional
/// powers and numeric factors. [thread-safe]
std::optional<std::string> canonical_units(std::string_view text);

/// True if both strings say the same unit: their canonical strings are equal or, for unknown units,
/// the strings themselves. 1 m and 100 cm are different units. [thread-safe]
bool same_units(std::string_view a, std::string_view b);

/// How numbers of one unit become numbers of another.
class UnitConversion {
 public:
  /// The conversion of numbers in `from` to numbers in `to`. Units that differ in prefixes only are
  /// converted by an exact power of ten; for all others UDUNITS-2 finds the factor. Throws
  /// Error(type), detail word `units.incompatible`, if the units measure different things or one of
  /// the strings is empty; Error(unsupported), `units.unknown`, where a text is not a known unit;
  /// Error(io), `units.database`, if UDUNITS-2 is needed and its unit database can't be read.
  /// [thread-safe; the first use of UDUNITS-2 reads the database]
  static UnitConversion between(std::string_view from, std::string_view to);

  /// True if no number changes.
  bool is_identity() const noexcept { return multiplier_ == 1 && divisor_ == 1 && !converter_; }
  /// Factors of a conversion without an offset: the result is x * multiplier / divisor. Both are
  /// integers where that is exact (cm -> m: 1 and 100).
  double multiplier() const noexcept { return multiplier_; }
  double divisor() const noexcept { return divisor_; }
  /// True for the scales of temperature: zero does not stay zero.
  bool has_offset() const noexcept { return converter_ != nullptr; }

  double apply(double x) const noexcept;
  /// Converts in place.
  void apply(std::span<double> numbers) const noexcept;

  /// For the library itself. `converter`: that of a UnitFormula with an offset.
  UnitConversion(double multiplier, double divisor,
                 std::shared_ptr<void> converter = nullptr) noexcept
      : multiplier_(multiplier), divisor_(divisor), converter_(std::move(converter)) {}
  UnitConversion() = default;

 private:
  double multiplier_ = 1;
  double divisor_ = 1;
  std::shared_ptr<void> converter_;
};

}  // namespace polycodec::schema
