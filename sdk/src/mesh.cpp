// SPDX-License-Identifier: MIT
#include <model/loss.hpp>
#include <model/mesh/convert.hpp>
#include <model/mesh/operations.hpp>
#include <polycodec/mesh.hpp>

#include <array>
#include <string>
#include <vector>

namespace polycodec {
namespace {

/// The numbers of some columns side by side; float32 where all are, uint8 likewise.
template <std::size_t N>
MeshNumbers side_by_side(const std::array<mesh::Mesh::Column, N>& columns, bool bytes,
                         Builder& out) {
  if (columns[0] == nullptr || columns[0]->length == 0) return {};
  bool all_float = true;
  bool all_bytes = bytes;
  for (const auto* column : columns) {
    const std::uint32_t dtype = mesh::Numbers(*column).dtype();
    all_float = all_float && dtype == POLYCODEC_DTYPE_FLOAT32;
    all_bytes = all_bytes && dtype == POLYCODEC_DTYPE_UINT8;
  }
  const std::uint64_t rows = columns[0]->length;
  const auto gather = [&](auto zero) -> MeshNumbers {
    using T = decltype(zero);
    T* const to = out.allocate<T>(rows * N);
    for (std::size_t k = 0; k < N; ++k) {
      const mesh::Numbers from(*columns[k]);
      for (std::uint64_t i = 0; i < rows; ++i)
        to[i * N + k] = mesh::load_number<T>(from.at(i), from.dtype(), from.order());
    }
    return std::span<const T>(to, static_cast<std::size_t>(rows * N));
  };
  if (all_bytes) return gather(std::uint8_t{});
  return all_float ? gather(float{}) : gather(double{});
}

/// An integer for each row; empty for NULL.
std::span<const std::int32_t> integers(mesh::Mesh::Column column, Builder& out) {
  if (column == nullptr) return {};
  const mesh::Numbers from(*column);
  auto* to = out.allocate<std::int32_t>(from.size());
  for (std::uint64_t i = 0; i < from.size(); ++i)
    to[i] = static_cast<std::int32_t>(from.integer(i));
  return {to, static_cast<std::size_t>(from.size())};
}

/// The index of each corner, -1 where a face has no list; empty if no face has one.
std::span<const std::int32_t> of_corners(mesh::Mesh::Column column,
                                         std::span<const std::uint64_t> faces, Builder& out) {
  if (column == nullptr) return {};
  const mesh::Lists lists(*column);
  auto* to = out.allocate<std::int32_t>(faces.back());
  bool any = false;
  for (std::size_t i = 0; i + 1 < faces.size(); ++i) {
    const auto row = lists.row(i);
    for (std::uint64_t k = 0; k < faces[i + 1] - faces[i]; ++k) {
      const auto index = k < row.count ? static_cast<std::int32_t>(lists.integer(row, k)) : -1;
      to[faces[i] + k] = index;
      any = any || index != -1;
    }
  }
  if (!any) return {};
  return {to, static_cast<std::size_t>(faces.back())};
}

std::span<const std::string_view> names_of(const std::vector<std::string>& names, Builder& out) {
  auto* to = out.allocate<std::string_view>(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) to[i] = out.copy_text(names[i]);
  return {to, names.size()};
}

std::vector<std::string> texts(std::span<const std::string_view> names) {
  return {names.begin(), names.end()};
}

/// Column `k` of `width` numbers side by side; NULL for none.
mesh::Mesh::Column column_of(const MeshNumbers& numbers, std::uint64_t k, std::uint64_t width,
                             Builder& out) {
  if (numbers.size == 0) return nullptr;
  const std::uint64_t item = dtype_size(numbers.dtype);
  return out.strided(to_string_view(numbers.data, numbers.size * item),
                     static_cast<const std::byte*>(numbers.data) + k * item, numbers.size / width,
                     static_cast<std::int64_t>(width * item), numbers.dtype,
                     static_cast<std::uint32_t>(item));
}

mesh::Mesh::Column vector_of(std::span<const std::int32_t> items, Builder& out) {
  return items.empty() ? nullptr : out.vector(items);
}

}  // namespace

bool is_mesh(View value) {
  return value.is_object() &&
         (mesh::is_mesh(value) || mesh::is_elements(value) || mesh::is_statements(value));
}

Mesh as_mesh(const Call& call, View value, const MeshRequest& request, Builder& out) {
  Losses losses;
  auto found = mesh::mesh_of(value, out, losses);
  if (!found)
    throw Error(Status::type, std::string("the value is not a mesh: ") + request.holder +
                                  " takes a value of the type mesh, or of a format of meshes")
        .detail("mesh.bad_member");
  losses.settle(call, request.holder, request.detail);
  if (request.triangles) mesh::triangulate(*found, out, [&] { call.tick(mesh::units_per_check); });
  call.tick(found->position_count() + found->faces);
  Mesh m;
  m.positions = side_by_side(found->positions, false, out);
  m.normals = side_by_side(found->normals, false, out);
  m.texcoords = side_by_side(found->texcoords, false, out);
  m.colors = side_by_side(found->colors, true, out);
  m.alpha = side_by_side(std::array{found->alpha}, true, out);
  auto* faces = out.allocate<std::uint64_t>(found->faces + 1);
  faces[0] = 0;
  if (found->faces != 0) {
    const mesh::Lists lists(*found->face_positions);
    for (std::uint64_t i = 0; i < found->faces; ++i) faces[i + 1] = faces[i] + lists.row(i).count;
    m.faces = {faces, static_cast<std::size_t>(found->faces + 1)};
    m.corners = of_corners(found->face_positions, m.faces, out);
    m.corner_texcoords = of_corners(found->face_texcoords, m.faces, out);
    m.corner_normals = of_corners(found->face_normals, m.faces, out);
    m.face_materials = integers(found->face_materials, out);
    m.face_groups = integers(found->face_groups, out);
    m.face_objects = integers(found->face_objects, out);
  }
  const auto first = integers(found->edges[0], out);
  const auto second = integers(found->edges[1], out);
  auto* edges = out.allocate<std::int32_t>(2 * first.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    edges[2 * i] = first[i];
    edges[2 * i + 1] = second[i];
  }
  m.edges = {edges, 2 * first.size()};
  m.materials = names_of(found->materials, out);
  m.groups = names_of(found->groups, out);
  m.objects = names_of(found->objects, out);
  m.comments = names_of(found->comments, out);
  m.material_libraries = names_of(found->material_libraries, out);
  return m;
}

Node make_mesh(const Mesh& from, Builder& out) {
  mesh::Mesh m;
  for (std::size_t k = 0; k < 3; ++k) {
    m.positions[k] = column_of(from.positions, k, 3, out);
    m.normals[k] = column_of(from.normals, k, 3, out);
    m.colors[k] = column_of(from.colors, k, 3, out);
  }
  for (std::size_t k = 0; k < 2; ++k) m.texcoords[k] = column_of(from.texcoords, k, 2, out);
  m.alpha = column_of(from.alpha, 0, 1, out);
  m.faces = from.face_count();
  if (m.faces != 0) {
    const auto lists = [&](std::span<const std::int32_t> corners) -> mesh::Mesh::Column {
      return corners.empty() ? nullptr : out.list_offsets(from.faces, out.vector(corners));
    };
    m.face_positions = lists(from.corners);
    m.face_texcoords = lists(from.corner_texcoords);
    m.face_normals = lists(from.corner_normals);
    m.face_materials = vector_of(from.face_materials, out);
    m.face_groups = vector_of(from.face_groups, out);
    m.face_objects = vector_of(from.face_objects, out);
  }
  if (!from.edges.empty()) {
    const auto rows = from.edges.size() / 2;
    for (std::size_t k = 0; k < 2; ++k)
      m.edges[k] = out.strided(bytes_of(from.edges), from.edges.data() + k, rows, 8,
                               POLYCODEC_DTYPE_INT32, 4);
  }
  m.materials = texts(from.materials);
  m.groups = texts(from.groups);
  m.objects = texts(from.objects);
  m.comments = texts(from.comments);
  m.material_libraries = texts(from.material_libraries);
  return mesh::to_value(m, out);
}

}  // namespace polycodec
