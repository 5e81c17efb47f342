// SPDX-License-Identifier: MIT
#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include "core/io/process.hpp"
#include "core/schema/schema.hpp"
#include "unit_database.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <numeric>
#include <system_error>

namespace polycodec::schema {
namespace {

UnitExpression known(std::string_view text) {
  auto unit = parse_units(text);
  if (!unit)
    throw Error(Status::unsupported,
                quote(text) + " is not a known unit: numbers in it cannot be converted")
        .detail("units.unknown");
  return *std::move(unit);
}

// The power of ten between two units that are the same but for their prefixes.
std::optional<int> power_of_ten(const UnitExpression& from, const UnitExpression& to) {
  if (from.number != to.number || from.factors.size() != to.factors.size()) return std::nullopt;
  int exponent = 0;
  for (std::size_t i = 0; i < from.factors.size(); ++i) {
    const UnitFactor& f = from.factors[i];
    // The order of factors is their writer's; a unit that is there twice with different
    // prefixes is not for here.
    const auto named = [&](const UnitFactor& g) { return g.unit.unit == f.unit.unit; };
    const auto at = std::find_if(to.factors.begin(), to.factors.end(), named);
    if (at == to.factors.end() || at->power != f.power || f.power.denominator != 1 ||
        std::count_if(to.factors.begin(), to.factors.end(), named) != 1 ||
        std::count_if(from.factors.begin(), from.factors.end(), named) != 1)
      return std::nullopt;
    const auto prefix = [](const UnitFactor& g) {
      return g.unit.prefix == nullptr ? 0 : g.unit.prefix->exponent;
    };
    exponent += (prefix(f) - prefix(*at)) * f.power.numerator;
  }
  // 1e22 is the largest power of ten that a double holds exactly.
  return std::abs(exponent) <= 22 ? std::optional<int>(exponent) : std::nullopt;
}

// The decimal with few digits that a factor stands for, if it is one: what is left of 10 after
// products of rounded factors may be 10.000000000000002.
double snapped(double factor) {
  char text[40];
  const auto written =
      std::to_chars(text, text + sizeof text, factor, std::chars_format::scientific, 11);
  double decimal = factor;
  std::from_chars(text, written.ptr, decimal);
  return std::fabs(decimal - factor) <=
                 8 * std::numeric_limits<double>::epsilon() * std::fabs(factor)
             ? decimal
             : factor;
}

// The database of a relocatable installation, such as a Python wheel: share/xml/udunits beside the
// directory of libpolycodec.so. Empty without a database.
std::string bundled_database() {
  std::error_code error;
  const auto path = library_directory().parent_path() / "share/xml/udunits/udunits2.xml";
  return std::filesystem::exists(path, error) ? path.string() : std::string();
}

}  // namespace

std::optional<std::string> canonical_units(std::string_view text) {
  const auto unit = parse_units(text);
  return unit ? std::optional(unit->canonical()) : std::nullopt;
}

bool same_units(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const auto left = canonical_units(a);
  return left && left == canonical_units(b);
}

UnitConversion UnitConversion::between(std::string_view from, std::string_view to) {
  if (same_units(from, to)) return {};
  const UnitExpression source = known(from);
  const UnitExpression target = known(to);
  if (source.is_none() != target.is_none() && source.canonical() != "%" &&
      target.canonical() != "%")
    throw Error(Status::type, "numbers in " + quote(from) + " and in " + quote(to) +
                                  " can't be converted: only one of them has a unit")
        .detail("units.incompatible");
  if (const auto exponent = power_of_ten(source, target)) {
    const double power = std::pow(10.0, std::abs(*exponent));
    return *exponent < 0 ? UnitConversion(1, power) : UnitConversion(power, 1);
  }
  // UDUNITS-2 takes angles for numbers: rad for sr, lm for cd, and a degree for some percent.
  if (source.angle() != target.angle()) throw units_incompatible(from, to);
  const std::string bundled = bundled_database();
  const char* const database_file =
      database_path(bundled.empty() ? nullptr : bundled.c_str(),
                    std::getenv("UDUNITS2_XML_PATH") != nullptr, is_privileged());
  const UnitFormula formula = engines().find_formula(source, target, from, to, database_file);
  if (formula.offset) return {1, 1, formula.converter};
  const double scale = snapped(formula.scale);
  const double inverse = snapped(1 / scale);
  return scale < 1 && inverse == std::rint(inverse) ? UnitConversion(1, inverse)
                                                    : UnitConversion(scale, 1);
}

double UnitConversion::apply(double x) const noexcept {
  if (!converter_) return x * multiplier_ / divisor_;
  engines().convert(converter_.get(), &x, 1);
  return x;
}

void UnitConversion::apply(std::span<double> numbers) const noexcept {
  if (converter_) return engines().convert(converter_.get(), numbers.data(), numbers.size());
  if (divisor_ == 1)
    for (double& x : numbers) x *= multiplier_;
  else
    for (double& x : numbers) x /= divisor_;
}

}  // namespace polycodec::schema
