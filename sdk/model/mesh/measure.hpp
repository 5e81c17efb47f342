// SPDX-License-Identifier: MIT
// Figures of a mesh: bounds, areas, sizes of faces, indices without a position.
#pragma once

#include <model/mesh/mesh.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace polycodec::mesh {

struct Bounds {
  std::array<double, 3> least{}, greatest{};
};

/// The box around all positions whose coordinates are finite; nothing if there is none.
std::optional<Bounds> bounds(const Mesh& m);

/// How many faces there are of each number of corners.
std::map<std::uint64_t, std::uint64_t> face_sizes(const Mesh& m);

/// The cross product of all corners of a face around its first: its direction is the face's normal
/// (counter-clockwise faces look at the viewer), half its length the area, also of concave faces in
/// one plane. Indices must be in range.
std::array<double, 3> face_vector(const Mesh& m, const Lists& lists, std::uint64_t face);

/// The area of every face. Indices must be in range.
std::vector<double> areas(const Mesh& m);

}  // namespace polycodec::mesh
