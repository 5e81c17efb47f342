// SPDX-License-Identifier: MIT
// The geometry of a mesh as plain arrays: what checks and repairs walk over.
#pragma once

#include <polycodec/mesh.hpp>

#include "view/meter.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace polycodec::cli {

using Point = std::array<double, 3>;

inline Point operator-(const Point& a, const Point& b) noexcept {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline Point operator+(const Point& a, const Point& b) noexcept {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline Point operator*(const Point& a, double factor) noexcept {
  return {a[0] * factor, a[1] * factor, a[2] * factor};
}
inline Point cross(const Point& a, const Point& b) noexcept {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double dot(const Point& a, const Point& b) noexcept {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline double length(const Point& a) noexcept {
  return std::sqrt(dot(a, a));
}
inline bool is_finite(const Point& a) noexcept {
  return std::isfinite(a[0]) && std::isfinite(a[1]) && std::isfinite(a[2]);
}

/// The cross product of all corners of a face around its first, where at(k) is corner `k`: its
/// direction is the face's normal, half its length the area.
template <class CornerAt>
Point face_vector(std::size_t corners, const CornerAt& at) noexcept {
  Point sum{};
  if (corners < 3) return sum;
  const Point origin = at(std::size_t{0});
  Point a = at(std::size_t{1}) - origin;
  for (std::size_t k = 2; k < corners; ++k) {
    const Point b = at(k) - origin;
    sum = sum + cross(a, b);
    a = b;
  }
  return sum;
}

/// Numbers as points, three each. Charges `meter`.
std::vector<Point> points_of(const MeshNumbers& numbers, Meter& meter);

/// Positions and faces of a mesh. Indices count from 0.
struct Surface {
  std::vector<Point> positions;
  std::vector<std::uint64_t> starts;   ///< where the corners of each face begin, and the end
  std::vector<std::uint32_t> corners;  ///< position indices of all faces
  std::vector<bool> wrong;             ///< faces with an index out of range; they have no corners
  /// The first position at the same place, for each position. Vertices at one place are one for all
  /// that is said about edges: files repeat vertices at seams, and some for every face.
  std::vector<std::uint32_t> place;

  std::uint64_t faces() const noexcept { return starts.size() - 1; }
  std::span<const std::uint32_t> face(std::uint64_t i) const noexcept {
    return std::span(corners).subspan(static_cast<std::size_t>(starts[i]),
                                      static_cast<std::size_t>(starts[i + 1] - starts[i]));
  }
  Point face_vector(std::uint64_t i) const noexcept {
    const auto row = face(i);
    return cli::face_vector(row.size(), [&](std::size_t k) { return positions[row[k]]; });
  }
  /// True if the face has fewer than three corners, two at one place, or no area to rounding.
  bool is_degenerate(std::uint64_t i) const;
};

/// The surface of a mesh, whose indices may be wrong. Charges `meter`. Throws Error(limit) for more
/// than 2^32 - 2 positions or 2^31 faces.
Surface surface_of(const Mesh& m, Meter& meter);

/// For each point the first one with the same coordinates (0.0 equals -0.0, NaN equals NaN of the
/// same bits). Expected linear time, whatever the points are.
std::vector<std::uint32_t> first_at_place(std::span<const Point> points, Meter& meter);

}  // namespace polycodec::cli
