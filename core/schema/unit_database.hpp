// SPDX-License-Identifier: MIT
// UDUNITS-2: the only place that knows it.
#pragma once

#include "engines.hpp"

/// Where the database is on the machine that this was built on, or else where Debian has it.
#ifndef POLYCODEC_UNIT_DATABASE
#define POLYCODEC_UNIT_DATABASE "/usr/share/xml/udunits/udunits2.xml"
#endif

namespace polycodec::schema {

/// The file to read; null: the one that UDUNITS-2 finds itself, which is where its environment
/// variable points if there is one. In a privileged process the variable has no say. `bundled` is
/// the database that came with the library, or null.
constexpr const char* database_path(const char* bundled, bool has_variable,
                                    bool is_privileged) noexcept {
  if (has_variable && !is_privileged) return nullptr;
  if (bundled != nullptr) return bundled;
  return has_variable ? POLYCODEC_UNIT_DATABASE : nullptr;
}

/// As Engines::find_formula.
UnitFormula find_formula(const UnitExpression& from, const UnitExpression& to,
                         std::string_view from_text, std::string_view to_text,
                         const char* database_file);

/// As Engines::convert.
void convert_numbers(void* converter, double* numbers, std::size_t count) noexcept;

}  // namespace polycodec::schema
