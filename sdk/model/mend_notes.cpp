// SPDX-License-Identifier: MIT
#include <base/decimal.hpp>
#include <model/mend_notes.hpp>

#include <algorithm>
#include <limits>
#include <string_view>

namespace polycodec {

double mended_number(std::string_view word) {
  std::string text(word.substr(0, 64));
  std::replace(text.begin(), text.end(), ',', '.');
  double value = 0;
  const DecimalEnd read = parse_decimal(text.data(), text.data() + text.size(), value);
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  for (const char* nan : {"nan", "#ind", "#qnan", "#snan"})
    if (lower.find(nan) != std::string::npos) return std::numeric_limits<double>::quiet_NaN();
  return read.status == DecimalStatus::ok ? value : 0;
}

}  // namespace polycodec
