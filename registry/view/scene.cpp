// SPDX-License-Identifier: MIT
#include "scene.hpp"

#include <base/scratch_arena.hpp>
#include <model/mesh/convert.hpp>
#include <model/mesh/operations.hpp>

#include <algorithm>
#include <cmath>

namespace polycodec::cli {
namespace {

/// Of a value that becomes a scene: each element is checked, copied and drawn.
constexpr std::uint64_t units_of_element = 16;

std::uint8_t to_byte(const mesh::Numbers& color, std::uint64_t i) {
  const double value = color.real(i);
  if (is_integer(color.dtype())) return static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0));
  return static_cast<std::uint8_t>(std::lround(255 * (value >= 0 ? std::min(value, 1.0) : 0)));
}

}  // namespace

Scene scene_of(NodeView root, const Limits& limits, HostMeter& meter) {
  charge_all(root, units_of_element, meter);
  ScratchArena arena(limits.memory_for(UINT64_MAX));
  Builder out(arena.abi());
  Losses ignored;
  std::optional<mesh::Mesh> found = mesh::mesh_of(View(root), out, ignored);
  if (!found || found->position_count() == 0)
    throw Error(Status::type, "there is nothing to draw: the value is no mesh with positions");
  if (found->position_count() > UINT32_MAX)
    throw Error(Status::limit, "too many positions for a picture");
  mesh::triangulate(*found, out, [&meter] { meter.tick(mesh::units_per_check); });
  const mesh::Mesh& m = *found;

  Scene scene;
  const mesh::Numbers axes[] = {mesh::Numbers(*m.positions[0]), mesh::Numbers(*m.positions[1]),
                                mesh::Numbers(*m.positions[2])};
  scene.positions.reserve(static_cast<std::size_t>(m.position_count()));
  for (std::uint64_t i = 0; i < m.position_count(); ++i)
    scene.positions.push_back({axes[0].real(i), axes[1].real(i), axes[2].real(i)});
  if (m.colors[0] != nullptr) {
    const mesh::Numbers parts[] = {mesh::Numbers(*m.colors[0]), mesh::Numbers(*m.colors[1]),
                                   mesh::Numbers(*m.colors[2])};
    for (std::uint64_t i = 0; i < m.position_count(); ++i)
      scene.colors.push_back({to_byte(parts[0], i), to_byte(parts[1], i), to_byte(parts[2], i)});
  }
  if (m.face_positions == nullptr) return scene;
  const mesh::Lists corners(*m.face_positions);
  for (std::uint64_t i = 0; i < m.faces; ++i) {
    const mesh::Lists::Row row = corners.row(i);
    const auto corner = [&](std::uint64_t k) {
      return static_cast<std::uint32_t>(corners.integer(row, k));
    };
    scene.triangles.push_back({corner(0), corner(1), corner(2)});
  }
  return scene;
}

}  // namespace polycodec::cli
