// SPDX-License-Identifier: MIT
#include "fill.hpp"
#include "surface_shader.hpp"

#include <algorithm>
#include <cmath>

namespace polycodec::cli {
namespace {

/// The samples in a row or column whose middle may lie between two places.
struct Range {
  std::ptrdiff_t first, last;
};
Range range(float a, float b, float c, std::size_t size) {
  const auto [low, high] = std::minmax({a, b, c});
  const auto limit = static_cast<float>(size - 1);
  return {static_cast<std::ptrdiff_t>(std::clamp(std::ceil(low - 0.5f), 0.0f, limit + 1)),
          static_cast<std::ptrdiff_t>(std::clamp(std::floor(high - 0.5f), -1.0f, limit))};
}

/// Draws triangles one by one.
class Filler {
 public:
  Filler(Frame& frame, const Projection& projection, SurfaceShader& shader, Meter& meter)
      : frame_(frame), projection_(projection), shader_(shader), meter_(meter) {}

  void fill(const Scene& scene, std::size_t triangle, Drawn& drawn) {
    const Place& a = projection_.places[scene.triangles[triangle][0]];
    const Place& b = projection_.places[scene.triangles[triangle][1]];
    const Place& c = projection_.places[scene.triangles[triangle][2]];
    if (!is_finite(a) || !is_finite(b) || !is_finite(c)) {
      ++drawn.left_out;
      return;
    }
    const float area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    if (area == 0) {
      ++drawn.edge_on;
      return;
    }
    const Range across = range(a[0], b[0], c[0], frame_.width());
    const Range along = range(a[1], b[1], c[1], frame_.height());
    if (across.first > across.last) return;
    // How the weights of b and c change from a sample to the next one, and from row to row.
    const float inverse = 1 / area;
    const std::array<float, 2> b_step{(c[1] - a[1]) * inverse, (a[0] - c[0]) * inverse};
    const std::array<float, 2> c_step{(a[1] - b[1]) * inverse, (b[0] - a[0]) * inverse};
    bool begun = false;
    for (std::ptrdiff_t y = along.first; y <= along.last; ++y) {
      meter_.tick(2 + static_cast<std::uint64_t>(across.last - across.first));
      const float py = static_cast<float>(y) + 0.5f - a[1];
      for (std::ptrdiff_t x = across.first; x <= across.last; ++x) {
        const float px = static_cast<float>(x) + 0.5f - a[0];
        const float wb = px * b_step[0] + py * b_step[1];
        const float wc = px * c_step[0] + py * c_step[1];
        const float wa = 1 - wb - wc;
        if (wa < 0 || wb < 0 || wc < 0) continue;
        const float depth = wa * a[2] + wb * b[2] + wc * c[2];
        const std::size_t at = frame_.at(x, y);
        if (!frame_.is_nearer(at, depth)) continue;
        if (!begun && !shader_.begin(triangle)) return;
        begun = true;
        meter_.tick(8);
        const SurfaceShader::Weights weights{wa, wb, wc};
        if (!shader_.is_hole(weights, x, y)) frame_.put(at, depth, shader_.color(weights));
      }
    }
  }

 private:
  Frame& frame_;
  const Projection& projection_;
  SurfaceShader& shader_;
  Meter& meter_;
};

}  // namespace

void fill_triangles(Frame& frame, const Scene& scene, const Projection& projection,
                    const Turn& turn, Meter& meter, Drawn& drawn) {
  SurfaceShader shader(scene, projection, turn, meter);
  Filler filler(frame, projection, shader, meter);
  for (std::size_t i = 0; i < scene.triangles.size(); ++i) {
    meter.tick(8);
    filler.fill(scene, i, drawn);
  }
}

}  // namespace polycodec::cli
