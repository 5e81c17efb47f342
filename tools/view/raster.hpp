// SPDX-License-Identifier: MIT
// A small software rasterizer: shaded triangles, lines and points, framed by themselves.
#pragma once

#include "image.hpp"
#include "meter.hpp"
#include "scene.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace polycodec::cli {

/// The axis that points up in the picture.
enum class Up : std::uint8_t { x, y, z, minus_x, minus_y, minus_z };

/// From where the scene is seen; angles in degrees. Whatever axis is up, the next ones of x, y, z
/// follow it as they do for z.
struct Camera {
  double yaw = 35;
  double pitch = 25;
  Up up = Up::z;
};

/// What became of a scene.
struct Drawn {
  std::uint64_t samples = 0;   ///< of the picture that are covered; 0: it is empty
  std::uint64_t left_out = 0;  ///< triangles, lines and points with positions that are not finite
  std::uint64_t edge_on = 0;   ///< triangles without area in the picture
};

/// Draws the scene so that all of it is in the picture: triangles with smooth shading from both
/// sides, lines and points. What is not finite is left out. Charges `meter` for each sample that a
/// triangle may cover, and so ends soon after the call was cancelled. `drawn` (or null) gets what
/// became of the scene.
Image draw(const Scene& scene, const Camera& camera, std::size_t width, std::size_t height,
           Meter& meter, Drawn* drawn = nullptr);

}  // namespace polycodec::cli
