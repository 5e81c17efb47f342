// SPDX-License-Identifier: MIT
#include <model/mesh/convert.hpp>

#include <optional>

namespace polycodec::mesh {

std::optional<Mesh> mesh_of(const View& root, Builder& out, Losses& losses,
                            IndexProblems* problems) {
  if (root.kind() != POLYCODEC_KIND_OBJECT) return std::nullopt;
  if (is_mesh(root)) return from_value(root, out, problems);
  if (is_elements(root)) return from_elements(root, out, losses, problems);
  if (is_statements(root)) return from_statements(root, out, losses, problems);
  return std::nullopt;
}

}  // namespace polycodec::mesh
