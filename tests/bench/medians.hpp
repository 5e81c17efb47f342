// SPDX-License-Identifier: MIT
// Times of rounds, and what is said about them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace polycodec::bench {

inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// How far the middle half of the values lies apart, as a part of their median.
inline double spread(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double middle = values[values.size() / 2];
  return middle == 0 ? 0 : (values[values.size() * 3 / 4] - values[values.size() / 4]) / middle;
}

template <class Body>
double seconds(Body&& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace polycodec::bench
