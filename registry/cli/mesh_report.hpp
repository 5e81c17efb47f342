// SPDX-License-Identifier: MIT
// What there is to say about a value that is a mesh, for `polycodec inspect` and `validate`.
#pragma once

#include <polycodec/item.hpp>
#include <polycodec/limits.hpp>
#include <polycodec/manifest.hpp>
#include <polycodec/mesh/measure.hpp>
#include <polycodec/mesh/mesh.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace polycodec::cli {

struct MeshReport {
  std::vector<std::pair<std::string, std::uint64_t>> counts;  ///< of positions, normals, .., those that are there
  std::optional<mesh::Bounds> bounds;
  std::map<std::uint64_t, std::uint64_t> face_sizes;  ///< number of corners -> faces
  std::optional<double> area;                         ///< of all faces, if no index is wrong
  std::uint64_t degenerate_faces = 0;                 ///< with fewer than three corners
  mesh::IndexProblems problems;
};

/// The report of a value that is a mesh (as PLY or OBJ files hold it, or of the type mesh); nothing for other values.
std::optional<MeshReport> report_mesh(const Item& root, const Limits& limits);

/// True for a codec of 3-D structures: one with a media type `model/..`.
bool is_model(const CodecInfo* codec) noexcept;

}  // namespace polycodec::cli
