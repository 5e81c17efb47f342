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
std::array<mesh::Mesh::Column, 3> columns_of(Builder& out, const std::vector<Point>& points) {
  std::array<mesh::Mesh::Column, 3> columns{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    columns[axis] = mesh::detail::make_column<T>(out, points.size(), [&](std::uint64_t i) {
      return points[static_cast<std::size_t>(i)][axis];
    });
  return columns;
}

}  // namespace

std::vector<Change> make_normals(mesh::Mesh& m, NormalWeight weight, Builder& out,
                                 HostMeter& meter) {
  Change made{"normals", "positions got a normal"};
  Change lost{"normals", "normals were replaced", m.normal_count()};
  Change none{"normals", "positions without a face that has area got a normal of zero"};
  if (m.faces == 0) return {made};
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
  const bool narrow = mesh::Numbers(*m.positions[0]).dtype() == POLYCODEC_DTYPE_FLOAT32;
  m.normals = narrow ? columns_of<float>(out, normals) : columns_of<double>(out, normals);
  m.face_normals = m.face_positions;
  return {made, lost, none};
}

}  // namespace polycodec::cli
