// SPDX-License-Identifier: MIT
// The points and triangles of a decoded mesh.
#pragma once

#include <polycodec/limits.hpp>
#include <polycodec/node_view.hpp>

#include "core/value/host_meter.hpp"

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

/// The scene of a value that is a mesh: as PLY or OBJ files hold it, or of the type mesh. Throws
/// Error(type) if it has no positions, Error(range, `mesh.index_out_of_range`) with the path of a
/// corner without a point, Error(limit).
Scene scene_of(NodeView root, const Limits& limits, HostMeter& meter);

}  // namespace polycodec::cli
