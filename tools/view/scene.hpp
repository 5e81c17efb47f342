// SPDX-License-Identifier: MIT
// What of a decoded mesh is drawn.
#pragma once

#include <polycodec/mesh.hpp>
#include <polycodec/view.hpp>

#include "image.hpp"
#include "meter.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace polycodec::cli {

using Vector = std::array<double, 3>;
using Color = std::array<std::uint8_t, 3>;

/// How the surface of some triangles looks.
struct Material {
  std::string name = {};
  std::optional<std::array<double, 3>> linear_color = {};  ///< nothing: only its name is known
  Color color{184, 184, 184};                              ///< as screens have it
  double opacity = 1;         ///< below 1: drawn in four steps of transparency
  std::int32_t texture = -1;  ///< index in Scene::textures; its colors replace `color`
  // What `texture` is to be read of; empty: none.
  std::string texture_file = {};
  std::string image = {};  ///< the bytes of the file, where the mesh has them inside
};

/// What is drawn. `colors` is empty or has one for each position. Members for triangles are empty
/// or have one for each triangle. Indices are in range.
struct Scene {
  static constexpr std::uint32_t none = UINT32_MAX;
  using Corners = std::array<std::uint32_t, 3>;

  std::vector<Vector> positions;
  std::vector<Color> colors;
  std::vector<Corners> triangles;
  std::vector<std::array<std::uint32_t, 2>> lines;
  std::vector<std::uint32_t> points;

  std::vector<std::array<float, 3>> normals;
  std::vector<Corners> triangle_normals;  ///< indices of normals; `none` where a corner has none
  std::vector<std::array<float, 2>> texcoords;  ///< v counts from the bottom of the texture
  std::vector<Corners> triangle_texcoords;
  std::vector<std::int32_t> triangle_materials;  ///< -1: none
  std::vector<Material> materials;
  std::vector<Texture> textures;
};

/// The materials of a mesh, without textures yet.
std::vector<Material> materials_of(const Mesh& m);

/// The scene of a value that is a mesh: as PLY or OBJ files hold it, or of the type mesh. Materials
/// have no textures yet. Points are those of point elements; all positions if there is nothing
/// else to draw. Takes at most `max_memory` bytes beside it. Throws Error(type) if it has no
/// positions, Error(range, `mesh.index_out_of_range`) with the path of a corner without a point,
/// Error(limit).
Scene scene_of(const View& root, std::uint64_t max_memory, Meter& meter);

}  // namespace polycodec::cli
