// SPDX-License-Identifier: MIT
#include "scene.hpp"

#include "assets.hpp"
#include "mesh_value.hpp"

#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>

namespace polycodec::cli {
namespace {

/// Numbers as rows of T.
template <class T, std::size_t N>
std::vector<std::array<T, N>> rows_of(const MeshNumbers& numbers, Meter& meter) {
  std::vector<std::array<T, N>> rows(static_cast<std::size_t>(numbers.size / N));
  meter.tick(numbers.size);
  if (!rows.empty()) numbers.copy_to(rows[0].data());
  return rows;
}

/// The corners of all triangles; none where a corner has no index.
std::vector<Scene::Corners> corners_of(std::span<const std::int32_t> items, Meter& meter) {
  std::vector<Scene::Corners> all;
  all.reserve(items.size() / 3);
  for (std::size_t i = 0; i + 2 < items.size(); i += 3) {
    meter.tick(3);
    const auto corner = [&](std::size_t k) {
      return items[i + k] < 0 ? Scene::none : static_cast<std::uint32_t>(items[i + k]);
    };
    all.push_back({corner(0), corner(1), corner(2)});
  }
  return all;
}

bool has_other_faces(const Mesh& m, Meter& meter) {
  bool others = false;
  for (std::uint64_t i = 0; i < m.face_count() && !others; ++i) {
    meter.tick();
    others = m.face(i).size() != 3;
  }
  return others;
}

void add_materials(Scene& scene, const Mesh& m, Meter& meter) {
  scene.materials = materials_of(m);
  meter.tick(m.face_materials.size());
  scene.triangle_materials.reserve(m.face_materials.size());
  for (const std::int32_t number : m.face_materials) {
    const bool known = number >= 0 && static_cast<std::size_t>(number) < scene.materials.size();
    scene.triangle_materials.push_back(known ? number : -1);
  }
}

}  // namespace

std::vector<Material> materials_of(const Mesh& m) {
  std::vector<Material> all;
  for (std::size_t i = 0; i < m.materials.size(); ++i) {
    Material& made = all.emplace_back(Material{std::string(m.materials[i])});
    if (i >= m.looks.size() || !m.looks[i].is_known) continue;
    const MeshMaterial& look = m.looks[i];
    made.linear_color = look.base_color;
    for (std::size_t k = 0; k < 3; ++k)
      made.color[k] = static_cast<std::uint8_t>(std::lround(255 * displayed(look.base_color[k])));
    if (look.alpha == MeshAlpha::blend) made.opacity = look.opacity;
    made.texture_file = look.base_texture.name;
    made.image = look.base_texture.data;
  }
  return all;
}

Scene scene_of(const View& root, std::uint64_t max_memory, Meter& meter) {
  Draft scratch(max_memory);
  const MeshValue value(root, scratch.out(), meter, false);
  value.expect_positions();
  Mesh m = value.mesh;
  if (m.position_count() >= Scene::none)
    throw Error(Status::limit, "too many positions for a picture");
  if (has_other_faces(m, meter))
    m = triangulate(m, scratch.out(), [&meter](std::uint64_t units) { meter.tick(units); });

  Scene scene;
  scene.positions = rows_of<double, 3>(m.positions, meter);
  meter.tick(m.colors.size);
  scene.colors.reserve(static_cast<std::size_t>(m.colors.size / 3));
  for (std::uint64_t i = 0; i + 2 < m.colors.size; i += 3)
    scene.colors.push_back(
        {color_byte(m.colors, i), color_byte(m.colors, i + 1), color_byte(m.colors, i + 2)});
  scene.triangles = corners_of(m.corners, meter);
  if (m.normal_count() != 0) {
    scene.normals = rows_of<float, 3>(m.normals, meter);
    scene.triangle_normals = corners_of(m.corner_normals, meter);
  }
  if (m.texcoord_count() != 0) {
    scene.texcoords = rows_of<float, 2>(m.texcoords, meter);
    scene.triangle_texcoords = corners_of(m.corner_texcoords, meter);
  }
  add_materials(scene, m, meter);
  scene.lines.reserve(static_cast<std::size_t>(m.edge_count()));
  for (std::size_t i = 0; i + 1 < m.edges.size(); i += 2) {
    meter.tick(2);
    scene.lines.push_back(
        {static_cast<std::uint32_t>(m.edges[i]), static_cast<std::uint32_t>(m.edges[i + 1])});
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
