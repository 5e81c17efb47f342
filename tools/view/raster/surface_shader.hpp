// SPDX-License-Identifier: MIT
// The color of a point on a triangle.
#pragma once

#include "frame.hpp"
#include "projection.hpp"
#include "view/raster.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace polycodec::cli {

/// Light, normals, materials and textures of the triangles of a scene.
class SurfaceShader {
 public:
  using Weights = std::array<float, 3>;

  SurfaceShader(const Scene& scene, const Projection& projection, const Turn& turn, Meter& meter);

  /// Makes the triangle the one that is shaded; false if nothing of it can be seen: it is fully
  /// transparent.
  bool begin(std::size_t triangle);
  /// True if the sample shows what is behind it. Material and texture decide.
  bool is_hole(const Weights& weights, std::ptrdiff_t x, std::ptrdiff_t y);
  /// The color of the point with these weights of the three corners, after is_hole().
  Frame::Shade color(const Weights& weights) const;

 private:
  using Float3 = std::array<float, 3>;
  using Float4 = std::array<float, 4>;

  Float3 flat_normal(const Scene::Corners& corners) const;
  void smooth_normals(Meter& meter);
  Float4 texel(const Weights& weights) const;

  const Scene& scene_;
  const Projection& projection_;
  std::vector<Float3> position_normals_;  // of the faces around, where the scene has none
  std::vector<Float3> normals_;           // the scene's, turned
  // Of the triangle that is shaded:
  std::array<Float3, 3> corner_normals_{};
  std::array<Float3, 3> corner_colors_{};
  std::array<std::array<float, 2>, 3> corner_texcoords_{};
  const Texture::Level* texture_ = nullptr;
  Float4 texel_{};
  float opacity_ = 1;
};

}  // namespace polycodec::cli
