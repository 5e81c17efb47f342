// SPDX-License-Identifier: MIT
// UDUNITS-2: the only place that knows it.
#pragma once

#include "unit_expression.hpp"

#include <memory>

namespace polycodec::schema {

/// How UDUNITS-2 converts: linear in the number.
struct UnitFormula {
  double scale = 1;
  bool offset = false;
  /// Valid if `offset`: what converts.
  std::shared_ptr<void> converter;
};

/// Throws as UnitConversion::between() says; `from_text` and `to_text` are for messages.
UnitFormula find_formula(const UnitExpression& from, const UnitExpression& to,
                         std::string_view from_text, std::string_view to_text);

/// Converts in place; `converter` is that of a UnitFormula.
void convert_numbers(void* converter, double* numbers, std::size_t count) noexcept;

}  // namespace polycodec::schema
