// SPDX-License-Identifier: MIT
#include <model/loss.hpp>
#include <model/mesh/small_faces.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace polycodec::mesh {

void drop_small_faces(Mesh& m, Builder& out, Losses& losses) {
  if (m.face_positions == nullptr) return;
  const Lists positions(*m.face_positions);
  std::vector<std::uint64_t> kept;
  std::uint64_t small = 0;
  for (std::uint64_t i = 0; i < m.faces; ++i) {
    if (positions.row(i).count >= 3) {
      if (small != 0) kept.push_back(i);
    } else if (small++ == 0) {
      for (std::uint64_t k = 0; k < i; ++k) kept.push_back(k);
    }
  }
  if (small == 0) return;
  losses.add("$.faces", std::to_string(small) + " faces of fewer than three corners");
  const std::size_t n = kept.size();
  const auto corners_of = [&](Mesh::Column column) -> Mesh::Column {
    if (column == nullptr) return nullptr;
    const Lists lists(*column);
    auto* offsets = out.allocate<std::uint64_t>(n + 1);
    offsets[0] = 0;
    for (std::size_t i = 0; i < n; ++i) offsets[i + 1] = offsets[i] + lists.row(kept[i]).count;
    auto* const values = out.allocate<std::int32_t>(offsets[n]);
    auto* to = values;
    for (const std::uint64_t face : kept) {
      const Lists::Row row = lists.row(face);
      for (std::uint64_t k = 0; k < row.count; ++k)
        *to++ = static_cast<std::int32_t>(lists.integer(row, k));
    }
    return out.list_offsets(
        std::span<const std::uint64_t>(offsets, n + 1),
        out.vector(std::span<const std::int32_t>(values, static_cast<std::size_t>(offsets[n]))));
  };
  const auto of_faces = [&](Mesh::Column column) -> Mesh::Column {
    if (column == nullptr) return nullptr;
    const Numbers numbers(*column);
    auto* values = out.allocate<std::int32_t>(n);
    for (std::size_t i = 0; i < n; ++i)
      values[i] = static_cast<std::int32_t>(numbers.integer(kept[i]));
    return out.vector(std::span<const std::int32_t>(values, n));
  };
  m.face_texcoords = corners_of(m.face_texcoords);
  m.face_normals = corners_of(m.face_normals);
  m.face_positions = corners_of(m.face_positions);
  m.face_materials = of_faces(m.face_materials);
  m.face_groups = of_faces(m.face_groups);
  m.face_objects = of_faces(m.face_objects);
  m.faces = n;
}

}  // namespace polycodec::mesh
