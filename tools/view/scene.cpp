// SPDX-License-Identifier: MIT
#include "scene.hpp"

#include <model/mesh/operations.hpp>
#include <polycodec/error.hpp>

#include "assets.hpp"
#include "mesh_value.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace polycodec::cli {
namespace {

using mesh::Lists;
using mesh::Mesh;
using mesh::Numbers;

std::uint8_t to_byte(const Numbers& color, std::uint64_t i) {
  const double value = color.real(i);
  if (is_integer(color.dtype())) return static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0));
  return static_cast<std::uint8_t>(std::lround(255 * (value >= 0 ? std::min(value, 1.0) : 0)));
}

/// Columns of numbers as rows of T.
template <class T, std::size_t N>
std::vector<std::array<T, N>> rows_of(const std::array<Mesh::Column, N>& columns,
                                      HostMeter& meter) {
  // Rows may take no memory in the value.
  for (std::size_t k = 0; k < N; ++k) meter.tick(Mesh::count(columns[0]));
  std::vector<std::array<T, N>> rows(static_cast<std::size_t>(Mesh::count(columns[0])));
  for (std::size_t k = 0; k < N && !rows.empty(); ++k) {
    const Numbers numbers(*columns[k]);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i][k] = static_cast<T>(numbers.real(i));
  }
  return rows;
}

/// The corners of all triangles in a column of lists; none where a face has no list or no index.
std::vector<Scene::Corners> corners_of(const Mesh& m, Mesh::Column column, HostMeter& meter) {
  std::vector<Scene::Corners> all;
  if (column == nullptr) return all;
  const Lists lists(*column);
  for (int k = 0; k < 3; ++k) meter.tick(m.faces);
  all.reserve(static_cast<std::size_t>(m.faces));
  for (std::uint64_t i = 0; i < m.faces; ++i) {
    const Lists::Row row = lists.row(i);
    const auto corner = [&](std::uint64_t k) {
      const std::int64_t index = k < row.count ? lists.integer(row, k) : -1;
      return index < 0 ? Scene::none : static_cast<std::uint32_t>(index);
    };
    all.push_back({corner(0), corner(1), corner(2)});
  }
  return all;
}

bool has_other_faces(const Mesh& m, HostMeter& meter) {
  if (m.face_positions == nullptr) return false;
  const Lists lists(*m.face_positions);
  bool others = false;
  for (std::uint64_t i = 0; i < m.faces && !others; ++i) {
    meter.tick();
    others = lists.row(i).count != 3;
  }
  return others;
}

void add_materials(Scene& scene, const Mesh& m, HostMeter& meter) {
  for (const std::string& name : m.materials) scene.materials.push_back({name});
  if (std::string file = texture_of_comments(m.comments); !file.empty())
    scene.texture_files.push_back(std::move(file));
  if (m.face_materials == nullptr) return;
  const Numbers numbers(*m.face_materials);
  meter.tick(m.faces);
  scene.triangle_materials.reserve(static_cast<std::size_t>(m.faces));
  for (std::uint64_t i = 0; i < m.faces; ++i) {
    const std::int64_t number = numbers.integer(i);
    const bool known = number >= 0 && static_cast<std::uint64_t>(number) < scene.materials.size();
    scene.triangle_materials.push_back(known ? static_cast<std::int32_t>(number) : -1);
  }
}

}  // namespace

Scene scene_of(NodeView root, const Limits& limits, HostMeter& meter) {
  MeshValue value(root, limits, meter, false);
  Mesh& m = value.mesh;
  if (m.position_count() >= Scene::none)
    throw Error(Status::limit, "too many positions for a picture");
  if (has_other_faces(m, meter))
    mesh::triangulate(m, value.out, [&meter] { meter.tick(mesh::units_per_check); });

  Scene scene;
  scene.positions = rows_of<double>(m.positions, meter);
  if (m.colors[0] != nullptr) {
    const Numbers parts[] = {Numbers(*m.colors[0]), Numbers(*m.colors[1]), Numbers(*m.colors[2])};
    for (int k = 0; k < 3; ++k) meter.tick(m.position_count());
    scene.colors.reserve(scene.positions.size());
    for (std::uint64_t i = 0; i < m.position_count(); ++i) {
      scene.colors.push_back({to_byte(parts[0], i), to_byte(parts[1], i), to_byte(parts[2], i)});
    }
  }
  scene.triangles = corners_of(m, m.face_positions, meter);
  if (m.normal_count() != 0) {
    scene.normals = rows_of<float>(m.normals, meter);
    scene.triangle_normals = corners_of(m, m.face_normals, meter);
  }
  if (m.texcoord_count() != 0) {
    scene.texcoords = rows_of<float>(m.texcoords, meter);
    scene.triangle_texcoords = corners_of(m, m.face_texcoords, meter);
  }
  add_materials(scene, m, meter);
  if (m.edges[0] != nullptr) {
    const Numbers ends[] = {Numbers(*m.edges[0]), Numbers(*m.edges[1])};
    for (std::uint64_t i = 0; i < m.edge_count(); ++i) {
      meter.tick(2);
      scene.lines.push_back({static_cast<std::uint32_t>(ends[0].integer(i)),
                             static_cast<std::uint32_t>(ends[1].integer(i))});
    }
  }
  for (const std::uint64_t point : value.points)
    scene.points.push_back(static_cast<std::uint32_t>(point));
  if (scene.triangles.empty() && scene.lines.empty() && scene.points.empty()) {
    scene.points.resize(scene.positions.size());
    std::iota(scene.points.begin(), scene.points.end(), 0u);
  }
  return scene;
}

}  // namespace polycodec::cli
