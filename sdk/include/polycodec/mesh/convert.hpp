// SPDX-License-Identifier: MIT
// A mesh from any value that is one.
#pragma once

#include <polycodec/mesh/elements.hpp>
#include <polycodec/mesh/mesh.hpp>
#include <polycodec/mesh/statements.hpp>

#include <optional>

namespace polycodec::mesh {

/// The mesh that a value is: of the registered type, elements as of a PLY file, or an OBJ value. Nothing for another
/// value. What a mesh has no place for is told to `losses`. Throws Error with the path of what does not fit; for
/// indices out of range only without `problems`, which are told otherwise (then no index of the mesh may be
/// followed).
inline std::optional<Mesh> mesh_of(const Item& root, Builder& out, Losses& losses,
                                   IndexProblems* problems = nullptr) {
  if (root.kind() != POLYCODEC_OBJECT) return std::nullopt;
  if (is_mesh(root)) return from_value(root, out, problems);
  if (is_elements(root)) return from_elements(root, out, losses, problems);
  if (is_statements(root)) return from_statements(root, out, losses, problems);
  return std::nullopt;
}

}  // namespace polycodec::mesh
