// SPDX-License-Identifier: MIT
#include "projection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace polycodec::cli {
namespace {

bool is_finite(const Vector& v) {
  return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]);
}

/// Positions that something is drawn of.
std::vector<bool> drawn_positions(const Scene& scene, Meter& meter) {
  std::vector<bool> drawn(scene.positions.size());
  for (const Scene::Corners& corners : scene.triangles) {
    meter.tick(3);
    for (const std::uint32_t corner : corners) drawn[corner] = true;
  }
  for (const auto& ends : scene.lines) {
    meter.tick(2);
    for (const std::uint32_t end : ends) drawn[end] = true;
  }
  for (const std::uint32_t point : scene.points) drawn[point] = true;
  return drawn;
}

}  // namespace

Turn::Turn(const Camera& camera) {
  constexpr double degree = 3.14159265358979323846 / 180;
  const double yaw = camera.yaw * degree;
  const double pitch = camera.pitch * degree;
  // With z up: right, away and up are x, y and z at a yaw of 0.
  const std::array<Vector, 3> seen{
      Vector{std::cos(yaw), std::sin(yaw), 0},
      Vector{std::sin(yaw) * std::sin(pitch), -std::cos(yaw) * std::sin(pitch), -std::cos(pitch)},
      Vector{std::sin(yaw) * std::cos(pitch), -std::cos(yaw) * std::cos(pitch), std::sin(pitch)}};
  // The axes of the scene that take the places of x, y and z, and their signs: turns, no mirrors.
  struct Axes {
    std::array<std::size_t, 3> axis;
    Vector sign;
  };
  static constexpr Axes all[] = {{{1, 2, 0}, {1, 1, 1}},  {{0, 2, 1}, {1, -1, 1}},
                                 {{0, 1, 2}, {1, 1, 1}},  {{1, 2, 0}, {1, -1, -1}},
                                 {{0, 2, 1}, {1, 1, -1}}, {{0, 1, 2}, {1, -1, -1}}};
  const Axes& axes = all[static_cast<std::size_t>(camera.up)];
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t i = 0; i < 3; ++i) rows_[row][axes.axis[i]] = seen[row][i] * axes.sign[i];
}

Projection project(const Scene& scene, const Turn& turn, std::size_t width, std::size_t height,
                   Meter& meter) {
  const std::vector<bool> drawn = drawn_positions(scene, meter);
  constexpr double huge = std::numeric_limits<double>::infinity();
  Vector low{huge, huge, huge};
  Vector high{-huge, -huge, -huge};
  for (std::size_t i = 0; i < scene.positions.size(); ++i) {
    meter.tick(2);
    if (!drawn[i]) continue;
    const Vector seen = turn(scene.positions[i]);
    if (!is_finite(seen)) continue;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], seen[axis]);
      high[axis] = std::max(high[axis], seen[axis]);
    }
  }
  Projection out;
  if (low[0] > high[0]) low = high = {};
  const auto across = static_cast<double>(width);
  const auto along = static_cast<double>(height);
  // Halves, so that the widest range of doubles has a size.
  const double size =
      std::max({(high[0] / 2 - low[0] / 2) / across, (high[1] / 2 - low[1] / 2) / along,
                std::numeric_limits<double>::min()});
  const double scale = 0.9 / size / 2;
  out.depth = static_cast<float>(std::clamp((high[2] / 2 - low[2] / 2) * scale, 1.0, 1e30));
  const Vector middle{across / 2, along / 2, 0};
  out.places.resize(scene.positions.size());
  for (std::size_t i = 0; i < scene.positions.size(); ++i) {
    meter.tick(2);
    const Vector seen = turn(scene.positions[i]);
    for (std::size_t axis = 0; axis < 3; ++axis)
      out.places[i][axis] = static_cast<float>(
          (seen[axis] - (low[axis] / 2 + high[axis] / 2)) * scale + middle[axis]);
  }
  return out;
}

}  // namespace polycodec::cli
