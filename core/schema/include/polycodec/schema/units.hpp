// SPDX-License-Identifier: MIT
// Units of measurement as yggdrasil writes them.
#pragma once

#include <polycodec/export.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace polycodec::schema {

/// The canonical text of a unit, or nothing if the text is in no unit that yggdrasil knows: factors
/// in the order of their first occurrence, joined by `*`, powers as `**n`, in brackets where there
/// are several factors: `kg m/s2` -> `kg*m*(s**-2)`, `meters` -> `m`, `h` -> `hr`, `umol` ->
/// `μmol`. No unit ("", "n/a") is "". Accepted are names and abbreviations with SI prefixes, `*`,
/// `/`, `**`, `^`, juxtaposition, powers written behind a name (`m2`, `s-2`), brackets, fractional
/// powers and numeric factors. [thread-safe]
POLYCODEC_API std::optional<std::string> canonical_units(std::string_view text);

/// True if both texts say the same unit: their canonical texts are equal or, for unknown units, the
/// texts themselves. 1 m and 100 cm are different units. [thread-safe]
POLYCODEC_API bool same_units(std::string_view a, std::string_view b);

/// How numbers of one unit become numbers of another.
class POLYCODEC_API UnitConversion {
 public:
  /// The conversion of numbers in `from` to numbers in `to`. Units that differ in prefixes only are
  /// converted by an exact power of ten; for all others UDUNITS-2 finds the factor. Throws
  /// Error(type), detail word `units.incompatible`, if the units measure different things or one of
  /// the texts is empty; Error(unsupported), `units.unknown`, where a text is no known unit;
  /// Error(io), `units.database`, if UDUNITS-2 is needed and its unit database can't be read.
  /// [thread-safe; the first use of UDUNITS-2 reads the database]
  static UnitConversion between(std::string_view from, std::string_view to);

  /// True if no number changes.
  bool is_identity() const noexcept { return multiplier_ == 1 && divisor_ == 1 && !offset_; }
  /// Factors of a conversion without an offset: the result is x * multiplier / divisor. Both are
  /// whole numbers where that is exact (cm -> m: 1 and 100).
  double multiplier() const noexcept { return multiplier_; }
  double divisor() const noexcept { return divisor_; }
  /// True for the scales of temperature: zero does not stay zero.
  bool has_offset() const noexcept { return offset_ != nullptr; }

  double apply(double x) const noexcept;
  /// Converts in place.
  void apply(std::span<double> numbers) const noexcept;

  /// Implementation detail: how a conversion with an offset is done.
  struct Offset {
    std::shared_ptr<void> converter;
    void (*convert)(void* converter, double* numbers, std::size_t count) noexcept;
  };
  UnitConversion(double multiplier, double divisor,
                 std::shared_ptr<const Offset> offset = nullptr) noexcept
      : multiplier_(multiplier), divisor_(divisor), offset_(std::move(offset)) {}
  UnitConversion() = default;

 private:
  double multiplier_ = 1;
  double divisor_ = 1;
  std::shared_ptr<const Offset> offset_;
};

}  // namespace polycodec::schema
