// SPDX-License-Identifier: MIT
#include "rows_of_mesh.hpp"

#include "check_normals.hpp"

#include <cstddef>
#include <cstring>
#include <numeric>

namespace polycodec::cli {

using mesh::Lists;
using mesh::Mesh;
using mesh::Numbers;

Mesh::Column select(Builder& out, Mesh::Column column, std::span<const std::uint32_t> rows) {
  if (column == nullptr) return nullptr;
  const Numbers from(*column);
  const std::size_t size = dtype_size(from.dtype());
  auto* const bytes = out.allocate<std::byte>(rows.size() * size);
  std::byte* to = bytes;
  for (const std::uint32_t row : rows) {
    std::memcpy(to, from.at(row), size);
    to += size;
  }
  const std::int64_t shape[] = {static_cast<std::int64_t>(rows.size())};
  const std::string_view all(reinterpret_cast<const char*>(bytes), rows.size() * size);
  const bool is_big = from.order() == std::endian::big;
  return out.ndarray(all, from.dtype(), static_cast<std::uint32_t>(size), shape,
                     is_big ? POLYCODEC_BIG_ENDIAN : POLYCODEC_LITTLE_ENDIAN);
}

namespace {

/// The three columns of corners after `change(column)`: one that is shared stays shared.
template <class Change>
void change_corners(Mesh& m, const Change& change) {
  const Mesh::Column before = m.face_positions;
  const bool same_texcoords = m.face_texcoords == before;
  const bool same_normals = m.face_normals == before;
  m.face_positions = change(before);
  m.face_texcoords = same_texcoords ? m.face_positions : change(m.face_texcoords);
  m.face_normals = same_normals ? m.face_positions : change(m.face_normals);
}

}  // namespace

void keep_faces(Mesh& m, Builder& out, std::span<const std::uint32_t> faces) {
  change_corners(m, [&](Mesh::Column column) -> Mesh::Column {
    if (column == nullptr) return nullptr;
    return mesh::detail::copy_lists(out, Lists(*column), faces.size(), [&](std::uint64_t i) {
      return std::uint64_t{faces[static_cast<std::size_t>(i)]};
    });
  });
  for (Mesh::Column* column : {&m.face_materials, &m.face_groups, &m.face_objects})
    *column = select(out, *column, faces);
  m.faces = faces.size();
}

Mesh::Column renumber(Builder& out, Mesh::Column column, std::span<const std::uint32_t> now) {
  if (column == nullptr) return nullptr;
  const Lists from(*column);
  auto* offsets = out.allocate<std::uint64_t>(from.size() + 1);
  auto* values = out.allocate<std::int32_t>(from.total());
  offsets[0] = 0;
  std::int32_t* to = values;
  for (std::uint64_t i = 0; i < from.size(); ++i) {
    const Lists::Row row = from.row(i);
    for (std::uint64_t k = 0; k < row.count; ++k) {
      const std::int64_t index = from.integer(row, k);
      *to++ = index < 0 ? -1 : static_cast<std::int32_t>(now[static_cast<std::size_t>(index)]);
    }
    offsets[i + 1] = offsets[i] + row.count;
  }
  return mesh::detail::list_column(out, from.size(), offsets, values);
}

void keep_positions(Mesh& m, Builder& out, std::span<const std::uint32_t> kept,
                    std::span<const std::uint32_t> now) {
  const bool normals = is_of_positions(m, m.normals[0], m.face_normals);
  const bool texcoords = is_of_positions(m, m.texcoords[0], m.face_texcoords);
  const auto keep = [&](auto& columns) {
    for (Mesh::Column& column : columns) column = select(out, column, kept);
  };
  keep(m.positions);
  keep(m.colors);
  m.alpha = select(out, m.alpha, kept);
  if (normals) keep(m.normals);
  if (texcoords) keep(m.texcoords);
  const Mesh::Column corners = renumber(out, m.face_positions, now);
  if (normals && m.faces != 0) m.face_normals = corners;
  if (texcoords && m.faces != 0) m.face_texcoords = corners;
  m.face_positions = corners;
  for (Mesh::Column& column : m.edges) {
    if (column == nullptr) continue;
    const Numbers ends(*column);
    column = mesh::detail::make_column<std::int32_t>(out, ends.size(), [&](std::uint64_t i) {
      return now[static_cast<std::size_t>(ends.integer(i))];
    });
  }
}

void turn_faces(Mesh& m, Builder& out, const std::vector<bool>& turned) {
  change_corners(m, [&](Mesh::Column column) -> Mesh::Column {
    if (column == nullptr) return nullptr;
    const Lists from(*column);
    auto* offsets = out.allocate<std::uint64_t>(from.size() + 1);
    auto* values = out.allocate<std::int32_t>(from.total());
    offsets[0] = 0;
    std::int32_t* to = values;
    for (std::uint64_t i = 0; i < from.size(); ++i) {
      const Lists::Row row = from.row(i);
      for (std::uint64_t k = 0; k < row.count; ++k) {
        const bool turns = turned[static_cast<std::size_t>(i)] && k != 0;
        *to++ = static_cast<std::int32_t>(from.integer(row, turns ? row.count - k : k));
      }
      offsets[i + 1] = offsets[i] + row.count;
    }
    return mesh::detail::list_column(out, from.size(), offsets, values);
  });
}

}  // namespace polycodec::cli
