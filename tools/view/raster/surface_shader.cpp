// SPDX-License-Identifier: MIT
#include "surface_shader.hpp"

#include <algorithm>
#include <cmath>

namespace polycodec::cli {
namespace {

using Float3 = std::array<float, 3>;

Float3 cross(const Float3& a, const Float3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
float dot(const Float3& a, const Float3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Float3 minus(const Float3& a, const Float3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
// Zero for what has no direction.
Float3 unit(const Float3& v) {
  const float length = std::sqrt(dot(v, v));
  if (!(length > 0) || !std::isfinite(length)) return {};
  return {v[0] / length, v[1] / length, v[2] / length};
}

constexpr Float3 default_color{92, 142, 196};
/// From above the viewer's left shoulder, and a weak one from the other side.
constexpr Float3 key_light{-0.37f, -0.48f, 0.79f};
constexpr Float3 fill_light{0.62f, 0.17f, 0.77f};
/// The direction between the first light and the viewer.
constexpr Float3 highlight{-0.196f, -0.254f, 0.947f};

}  // namespace

SurfaceShader::SurfaceShader(const Scene& scene, const Projection& projection, const Turn& turn,
                             Meter& meter)
    : scene_(scene), projection_(projection) {
  if (scene.triangle_normals.empty()) {
    smooth_normals(meter);
    return;
  }
  normals_.reserve(scene.normals.size());
  for (const std::array<float, 3>& n : scene.normals) {
    meter.tick(4);
    const Vector turned = turn({n[0], n[1], n[2]});
    normals_.push_back(unit({static_cast<float>(turned[0]), static_cast<float>(turned[1]),
                             static_cast<float>(turned[2])}));
  }
}

Float3 SurfaceShader::flat_normal(const Scene::Corners& corners) const {
  const Place& a = projection_.places[corners[0]];
  return cross(minus(projection_.places[corners[1]], a), minus(projection_.places[corners[2]], a));
}

void SurfaceShader::smooth_normals(Meter& meter) {
  position_normals_.resize(scene_.positions.size());
  for (const Scene::Corners& corners : scene_.triangles) {
    meter.tick(4);
    const Float3 n = flat_normal(corners);
    if (!is_finite(n)) continue;
    for (const std::uint32_t corner : corners)
      for (std::size_t axis = 0; axis < 3; ++axis) position_normals_[corner][axis] += n[axis];
  }
}

bool SurfaceShader::begin(std::size_t triangle) {
  const Scene::Corners& corners = scene_.triangles[triangle];
  const Float3 flat = unit(flat_normal(corners));
  for (std::size_t i = 0; i < 3; ++i) {
    Float3& n = corner_normals_[i];
    n = {};
    if (normals_.empty()) {
      // Where the surface turns sharply, an edge is to be seen.
      if (!position_normals_.empty()) n = unit(position_normals_[corners[i]]);
      if (dot(n, flat) < 0.8f) n = flat;
    } else if (const std::uint32_t at = scene_.triangle_normals[triangle][i]; at != Scene::none) {
      n = normals_[at];
    }
    if (dot(n, n) == 0) n = flat;
    // Both sides are lit; normals of one triangle look to one side of it.
    if (dot(n, corner_normals_[0]) < -0.5f && i != 0) n = {-n[0], -n[1], -n[2]};
  }

  const std::int32_t number =
      scene_.triangle_materials.empty() ? -1 : scene_.triangle_materials[triangle];
  const Material* material =
      number < 0 ? nullptr : &scene_.materials[static_cast<std::size_t>(number)];
  opacity_ = material != nullptr ? static_cast<float>(material->opacity) : 1;
  if (!(opacity_ > 0.125f)) return false;
  Float3 plain = default_color;
  if (material != nullptr)
    for (std::size_t i = 0; i < 3; ++i) plain[i] = material->color[i];
  for (std::size_t i = 0; i < 3; ++i) {
    corner_colors_[i] = plain;
    if (!scene_.colors.empty())
      for (std::size_t k = 0; k < 3; ++k) corner_colors_[i][k] = scene_.colors[corners[i]][k];
  }

  texture_ = nullptr;
  if (material == nullptr || material->texture < 0 || scene_.triangle_texcoords.empty())
    return true;
  const Texture& texture = scene_.textures[static_cast<std::size_t>(material->texture)];
  if (texture.levels.empty()) return true;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::uint32_t at = scene_.triangle_texcoords[triangle][i];
    if (at == Scene::none) return true;
    corner_texcoords_[i] = scene_.texcoords[at];
    if (!std::isfinite(corner_texcoords_[i][0]) || !std::isfinite(corner_texcoords_[i][1]))
      return true;
  }
  // The copy in which a texel is about as large as a sample.
  const auto& [a, b, c] = corner_texcoords_;
  const float texels = std::fabs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) *
                       static_cast<float>(texture.levels[0].width) *
                       static_cast<float>(texture.levels[0].height);
  const float samples = std::fabs(flat_normal(corners)[2]);
  const float level = 0.5f * std::log2(std::max(texels, 1e-20f) / std::max(samples, 1e-20f));
  const auto last = static_cast<float>(texture.levels.size() - 1);
  texture_ = &texture.levels[static_cast<std::size_t>(std::clamp(level, 0.0f, last))];
  return true;
}

SurfaceShader::Float4 SurfaceShader::texel(const Weights& w) const {
  const auto coordinate = [&](std::size_t axis) {
    float sum = 0;
    for (std::size_t i = 0; i < 3; ++i) sum += w[i] * corner_texcoords_[i][axis];
    return sum - std::floor(sum);  // textures repeat
  };
  const float u = coordinate(0);
  const float v = coordinate(1);
  if (!std::isfinite(u) || !std::isfinite(v)) return {};
  // Four texels around the place, by how near they are.
  const float x = u * static_cast<float>(texture_->width) - 0.5f;
  const float y = (1 - v) * static_cast<float>(texture_->height) - 0.5f;
  const float left = std::floor(x);
  const float top = std::floor(y);
  const auto wrap = [](float number, std::size_t size) {
    const auto at = static_cast<std::ptrdiff_t>(number);
    const auto n = static_cast<std::ptrdiff_t>(size);
    return static_cast<std::size_t>(at < 0 ? at + n : at >= n ? at - n : at);
  };
  Float4 sum{};
  for (const float dy : {0.0f, 1.0f}) {
    for (const float dx : {0.0f, 1.0f}) {
      const float weight =
          (dx == 0 ? 1 - (x - left) : x - left) * (dy == 0 ? 1 - (y - top) : y - top);
      const auto& pixel = texture_->pixels[wrap(top + dy, texture_->height) * texture_->width +
                                           wrap(left + dx, texture_->width)];
      for (std::size_t k = 0; k < 4; ++k) sum[k] += weight * static_cast<float>(pixel[k]);
    }
  }
  return sum;
}

bool SurfaceShader::is_hole(const Weights& weights, std::ptrdiff_t x, std::ptrdiff_t y) {
  float opacity = opacity_;
  if (texture_ != nullptr) {
    texel_ = texel(weights);
    opacity *= texel_[3] / 255;
  }
  // Of four samples as many are drawn as the surface is opaque.
  static constexpr float least[2][2] = {{0.125f, 0.625f}, {0.875f, 0.375f}};
  return opacity < 0.99f && opacity <= least[y & 1][x & 1];
}

Frame::Shade SurfaceShader::color(const Weights& w) const {
  Float3 n{};
  Float3 color{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      n[k] += w[i] * corner_normals_[i][k];
      color[k] += w[i] * corner_colors_[i][k];
    }
  if (texture_ != nullptr) color = {texel_[0], texel_[1], texel_[2]};
  n = unit(n);
  if (n[2] < 0) n = {-n[0], -n[1], -n[2]};
  const float lit = 0.38f + 0.62f * std::max(0.0f, dot(n, key_light)) +
                    0.22f * std::max(0.0f, dot(n, fill_light));
  // A weak highlight, without which black things have no shape.
  const float shine = std::max(0.0f, dot(n, highlight));
  const float squared = shine * shine;
  const float fourth = squared * squared;
  for (float& channel : color) channel = channel * lit + 40 * fourth * fourth * squared;
  return color;
}

}  // namespace polycodec::cli
