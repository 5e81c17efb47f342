// SPDX-License-Identifier: MIT
#include "fill.hpp"

#include <algorithm>
#include <cmath>

namespace polycodec::cli {
namespace {

constexpr Frame::Shade line_color{45, 52, 64};
constexpr Frame::Shade point_color{62, 100, 148};

Frame::Shade color_of(const Scene& scene, std::uint32_t position, const Frame::Shade& otherwise) {
  if (scene.colors.empty()) return otherwise;
  const Color& color = scene.colors[position];
  return {static_cast<float>(color[0]), static_cast<float>(color[1]), static_cast<float>(color[2])};
}

void disk(Frame& frame, const Place& p, std::ptrdiff_t radius, float depth,
          const Frame::Shade& color) {
  if (std::fabs(p[0]) > 1e6f || std::fabs(p[1]) > 1e6f) return;
  const auto x = static_cast<std::ptrdiff_t>(std::floor(p[0]));
  const auto y = static_cast<std::ptrdiff_t>(std::floor(p[1]));
  for (std::ptrdiff_t dy = -radius; dy <= radius; ++dy)
    for (std::ptrdiff_t dx = -radius; dx <= radius; ++dx) {
      if (dx * dx + dy * dy > radius * radius + 1 || !frame.has(x + dx, y + dy)) continue;
      const std::size_t at = frame.at(x + dx, y + dy);
      if (frame.is_nearer(at, depth)) frame.put(at, depth, color);
    }
}

}  // namespace

void fill_lines(Frame& frame, const Scene& scene, const Projection& projection, Meter& meter,
                Drawn& drawn) {
  const auto radius = static_cast<std::ptrdiff_t>(frame.samples_of_pixel() - 1);
  for (const auto& [first, second] : scene.lines) {
    const Place& a = projection.places[first];
    const Place& b = projection.places[second];
    if (!is_finite(a) || !is_finite(b)) {
      meter.tick(4);
      ++drawn.left_out;
      continue;
    }
    // All of a scene is in the picture, so no line is longer than its diagonal.
    const float steps =
        std::min(std::ceil(std::max(std::fabs(b[0] - a[0]), std::fabs(b[1] - a[1]))),
                 static_cast<float>(frame.width() + frame.height()));
    meter.tick(8 + static_cast<std::uint64_t>(steps) * 12);
    const Frame::Shade from = color_of(scene, first, line_color);
    const Frame::Shade to = color_of(scene, second, line_color);
    for (float step = 0; step <= steps; ++step) {
      const float t = steps > 0 ? step / steps : 0;
      Place at{};
      Frame::Shade color{};
      for (std::size_t i = 0; i < 3; ++i) {
        at[i] = a[i] + t * (b[i] - a[i]);
        color[i] = from[i] + t * (to[i] - from[i]);
      }
      disk(frame, at, radius, at[2] + 0.004f * projection.depth + 1, color);
    }
  }
}

void fill_points(Frame& frame, const Scene& scene, const Projection& projection, Meter& meter,
                 Drawn& drawn) {
  const std::size_t count = scene.points.size();
  const std::ptrdiff_t wide = count > 200000 ? 1 : count > 5000 ? 2 : 4;
  const std::ptrdiff_t radius = frame.samples_of_pixel() == 1 ? wide / 2 : wide;
  for (const std::uint32_t point : scene.points) {
    const Place& p = projection.places[point];
    meter.tick(4 + static_cast<std::uint64_t>(4 * radius * radius));
    if (!is_finite(p)) {
      ++drawn.left_out;
      continue;
    }
    const float shade = 0.775f + 0.225f * std::clamp(p[2] / projection.depth, -1.0f, 1.0f);
    Frame::Shade color = color_of(scene, point, point_color);
    for (float& channel : color) channel *= shade;
    disk(frame, p, radius, p[2] + 0.002f * projection.depth, color);
  }
}

}  // namespace polycodec::cli
