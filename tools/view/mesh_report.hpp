// SPDX-License-Identifier: MIT
// The report of a value that is a mesh.
#pragma once

#include <base/scratch_arena.hpp>
#include <model/mesh/convert.hpp>
#include <model/mesh/mesh.hpp>
#include <model/mesh/operations.hpp>
#include <polycodec/limits.hpp>
#include <polycodec/view.hpp>

#include "core/value/host_meter.hpp"

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
  std::optional<mesh::Bounds> bounds;
  std::map<std::uint64_t, std::uint64_t> face_sizes;  ///< number of corners -> faces
  std::optional<double> area;                         ///< of all faces, if no index is wrong
  std::uint64_t degenerate_faces = 0;                 ///< with fewer than three corners
  mesh::IndexProblems problems;
};

/// The report of a value that is a mesh (as PLY or OBJ files hold it, or of the type mesh); nothing
/// for other values. Throws Error(limit).
inline std::optional<MeshReport> report_mesh(NodeView root, const Limits& limits) {
  HostMeter meter(root, limits);
  charge_all(root, 16, meter);
  ScratchArena arena(limits.memory_for(UINT64_MAX));
  Builder out(arena.abi());
  Losses ignored;
  MeshReport report;
  std::optional<mesh::Mesh> found;
  try {
    found = mesh::mesh_of(View(root), out, ignored, &report.problems);
  } catch (const Error& error) {
    // Names like those of a mesh, but something else under them.
    if (error.code() == Status::limit || error.code() == Status::memory) throw;
  }
  if (!found || found->position_count() == 0) return std::nullopt;
  const mesh::Mesh& m = *found;
  for (const auto& [name, count] :
       {std::pair{"positions", m.position_count()}, std::pair{"normals", m.normal_count()},
        std::pair{"texture coordinates", m.texcoord_count()},
        std::pair{"colors", mesh::Mesh::count(m.colors[0])}, std::pair{"faces", m.faces},
        std::pair{"edges", m.edge_count()},
        std::pair{"materials", std::uint64_t{m.materials.size()}},
        std::pair{"groups", std::uint64_t{m.groups.size()}},
        std::pair{"objects", std::uint64_t{m.objects.size()}}})
    if (count != 0) report.counts.emplace_back(name, count);
  report.bounds = mesh::bounds(m);
  report.face_sizes = mesh::face_sizes(m);
  for (const auto& [corners, faces] : report.face_sizes)
    report.degenerate_faces += corners < 3 ? faces : 0;
  if (report.problems.count == 0 && m.faces != 0) {
    double sum = 0;
    for (const double area : mesh::areas(m)) sum += area;
    report.area = sum;
  }
  return report;
}

}  // namespace polycodec::cli
