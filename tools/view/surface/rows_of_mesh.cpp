// SPDX-License-Identifier: MIT
#include "rows_of_mesh.hpp"

#include "check_normals.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace polycodec::cli {

MeshNumbers select(Builder& out, const MeshNumbers& numbers, std::uint64_t width,
                   std::span<const std::uint32_t> rows) {
  MeshNumbers chosen = numbers;
  if (numbers.empty()) return chosen;
  const std::size_t size = static_cast<std::size_t>(width) * dtype_size(numbers.dtype);
  const auto* const from = static_cast<const std::byte*>(numbers.data);
  auto* const to =  // aligned for all types
      reinterpret_cast<std::byte*>(out.allocate<std::uint64_t>((rows.size() * size + 7) / 8));
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::memcpy(to + i * size, from + rows[i] * size, size);
  chosen.data = to;
  chosen.size = rows.size() * width;
  return chosen;
}

namespace {

using Items = std::span<const std::int32_t>;

/// The three lists of corners after `change(items)`: one that is shared stays shared.
template <class Change>
void change_corners(Mesh& m, const Change& change) {
  const Items before = m.corners;
  m.corners = change(before);
  for (Items* items : {&m.corner_texcoords, &m.corner_normals})
    if (!items->empty()) *items = items->data() == before.data() ? m.corners : change(*items);
}

}  // namespace

void keep_faces(Mesh& m, Builder& out, std::span<const std::uint32_t> faces) {
  auto* const starts = out.allocate<std::uint64_t>(faces.size() + 1);
  starts[0] = 0;
  for (std::size_t i = 0; i < faces.size(); ++i)
    starts[i + 1] = starts[i] + m.face(faces[i]).size();
  const Mesh before = m;
  change_corners(m, [&](Items items) -> Items {
    auto* const kept = out.allocate<std::int32_t>(starts[faces.size()]);
    for (std::size_t i = 0; i < faces.size(); ++i)
      std::ranges::copy(before.of_face(items, faces[i]), kept + starts[i]);
    return {kept, static_cast<std::size_t>(starts[faces.size()])};
  });
  for (Items* of_faces : {&m.face_materials, &m.face_groups, &m.face_objects}) {
    if (of_faces->empty()) continue;
    auto* const kept = out.allocate<std::int32_t>(faces.size());
    for (std::size_t i = 0; i < faces.size(); ++i) kept[i] = (*of_faces)[faces[i]];
    *of_faces = {kept, faces.size()};
  }
  m.faces = {starts, faces.size() + 1};
}

Items renumber(Builder& out, Items items, std::span<const std::uint32_t> now) {
  auto* const to = out.allocate<std::int32_t>(items.size());
  for (std::size_t i = 0; i < items.size(); ++i)
    to[i] = items[i] < 0 ? -1 : static_cast<std::int32_t>(now[static_cast<std::size_t>(items[i])]);
  return {to, items.size()};
}

void keep_positions(Mesh& m, Builder& out, std::span<const std::uint32_t> kept,
                    std::span<const std::uint32_t> now) {
  const bool normals = is_of_positions(m, m.normal_count(), m.corner_normals);
  const bool texcoords = is_of_positions(m, m.texcoord_count(), m.corner_texcoords);
  m.positions = select(out, m.positions, 3, kept);
  m.colors = select(out, m.colors, 3, kept);
  m.alpha = select(out, m.alpha, 1, kept);
  if (normals) m.normals = select(out, m.normals, 3, kept);
  if (texcoords) m.texcoords = select(out, m.texcoords, 2, kept);
  m.corners = renumber(out, m.corners, now);
  if (normals && m.face_count() != 0) m.corner_normals = m.corners;
  if (texcoords && m.face_count() != 0) m.corner_texcoords = m.corners;
  m.edges = renumber(out, m.edges, now);
}

void turn_faces(Mesh& m, Builder& out, const std::vector<bool>& turned) {
  const Mesh before = m;
  change_corners(m, [&](Items items) -> Items {
    auto* const to = out.allocate<std::int32_t>(items.size());
    std::ranges::copy(items, to);
    for (std::uint64_t i = 0; i < before.face_count(); ++i)
      if (turned[static_cast<std::size_t>(i)] && before.face(i).size() > 1)
        std::reverse(to + before.faces[static_cast<std::size_t>(i)] + 1,
                     to + before.faces[static_cast<std::size_t>(i) + 1]);
    return {to, items.size()};
  });
}

}  // namespace polycodec::cli
