// SPDX-License-Identifier: MIT
#include "fill.hpp"
#include "view/raster.hpp"

namespace polycodec::cli {

Image draw(const Scene& scene, const Camera& camera, std::size_t width, std::size_t height,
           Meter& meter, Drawn* drawn) {
  meter.tick(width * height * 4);
  Frame frame(width, height);
  const Turn turn(camera);
  const Projection projection = project(scene, turn, frame.width(), frame.height(), meter);
  Drawn result;
  fill_triangles(frame, scene, projection, turn, meter, result);
  fill_lines(frame, scene, projection, meter, result);
  fill_points(frame, scene, projection, meter, result);
  result.samples = frame.covered();
  if (drawn != nullptr) *drawn = result;
  return frame.image(meter);
}

}  // namespace polycodec::cli
