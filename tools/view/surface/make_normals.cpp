// SPDX-License-Identifier: MIT
// Normals of positions from the faces around them.
#include "repair.hpp"

#include <algorithm>

namespace polycodec::cli {
namespace {

double angle_between(const Point& a, const Point& b) {
  const double both = length(a) * length(b);
  return both > 0 ? std::acos(std::clamp(dot(a, b) / both, -1.0, 1.0)) : 0;
}

template <class T>
MeshNumbers numbers_of(Builder& out, const std::vector<Point>& points) {
  auto* const to = out.allocate<T>(3 * points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t axis = 0; axis < 3; ++axis) to[3 * i + axis] = static_cast<T>(points[i][axis]);
  return std::span<const T>(to, 3 * points.size());
}

}  // namespace

std::vector<Change> make_normals(Mesh& m, NormalWeight weight, Builder& out, Meter& meter) {
  Change made{"normals", "positions got a normal"};
  Change lost{"normals", "normals were replaced", m.normal_count()};
  Change none{"normals", "positions without a face that has area got a normal of zero"};
  if (m.face_count() == 0) return {made};
  const Surface s = surface_of(m, meter);
  std::vector<Point> normals(s.positions.size(), Point{});
  for (std::uint64_t i = 0; i < s.faces(); ++i) {
    const auto row = s.face(i);
    meter.tick(8 + 8 * row.size());
    const Point vector = s.face_vector(i);
    const double size = length(vector);
    if (!(size > 0) || !std::isfinite(size)) continue;
    for (std::size_t k = 0; k < row.size(); ++k) {
      double share = 1;
      if (weight == NormalWeight::angle) {
        const Point& here = s.positions[row[k]];
        share = angle_between(s.positions[row[(k + 1) % row.size()]] - here,
                              s.positions[row[(k + row.size() - 1) % row.size()]] - here) /
                size;
      }
      normals[row[k]] = normals[row[k]] + vector * share;
    }
  }
  for (std::size_t i = 0; i < normals.size(); ++i) {
    meter.tick(2);
    const double size = length(normals[i]);
    if (size > 0 && std::isfinite(size)) {
      normals[i] = normals[i] * (1 / size);
      ++made.count;
    } else {
      normals[i] = {};
      none.add([&] { return "position " + std::to_string(i); });
    }
  }
  const bool narrow = m.positions.dtype == POLYCODEC_DTYPE_FLOAT32;
  m.normals = narrow ? numbers_of<float>(out, normals) : numbers_of<double>(out, normals);
  m.corner_normals = m.corners;
  return {made, lost, none};
}

}  // namespace polycodec::cli
