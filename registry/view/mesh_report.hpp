// SPDX-License-Identifier: MIT
// The report of a value that is a mesh.
#pragma once

#include <model/mesh/mesh.hpp>
#include <model/mesh/operations.hpp>
#include <polycodec/limits.hpp>
#include <polycodec/view.hpp>

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
/// for other values.
std::optional<MeshReport> report_mesh(const View& root, const Limits& limits);

}  // namespace polycodec::cli
