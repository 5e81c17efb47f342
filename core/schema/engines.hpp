// SPDX-License-Identifier: MIT
// RE2 and UDUNITS-2, which libpolycodec-schema.so has: it is loaded when a schema first has a
// regular expression or a unit is first converted by more than a power of ten, so most hosts need
// neither.
#pragma once

#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "unit_expression.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace polycodec::schema {

/// How UDUNITS-2 converts: linear in the number.
struct UnitFormula {
  double scale = 1;
  bool offset = false;
  /// Valid if `offset`: what converts.
  std::shared_ptr<void> converter;
};

/// A regular expression that RE2 has compiled.
struct Pattern {
  std::shared_ptr<const void> compiled;  ///< null: it was refused
  std::string refusal;
  std::uint64_t instructions = 0;
  bool (*find)(const void* compiled, std::string_view text) = nullptr;

  /// True if the expression is found anywhere in the text, as JSON Schema has it.
  bool is_in(std::string_view text) const { return find(compiled.get(), text); }
};

/// The exported object. Both libraries come from one build: `version` must be the same in both.
struct Engines {
  std::uint32_t struct_size;
  const char* version;
  /// Compiles an expression in the syntax of RE2 in at most so many bytes.
  Pattern (*compile)(const std::string& expression, std::int64_t max_bytes);
  /// Throws as UnitConversion::between() says; `from_text` and `to_text` are for messages. Both
  /// units have the same power of the plane angle, which UDUNITS-2 takes for a number.
  /// `database_file`, or null for the one that UDUNITS-2 finds, is read at the first call.
  UnitFormula (*find_formula)(const UnitExpression& from, const UnitExpression& to,
                              std::string_view from_text, std::string_view to_text,
                              const char* database_file);
  /// Converts in place; `converter` is that of a UnitFormula.
  void (*convert)(void* converter, double* numbers, std::size_t count) noexcept;
};

#define POLYCODEC_SCHEMA_ENGINES_SYMBOL "polycodec_schema_engines"

/// The engines, loaded at the first call. What schemas are linked into defines it
/// (registry/library), because loading checks paths and owners. Throws Status::not_found, detail
/// word `schema.library`, with the name of the package. [thread-safe]
const Engines& engines();

/// What both libraries throw.
inline Error units_incompatible(std::string_view from, std::string_view to) {
  return Error(Status::type, "a number in " + quote(from) + " can't be converted to " + quote(to) +
                                 ": the units measure different things")
      .detail("units.incompatible");
}

}  // namespace polycodec::schema
