// SPDX-License-Identifier: MIT
// A mesh from any value that is one.
#pragma once

#include <model/mesh/elements.hpp>
#include <model/mesh/mesh.hpp>
#include <model/mesh/statements.hpp>

#include <optional>

namespace polycodec::mesh {

/// The mesh that a value is: of the registered type, elements as of a PLY file, or an OBJ value.
/// Nothing for another value. What a mesh has no place for is told to `losses`. Throws Error with
/// the path of what does not fit; for indices out of range only without `problems`, which are told
/// otherwise (then no index of the mesh may be followed).
std::optional<Mesh> mesh_of(const View& root, Builder& out, Losses& losses,
                            IndexProblems* problems = nullptr);

}  // namespace polycodec::mesh
