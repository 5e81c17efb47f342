// SPDX-License-Identifier: MIT
#include <polycodec/builder.hpp>

struct Point {
  double x, y;
};

// Only element types of the model make a leaf.
void use(polycodec::Builder& out, std::span<const Point> points, std::span<const double> numbers) {
#if defined(MUST_NOT_COMPILE)
  out.vector(points);
#else
  (void)points;
#endif
  out.vector(numbers);
}
