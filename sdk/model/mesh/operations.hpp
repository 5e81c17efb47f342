// SPDX-License-Identifier: MIT
// What is done with meshes: polygons as triangles, several as one.
#pragma once

#include <model/mesh/mesh.hpp>

#include <cstdint>
#include <functional>
#include <span>

namespace polycodec::mesh {

/// The meshes one after another: indices are shifted by what is before, names that are the same
/// are one, comments are kept once. If some have colors, positions of the others become white and
/// opaque. Floating-point columns are float32 where all are. The meshes must be consistent: indices
/// in range. Throws Error(limit) beyond 2^31 rows.
Mesh merge(std::span<const Mesh> meshes, Builder& out);

/// `m` with `other` after it: merge() of the two.
void append(Mesh& m, const Mesh& other, Builder& out);

/// Work between two calls of `check`, in the units of polycodec_call.credit.
inline constexpr std::uint64_t units_per_check = 131072;

/// Cuts all faces into triangles with the same corners, in the order of the faces; concave ones as
/// well. Faces of fewer than three corners vanish. Calls `check` now and then, which may throw to
/// end the work. Throws Error(limit, `mesh.limit`) for a concave face of more than 4096 corners.
void triangulate(Mesh& m, Builder& out, const std::function<void()>& check);

}  // namespace polycodec::mesh
