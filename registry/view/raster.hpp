// SPDX-License-Identifier: MIT
// A small software rasterizer: shaded triangles and points, framed by themselves.
#pragma once

#include "core/value/host_meter.hpp"
#include "scene.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace polycodec::cli {

/// An image of 8-bit RGB, rows from the top.
struct Image {
  std::size_t width = 0, height = 0;
  std::vector<std::uint8_t> pixels;
};

/// From where the scene is seen; angles in degrees.
struct Camera {
  double yaw = 35;
  double pitch = 25;
  bool y_up = false;  ///< the y axis is up, otherwise z
};

/// Draws the scene so that all of it is in the picture: triangles with smooth shading from both
/// sides, points if there are no triangles. What is not finite is left out. Charges `meter` for
/// each sample that a triangle may cover.
Image draw(const Scene& scene, const Camera& camera, std::size_t width, std::size_t height,
           HostMeter& meter);

}  // namespace polycodec::cli
