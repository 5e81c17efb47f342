// SPDX-License-Identifier: MIT
#include "unit_expression.hpp"

#include <algorithm>

namespace polycodec::schema {
namespace {

// Definitions are in the words of UDUNITS-2's database where it has the unit, and otherwise numbers
// of its units. The year is the Julian one and the calorie the thermochemical one, as in the unit
// packages of Python.
constexpr UnitName units[] = {
    {"m", "meter meters metre metres", "meter", true},
    {"g", "gram grams", "gram", true},
    {"s", "sec second seconds", "second", true},
    {"A", "amp ampere amperes", "ampere", true},
    {"K", "degK kelvin degree_kelvin", "kelvin", true},
    {"cd", "candela", "candela", true},
    {"mol", "mole moles", "mole", true},
    {"rad", "radian radians", "radian", true, 1},
    {"sr", "steradian steradians", "steradian", true, 2},
    {"dyn", "dyne dynes", "dyne", true},
    {"erg", "ergs", "erg", true},
    {"Ba", "barye", "barye", true},
    {"G", "gauss", "gauss", true},
    {"statC", "esu statcoulomb", "3.3356409519815204e-10 coulomb", true},
    {"Mx", "maxwell", "maxwell", true},
    {"J", "joule joules", "joule", true},
    {"W", "watt watts", "watt", true},
    {"Hz", "hertz", "hertz", true},
    {"N", "newton newtons", "newton", true},
    {"C", "coulomb coulombs", "coulomb", true},
    {"T", "tesla", "tesla", true},
    {"Pa", "pascal pascals", "pascal", true},
    {"bar", "bars", "bar", true},
    {"V", "volt volts", "volt", true},
    {"F", "farad farads", "farad", true},
    {"H", "henry", "henry", true},
    {"Wb", "weber", "weber", true},
    {"lm", "lumen lumens", "lumen", true, 2},
    {"lx", "lux", "lux", true, 2},
    {"ohm", "ohms Ohm Ohms \xce\xa9 \xe2\x84\xa6", "ohm", true},
    {"Sv", "sievert", "sievert", true},
    {"M", "molar", "1000 mole meter-3", true},
    {"cal", "calorie calories", "4.184 joule", true},
    {"yr", "year years", "365.25 day", true},
    {"d", "day days", "day", false},
    {"hr", "h hour hours", "hour", false},
    {"min", "minute minutes", "minute", false},
    {"pc", "parsec parsecs", "3.0856775814913673e16 meter", true},
    {"au", "AU astronomical_unit", "astronomical_unit", false},
    {"ly", "lightyear light_year", "9460730472580800 meter", true},
    {"eV", "electronvolt electron_volt", "1.602176634e-19 joule", true},
    {"ft", "foot feet", "foot", false},
    {"yd", "yard yards", "yard", false},
    {"mi", "mile miles", "mile", false},
    {"fur", "furlong furlongs", "660 foot", false},
    {"mil", "mils", "mil", false},
    {"lbf", "pound_force", "pound_force", false},
    {"lb", "lbs lbm pound pounds", "pound", false},
    {"atm", "atmosphere atmospheres", "atmosphere", false},
    {"hp", "horsepower", "745.69987158227022 watt", false},
    {"oz", "ounce ounces", "28.349523125 gram", false},
    {"ton", "tons", "short_ton", false},
    {"slug", "slugs", "14.593902937206364 kilogram", false},
    {"psi", "", "psi", false},
    {"smoot", "smoots", "1.7018 meter", true},
    {"BTU", "Btu btu", "Btu", false},
    {"deg", "degree degrees \xc2\xb0", "degree", false, 1},
    {"arcmin", "arcminute arcminutes", "arcmin", false, 1},
    {"arcsec", "arcsecond arcseconds", "arcsecond", false, 1},
    {"mas", "", "0.001 arcsecond", false, 1},
    {"hourangle", "", "15 degree", false, 1},
    {"amu", "atomic_mass_unit dalton Da", "1.66053906660e-27 kilogram", false},
    {"Angstrom", "angstrom angstroms Angstroms \xc3\x85 \xe2\x84\xab", "angstrom", false},
    {"degC", "celsius celcius degree_celsius degree_Celsius \xc2\xb0\x43", "celsius", false},
    {"degF", "fahrenheit farenheit degree_fahrenheit degree_Fahrenheit \xc2\xb0\x46", "fahrenheit",
     false},
    {"degR", "R rankine degree_rankine", "degR", false},
    {"B", "bel bels", "", true},
    {"Np", "neper nepers", "", true},
    {"ac", "acre acres", "4046.8564224 meter2", false},
    {"a", "are ares", "are", false},
    {"ha", "hectare hectares", "hectare", false},
    {"Jy", "jansky", "1e-26 watt meter-2 hertz-1", true},
    {"statohm", "", "8.9875517873681764e11 ohm", true},
    {"statA", "statampere", "3.3356409519815204e-10 ampere", true},
    {"statV", "statvolt", "299.792458 volt", true},
    {"%", "percent", "0.01", false},
    {"counts", "count", "", false},
    {"photons", "photon", "", false},
    {"lat", "latitude degree_latitude", "", false, 1},
    {"long", "lon longitude degree_longitude", "", false, 1},
    {"Msun", "msun", "1.98840987e30 kilogram", false},
    {"Rsun", "rsun", "695700000 meter", false},
    {"Lsun", "lsun", "3.828e26 watt", false},
    {"Tsun", "", "5772 kelvin", false},
    {"Mearth", "mearth", "5.97216787e24 kilogram", false},
    {"Rearth", "rearth", "6378100 meter", false},
    {"Mjup", "mjup", "1.8981246e27 kilogram", false},
    {"Rjup", "rjup", "71492000 meter", false},
    {"m_pl", "", "2.176434e-8 kilogram", false},
    {"l_pl", "", "1.616255e-35 meter", false},
    {"t_pl", "", "5.391247e-44 second", false},
    {"T_pl", "", "1.416784e32 kelvin", false},
    {"q_pl", "", "1.875545956e-18 coulomb", false},
    {"E_pl", "", "1.9560816e9 joule", false},
};

constexpr UnitPrefix prefixes[] = {
    {"Y", "", "yotta", 24},  {"Z", "", "zetta", 21},
    {"E", "", "exa", 18},    {"P", "", "peta", 15},
    {"T", "", "tera", 12},   {"G", "", "giga", 9},
    {"M", "", "mega", 6},    {"k", "", "kilo", 3},
    {"h", "", "hecto", 2},   {"da", "", "deca", 1},
    {"d", "", "deci", -1},   {"c", "", "centi", -2},
    {"m", "", "milli", -3},  {"\xce\xbc", "mu u \xc2\xb5", "micro", -6},
    {"n", "", "nano", -9},   {"p", "", "pico", -12},
    {"f", "", "femto", -15}, {"a", "", "atto", -18},
    {"z", "", "zepto", -21}, {"y", "", "yocto", -24},
};

bool among(std::string_view words, std::string_view word) noexcept {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

const UnitName* by_symbol(std::string_view word) noexcept {
  const auto* at = std::find_if(std::begin(units), std::end(units),
                                [&](const auto& u) { return u.symbol == word; });
  return at == std::end(units) ? nullptr : at;
}

const UnitName* by_name(std::string_view word) noexcept {
  const auto* at = std::find_if(std::begin(units), std::end(units),
                                [&](const auto& u) { return among(u.names, word); });
  return at == std::end(units) ? nullptr : at;
}

// What is left of `word` after one of the prefix's spellings for symbols.
std::string_view behind_symbol(const UnitPrefix& prefix, std::string_view word) noexcept {
  if (word.starts_with(prefix.symbol)) return word.substr(prefix.symbol.size());
  for (std::string_view words = prefix.names; !words.empty();) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (word.starts_with(words.substr(0, end))) return word.substr(end);
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return {};
}

}  // namespace

std::optional<NamedUnit> find_unit(std::string_view word) noexcept {
  // A name as a whole goes first: `min` is not a milli-inch, `cd` no centi-day.
  if (const UnitName* unit = by_symbol(word)) return NamedUnit{unit, nullptr};
  if (const UnitName* unit = by_name(word)) return NamedUnit{unit, nullptr};
  for (const UnitPrefix& prefix : prefixes) {
    const std::string_view rest = behind_symbol(prefix, word);
    const UnitName* unit = rest.empty() ? nullptr : by_symbol(rest);
    // A letter beyond ASCII is a symbol as well: kΩ.
    if (unit == nullptr && !rest.empty() && static_cast<unsigned char>(rest[0]) >= 0x80)
      unit = by_name(rest);
    if (unit != nullptr && unit->prefixes) return NamedUnit{unit, &prefix};
  }
  for (const UnitPrefix& prefix : prefixes) {
    if (!word.starts_with(prefix.word)) continue;
    const UnitName* unit = by_name(word.substr(prefix.word.size()));
    if (unit != nullptr && unit->prefixes) return NamedUnit{unit, &prefix};
  }
  return std::nullopt;
}

}  // namespace polycodec::schema
