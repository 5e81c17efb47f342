// SPDX-License-Identifier: MIT
#include "unit_database.hpp"

#include <polycodec/error.hpp>
#include <polycodec/quote.hpp>

#include <udunits2.h>

#include <charconv>
#include <cmath>
#include <mutex>
#include <numeric>
#include <string>

namespace polycodec::schema {
namespace {

// UDUNITS-2 keeps its status and the handler of its messages in global variables, so that all calls
// that may set them are made under one lock; and it would print its messages to standard error.
std::mutex& library_lock() {
  static std::mutex lock;
  return lock;
}

class QuietSection {
 public:
  QuietSection() : guard_(library_lock()), before_(ut_set_error_message_handler(ut_ignore)) {}
  ~QuietSection() { ut_set_error_message_handler(before_); }
  QuietSection(const QuietSection&) = delete;
  QuietSection& operator=(const QuietSection&) = delete;

 private:
  std::lock_guard<std::mutex> guard_;
  ut_error_message_handler before_;
};

using System = std::unique_ptr<ut_system, decltype(&ut_free_system)>;
using Unit = std::unique_ptr<ut_unit, decltype(&ut_free)>;

// The database, read at first use; a failure is not kept, because an operator may mend it
// meanwhile.
ut_system* database(const char* own) {
  static System system(nullptr, &ut_free_system);
  if (!system) system.reset(ut_read_xml(own));
  if (system) return system.get();
  ut_status status = UT_SUCCESS;
  const char* path = ut_get_path_xml(own, &status);
  throw Error(
      Status::io,
      "converting units needs the unit database of UDUNITS-2, and it can't be read from " +
          quote(path == nullptr ? "" : path) +
          (status == UT_OPEN_ENV
               ? ", where the environment variable UDUNITS2_XML_PATH points"
               : "; install it (Debian: libudunits2-data), or set UDUNITS2_XML_PATH to its file"))
      .detail("units.database");
}

std::string scientific_text(double number) {
  char text[40];
  return {text, std::to_chars(text, text + sizeof text, number, std::chars_format::scientific).ptr};
}

bool is_temperature_scale(const UnitFactor& factor) noexcept {
  const std::string_view symbol = factor.unit.unit->symbol;
  return symbol == "degC" || symbol == "degF";
}

// In UDUNITS-2's syntax, with all powers multiplied by `times`, so that they are whole.
std::string specification(const UnitExpression& unit, std::int32_t times, std::string_view text) {
  // A temperature is on its scale alone only: per degree or kilo-degree mean differences.
  const bool scale = unit.number == 1 && unit.factors.size() == 1 && times == 1 &&
                     unit.factors[0].power == Power{} && unit.factors[0].unit.prefix == nullptr;
  std::string made = scientific_text(std::pow(unit.number, double(times)));
  for (const UnitFactor& factor : unit.factors) {
    const UnitName& name = *factor.unit.unit;
    if (name.definition.empty())
      throw Error(Status::unsupported, "there are no conversions of the unit " + quote(text))
          .detail("units.unknown");
    std::string definition(name.definition);
    if (is_temperature_scale(factor)) {
      if (scale) return definition;
      definition = name.symbol == "degC" ? "kelvin" : "degR";
    }
    const double prefix =
        factor.unit.prefix == nullptr ? 1 : std::pow(10.0, double(factor.unit.prefix->exponent));
    made += " (" + scientific_text(prefix) + " " + definition + ")^" +
            std::to_string(factor.power.numerator * (times / factor.power.denominator));
  }
  return made;
}

Unit parse(ut_system* system, const std::string& text, std::string_view shown) {
  Unit unit(ut_parse(system, text.c_str(), UT_UTF8), &ut_free);
  if (!unit)
    throw Error(Status::unsupported, "UDUNITS-2's database does not know the unit " + quote(shown))
        .detail("units.unknown");
  return unit;
}

// The least number that makes all powers whole.
std::int32_t common_denominator(const UnitExpression& unit, std::int32_t denominator) {
  for (const UnitFactor& factor : unit.factors) {
    denominator = std::lcm(denominator, factor.power.denominator);
    if (denominator > 60) return 0;
  }
  return denominator;
}

}  // namespace

UnitFormula find_formula(const UnitExpression& from, const UnitExpression& to,
                         std::string_view from_text, std::string_view to_text,
                         const char* database_file) {
  const std::int32_t first = common_denominator(from, 1);
  const std::int32_t times = first == 0 ? 0 : common_denominator(to, first);
  const auto incompatible = [&] { return units_incompatible(from_text, to_text); };
  if (times == 0)
    throw Error(Status::unsupported, "the powers of " + quote(from_text) + " and " +
                                         quote(to_text) + " have no small common denominator")
        .detail("units.unknown");
  const std::string from_specification = specification(from, times, from_text);
  const std::string to_specification = specification(to, times, to_text);
  const QuietSection quiet;
  ut_system* system = database(database_file);
  const Unit from_unit = parse(system, from_specification, from_text);
  const Unit to_unit = parse(system, to_specification, to_text);
  if (ut_are_convertible(from_unit.get(), to_unit.get()) == 0) throw incompatible();
  // UDUNITS-2 also converts a unit to its reciprocal: seconds to hertz. That is not a change of
  // unit here.
  const Unit quotient(ut_divide(from_unit.get(), to_unit.get()), &ut_free);
  if (!quotient || ut_is_dimensionless(quotient.get()) == 0) throw incompatible();
  std::unique_ptr<cv_converter, decltype(&cv_free)> converter(
      ut_get_converter(from_unit.get(), to_unit.get()), &cv_free);
  if (!converter) throw incompatible();
  UnitFormula formula;
  if (cv_convert_double(converter.get(), 0.0) != 0.0) {
    formula.offset = true;
    formula.converter = std::shared_ptr<void>(
        converter.release(), [](void* c) { cv_free(static_cast<cv_converter*>(c)); });
  } else {
    formula.scale = std::pow(cv_convert_double(converter.get(), 1.0), 1.0 / double(times));
  }
  return formula;
}

void convert_numbers(void* converter, double* numbers, std::size_t count) noexcept {
  cv_convert_doubles(static_cast<const cv_converter*>(converter), numbers, count, numbers);
}

}  // namespace polycodec::schema
