// SPDX-License-Identifier: MIT
// The grammar of yggdrasil's units: text to a product of powers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::schema {

/// A unit that yggdrasil knows.
struct UnitName {
  std::string_view symbol;      ///< canonical
  std::string_view names;       ///< other spellings, separated by spaces
  std::string_view definition;  ///< for UDUNITS-2; empty: numbers in this unit are never converted
  bool prefixes = false;        ///< takes SI prefixes
  std::int32_t angle = 0;       ///< power of the plane angle, which UDUNITS-2 takes for a number
};

/// An SI prefix.
struct UnitPrefix {
  std::string_view symbol;  ///< canonical
  std::string_view names;   ///< other spellings for symbols, separated by spaces
  std::string_view word;    ///< before names
  int exponent = 0;         ///< of ten
};

/// A name with its prefix: `km`.
struct NamedUnit {
  const UnitName* unit = nullptr;
  const UnitPrefix* prefix = nullptr;  ///< may be null
};
/// The unit that one word says; nothing if it is unknown.
std::optional<NamedUnit> find_unit(std::string_view word) noexcept;

/// A power as a fraction in lowest terms; the denominator is positive.
struct Power {
  std::int32_t numerator = 1;
  std::int32_t denominator = 1;
  friend bool operator==(const Power&, const Power&) = default;
};

struct UnitFactor {
  NamedUnit unit;
  Power power;
};

/// A unit: number * product of factors; each unit with its prefix occurs once, powers are not 0.
struct UnitExpression {
  double number = 1;
  std::vector<UnitFactor> factors;

  /// Power of the plane angle; nothing beyond the range of powers.
  std::optional<Power> angle() const noexcept;
  bool is_none() const noexcept { return factors.empty() && number == 1; }
  std::string canonical() const;
};

/// Nothing if the text is not a unit that yggdrasil knows. Strings longer than 512 bytes are none.
std::optional<UnitExpression> parse_units(std::string_view text);

}  // namespace polycodec::schema
