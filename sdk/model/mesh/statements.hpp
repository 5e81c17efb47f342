// SPDX-License-Identifier: MIT
// Meshes as columns v, vt, vn, f, l and a stream of statements, as Wavefront OBJ files have them.
#pragma once

#include <model/loss.hpp>
#include <model/mesh/colors.hpp>
#include <model/mesh/mesh.hpp>
#include <model/mesh/small_faces.hpp>

namespace polycodec::mesh {

/// True for a value with the members of an OBJ file.
bool is_statements(const View& root);

/// The mesh that an OBJ value is: materials, groups and objects become numbers of faces. Lines
/// become edges. All else (free-form geometry, smoothing, weights, ..) is told to `losses`. Throws
/// Error with the path of what does not fit; for indices out of range only without `problems`,
/// which are told otherwise.
Mesh from_statements(const View& root, Builder& out, Losses& losses,
                     IndexProblems* problems = nullptr);

/// The mesh as an OBJ value: colors as fractions of one, edges as lines, names as statements
/// before the faces that they belong to. Faces of fewer than three corners are lost.
polycodec_node to_statements(Mesh m, Builder& out, Losses& losses);

}  // namespace polycodec::mesh
