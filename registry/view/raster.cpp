// SPDX-License-Identifier: MIT
#include "raster.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace polycodec::cli {
namespace {

constexpr std::size_t samples = 2;  // in each direction of a pixel
constexpr double background = 250;

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Vector minus(const Vector& a, const Vector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Vector unit(const Vector& v) {
  const double length = std::sqrt(dot(v, v));
  return length > 0 ? Vector{v[0] / length, v[1] / length, v[2] / length} : v;
}
bool finite(const Vector& v) {
  return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]);
}

class Picture {
 public:
  Picture(const Scene& scene, const Camera& camera, std::size_t width, std::size_t height,
          HostMeter& meter)
      : scene_(scene),
        meter_(meter),
        width_(width * samples),
        height_(height * samples),
        color_(width_ * height_ * 3, static_cast<float>(background)),
        depth_(width_ * height_, -std::numeric_limits<float>::infinity()) {
    place(camera);
  }

  void triangles() {
    std::vector<Vector> normals(points_.size(), Vector{});
    for (const auto& t : scene_.triangles) {
      const Vector n =
          cross(minus(points_[t[1]], points_[t[0]]), minus(points_[t[2]], points_[t[0]]));
      if (!finite(n)) continue;
      for (const std::uint32_t corner : t)
        for (std::size_t axis = 0; axis < 3; ++axis) normals[corner][axis] += n[axis];
    }
    for (const auto& t : scene_.triangles) triangle(t, normals);
  }

