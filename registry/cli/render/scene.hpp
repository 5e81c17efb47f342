// SPDX-License-Identifier: MIT
// The points and triangles of a decoded mesh.
#pragma once

#include <polycodec/item.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace polycodec::cli {

using Vector = std::array<double, 3>;
using Color = std::array<std::uint8_t, 3>;

/// What is drawn. `colors` is empty or has one for each position.
struct Scene {
  std::vector<Vector> positions;
  std::vector<Color> colors;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// The scene of a value as PLY (vertex, face) or OBJ (v, f) files hold it; polygons become fans of triangles. Throws
/// Error(type) if the value has no points with x, y and z, Error(range, `mesh.index_out_of_range`) with the path of a
/// corner without a point.
Scene scene_of(const Item& root);

}  // namespace polycodec::cli
