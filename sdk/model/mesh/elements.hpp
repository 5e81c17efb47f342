// SPDX-License-Identifier: MIT
// Meshes as elements `vertex`, `face` and `edge` with the properties that programs agree on, as PLY
// files have them.
#pragma once

#include <model/loss.hpp>
#include <model/mesh/colors.hpp>
#include <model/mesh/mesh.hpp>
#include <model/mesh/strips.hpp>

namespace polycodec::mesh {

/// True for a value with an element `vertex`.
bool is_elements(const View& root);

/// The mesh that elements are. Properties by the names that programs use: x y z, nx ny nz; red
/// green blue, r g b or diffuse_red ..; alpha or a; s t, u v or texture_u texture_v; faces:
/// vertex_indices or vertex_index, texcoord, material_index; edges: vertex1 vertex2. Where there
/// are no faces, `tristrips` are triangles. All else is told to `losses`. Throws Error with the
/// path of what does not fit; for indices out of range only without `problems`, which are told
/// otherwise.
Mesh from_elements(const View& root, Builder& out, Losses& losses,
                   IndexProblems* problems = nullptr);

/// The mesh as elements `vertex`, `face` and `edge` (those that have rows; `vertex` always).
/// Normals and texture coordinates stand on vertices where every vertex has just one; otherwise
/// texture coordinates become a list `texcoord` of each face, and normals are lost. Floating-point
/// colors become bytes where that is exact.
polycodec_node to_elements(const Mesh& m, Builder& out, Losses& losses);

}  // namespace polycodec::mesh