  void points() {
    const auto radius = static_cast<std::ptrdiff_t>(points_.size() > 200000 ? 1
                                                    : points_.size() > 5000 ? 2
                                                                            : 4);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Vector& p = points_[i];
      if (!finite(p)) continue;
      meter_.tick(static_cast<std::uint64_t>(8 * radius * radius));
      const auto x = static_cast<std::ptrdiff_t>(p[0]);
      const auto y = static_cast<std::ptrdiff_t>(p[1]);
      // Farther points are paler.
      const double shade = 0.55 + 0.45 * (p[2] + extent_) / (2 * extent_);
      for (std::ptrdiff_t dy = -radius; dy <= radius; ++dy)
        for (std::ptrdiff_t dx = -radius; dx <= radius; ++dx)
          if (dx * dx + dy * dy <= radius * radius) put(x + dx, y + dy, p[2], color(i), shade);
    }
  }

  Image image() const {
    Image out{width_ / samples, height_ / samples, {}};
    out.pixels.reserve(out.width * out.height * 3);
    for (std::size_t y = 0; y < out.height; ++y)
      for (std::size_t x = 0; x < out.width; ++x)
        for (std::size_t channel = 0; channel < 3; ++channel) {
          float sum = 0;
          for (std::size_t sy = 0; sy < samples; ++sy)
            for (std::size_t sx = 0; sx < samples; ++sx)
              sum += color_[((y * samples + sy) * width_ + x * samples + sx) * 3 + channel];
          out.pixels.push_back(static_cast<std::uint8_t>(std::lround(sum / (samples * samples))));
        }
    return out;
  }

 private:
  // Turns the scene, and scales it so that it fills the picture but for a margin.
  void place(const Camera& camera) {
    const double yaw = camera.yaw * 3.14159265358979 / 180;
    const double pitch = camera.pitch * 3.14159265358979 / 180;
    Vector low{1e300, 1e300, 1e300};
    Vector high{-1e300, -1e300, -1e300};
    for (Vector p : scene_.positions) {
      if (camera.y_up) p = {p[0], -p[2], p[1]};
      const double right = p[0] * std::cos(yaw) + p[1] * std::sin(yaw);
      const double away = p[1] * std::cos(yaw) - p[0] * std::sin(yaw);
      const Vector seen{right, -(p[2] * std::cos(pitch) + away * std::sin(pitch)),
                        p[2] * std::sin(pitch) - away * std::cos(pitch)};
      points_.push_back(seen);
      if (!finite(seen)) continue;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], seen[axis]);
        high[axis] = std::max(high[axis], seen[axis]);
      }
    }
    const double size = std::max({(high[0] - low[0]) / static_cast<double>(width_),
                                  (high[1] - low[1]) / static_cast<double>(height_), 1e-300});
    const double scale = 0.9 / size;
    extent_ = std::max((high[2] - low[2]) / 2 * scale, 1.0);
    const Vector middle{static_cast<double>(width_) / 2, static_cast<double>(height_) / 2, 0};
    for (Vector& p : points_)
      for (std::size_t axis = 0; axis < 3; ++axis)
        p[axis] = (p[axis] - (low[axis] / 2 + high[axis] / 2)) * scale + middle[axis];
  }

  Color color(std::size_t i) const {
    return scene_.colors.empty() ? Color{92, 142, 196} : scene_.colors[i];
  }

  void put(std::ptrdiff_t x, std::ptrdiff_t y, double depth, const Color& color, double shade) {
    if (x < 0 || y < 0 || x >= static_cast<std::ptrdiff_t>(width_) ||
        y >= static_cast<std::ptrdiff_t>(height_))
      return;
    const std::size_t at = static_cast<std::size_t>(y) * width_ + static_cast<std::size_t>(x);
    if (static_cast<float>(depth) <= depth_[at]) return;
    depth_[at] = static_cast<float>(depth);
    for (std::size_t channel = 0; channel < 3; ++channel)
      color_[at * 3 + channel] = static_cast<float>(std::min(255.0, color[channel] * shade));
  }

  void triangle(const std::array<std::uint32_t, 3>& t, const std::vector<Vector>& normals) {
    const Vector& a = points_[t[0]];
    const Vector& b = points_[t[1]];
    const Vector& c = points_[t[2]];
    if (!finite(a) || !finite(b) || !finite(c)) return;
    const double area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    if (area == 0) return;
    std::array<Vector, 3> corner_normals;
    const Vector flat = unit(cross(minus(b, a), minus(c, a)));
    for (std::size_t i = 0; i < 3; ++i) {
      // Where the surface turns sharply, an edge is to be seen.
      corner_normals[i] = unit(normals[t[i]]);
      if (dot(corner_normals[i], flat) < 0.7) corner_normals[i] = flat;
    }
    const auto from = [](double x) { return static_cast<std::ptrdiff_t>(std::floor(x)); };
    const auto [x0, x1] = std::minmax({a[0], b[0], c[0]});
    const auto [y0, y1] = std::minmax({a[1], b[1], c[1]});
    meter_.tick(16 + 4 * static_cast<std::uint64_t>((y1 - y0 + 1) * (x1 - x0 + 1)));
    for (std::ptrdiff_t y = from(y0); y <= from(y1); ++y) {
      for (std::ptrdiff_t x = from(x0); x <= from(x1); ++x) {
        const double px = static_cast<double>(x) + 0.5;
        const double py = static_cast<double>(y) + 0.5;
        const double wb = ((px - a[0]) * (c[1] - a[1]) - (py - a[1]) * (c[0] - a[0])) / area;
        const double wc = ((b[0] - a[0]) * (py - a[1]) - (b[1] - a[1]) * (px - a[0])) / area;
        const double wa = 1 - wb - wc;
        if (wa < 0 || wb < 0 || wc < 0) continue;
        Vector n{};
        Color color_here{};
        for (std::size_t i = 0; i < 3; ++i) {
          n[i] = wa * corner_normals[0][i] + wb * corner_normals[1][i] + wc * corner_normals[2][i];
          color_here[i] = static_cast<std::uint8_t>(wa * color(t[0])[i] + wb * color(t[1])[i] +
                                                    wc * color(t[2])[i]);
        }
        // A light from above the viewer's left shoulder; both sides of a surface are lit.
        constexpr Vector light{-0.37, -0.48, 0.79};
        const double length = std::sqrt(dot(n, n));
        const double lit = length > 0 ? std::fabs(dot(n, light)) / length : 0.5;
        put(x, y, wa * a[2] + wb * b[2] + wc * c[2], color_here, 0.3 + 0.8 * lit);
      }
    }
  }

  const Scene& scene_;
  HostMeter& meter_;
  std::size_t width_, height_;
  std::vector<float> color_;
  std::vector<float> depth_;
  std::vector<Vector> points_;
  double extent_ = 1;
};

}  // namespace

Image draw(const Scene& scene, const Camera& camera, std::size_t width, std::size_t height,
           HostMeter& meter) {
  Picture picture(scene, camera, width, height, meter);
  scene.triangles.empty() ? picture.points() : picture.triangles();
  return picture.image();
}

}  // namespace polycodec::cli
