// SPDX-License-Identifier: MIT
// The report of a value that is a mesh.
#pragma once

#include "mesh_value.hpp"
#include "surface/surface.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace polycodec::cli {

struct MeshReport {
  std::vector<std::pair<std::string, std::uint64_t>>
      counts;  ///< of positions, normals, .., those that are there
  std::optional<Bounds> bounds;
  std::map<std::uint64_t, std::uint64_t> face_sizes;  ///< number of corners -> faces
  std::optional<double> area;                         ///< of all faces, if no index is wrong
  std::uint64_t degenerate_faces = 0;                 ///< with fewer than three corners
  MeshProblems problems;
};

/// How many faces there are of each number of corners.
inline std::map<std::uint64_t, std::uint64_t> face_sizes(const Mesh& m) {
  std::map<std::uint64_t, std::uint64_t> sizes;
  std::uint64_t last = UINT64_MAX;
  std::uint64_t* count = nullptr;
  for (std::uint64_t i = 0; i < m.face_count(); ++i) {
    const std::uint64_t n = m.face(i).size();
    if (n != last) count = &sizes[last = n];
    ++*count;
  }
  return sizes;
}

/// The area of all faces, also of concave ones in one plane. Indices must be in range.
inline double area(const Mesh& m) {
  double sum = 0;
  for (std::uint64_t i = 0; i < m.face_count(); ++i) {
    const auto row = m.face(i);
    sum += length(face_vector(
               row.size(),
               [&](std::size_t k) {
                 const auto at = 3 * static_cast<std::uint64_t>(row[k]);
                 return Point{m.positions[at], m.positions[at + 1], m.positions[at + 2]};
               })) /
           2;
  }
  return sum;
}

/// The report of a value that is a mesh (as PLY or OBJ files hold it, or of the type mesh). Takes
/// at most `max_memory` bytes. Throws Error(type) for other values, Error(limit).
inline MeshReport report_mesh(const View& root, std::uint64_t max_memory, Meter& meter) {
  Draft scratch(max_memory);
  const MeshValue value(root, scratch.out(), meter, true);
  value.expect_positions();
  const Mesh& m = value.mesh;
  MeshReport report;
  report.problems = value.problems;
  for (const auto& [name, count] :
       {std::pair{"positions", m.position_count()}, std::pair{"normals", m.normal_count()},
        std::pair{"texture coordinates", m.texcoord_count()},
        std::pair{"colors", m.colors.size / 3}, std::pair{"faces", m.face_count()},
        std::pair{"edges", m.edge_count()},
        std::pair{"materials", std::uint64_t{m.materials.size()}},
        std::pair{"groups", std::uint64_t{m.groups.size()}},
        std::pair{"objects", std::uint64_t{m.objects.size()}}})
    if (count != 0) report.counts.emplace_back(name, count);
  report.bounds = bounds(m);
  report.face_sizes = face_sizes(m);
  for (const auto& [corners, faces] : report.face_sizes)
    report.degenerate_faces += corners < 3 ? faces : 0;
  if (report.problems.count == 0 && m.face_count() != 0) report.area = area(m);
  return report;
}

}  // namespace polycodec::cli
