// SPDX-License-Identifier: MIT
// Several meshes as one.
#pragma once

#include <model/mesh/mesh.hpp>

#include <span>

namespace polycodec::mesh {

/// The meshes one after another: indices are shifted by what stands before, names that are the same
/// are one, comments are kept once. If some have colors, positions of the others become white and
/// opaque. Floating-point columns are float32 where all are. The meshes must be consistent: indices
/// in range. Throws Error(limit) beyond 2^31 rows.
Mesh merge(std::span<const Mesh> meshes, Builder& out);

/// `m` with `other` behind it: merge() of the two.
void append(Mesh& m, const Mesh& other, Builder& out);

}  // namespace polycodec::mesh
