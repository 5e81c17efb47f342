// SPDX-License-Identifier: MIT
#include "surface.hpp"

#include <polycodec/error.hpp>

#include "seeded_table.hpp"

#include <algorithm>
#include <bit>

namespace polycodec::cli {

std::vector<Point> points_of(const MeshNumbers& numbers, Meter& meter) {
  std::vector<Point> points(static_cast<std::size_t>(numbers.size / 3));
  meter.tick(numbers.size);
  if (!points.empty()) numbers.copy_to(points[0].data());
  return points;
}

std::vector<std::uint32_t> first_at_place(std::span<const Point> points, Meter& meter) {
  const SeededHash hash;
  RowTable table(points.size());
  std::vector<std::uint32_t> first(points.size());
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x == 0 ? 0.0 : x); };
  for (std::size_t i = 0; i < points.size(); ++i) {
    meter.tick(8);
    const Point& p = points[i];
    const std::uint64_t word = hash(hash(hash(0, bits(p[0])), bits(p[1])), bits(p[2]));
    first[i] = table.add(word, static_cast<std::uint32_t>(i), [&](std::uint32_t other) {
      const Point& q = points[other];
      return bits(p[0]) == bits(q[0]) && bits(p[1]) == bits(q[1]) && bits(p[2]) == bits(q[2]);
    });
  }
  return first;
}

Surface surface_of(const Mesh& m, Meter& meter) {
  if (m.position_count() >= UINT32_MAX || m.face_count() >= std::uint64_t{1} << 31)
    throw Error(Status::limit, "a mesh of " + std::to_string(m.position_count()) +
                                   " positions and " + std::to_string(m.face_count()) +
                                   " faces: no more than 2^32 - 2 positions and 2^31 faces fit")
        .detail("mesh.limit");
  Surface s;
  s.positions = points_of(m.positions, meter);
  s.place = first_at_place(s.positions, meter);
  s.wrong.resize(static_cast<std::size_t>(m.face_count()));
  s.starts.reserve(static_cast<std::size_t>(m.face_count() + 1));
  s.starts.push_back(0);
  s.corners.reserve(m.corners.size());
  for (std::uint64_t i = 0; i < m.face_count(); ++i) {
    const auto row = m.face(i);
    meter.tick(2 + row.size());
    for (const std::int32_t index : row) {
      if (index < 0 || static_cast<std::uint64_t>(index) >= m.position_count()) {
        s.wrong[static_cast<std::size_t>(i)] = true;
        s.corners.resize(static_cast<std::size_t>(s.starts.back()));
        break;
      }
      s.corners.push_back(static_cast<std::uint32_t>(index));
    }
    s.starts.push_back(s.corners.size());
  }
  return s;
}

bool Surface::is_degenerate(std::uint64_t i) const {
  const auto row = face(i);
  if (row.size() < 3) return true;
  double longest = 0;
  for (std::size_t k = 0; k < row.size(); ++k) {
    const std::uint32_t a = row[k];
    const std::uint32_t b = row[(k + 1) % row.size()];
    if (place[a] == place[b]) return true;
    const Point edge = positions[b] - positions[a];
    longest = std::max(longest, dot(edge, edge));
  }
  // A corner that a polygon comes to twice later on makes a slit or a loop, which has area.
  if (row.size() == 3 && place[row[0]] == place[row[2]]) return true;
  constexpr double rounding = 1e-14;
  return length(face_vector(i)) <= rounding * longest;
}

}  // namespace polycodec::cli
