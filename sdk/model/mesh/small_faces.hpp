// SPDX-License-Identifier: MIT
// Faces of fewer than three corners, which not every format can say.
#pragma once

#include <model/loss.hpp>
#include <model/mesh/mesh.hpp>

namespace polycodec::mesh {

/// Leaves out all faces of fewer than three corners; `losses` hears how many they were.
void drop_small_faces(Mesh& m, Builder& out, Losses& losses);

}  // namespace polycodec::mesh
