// SPDX-License-Identifier: MIT
// The samples of a picture: colors and depths.
#pragma once

#include "view/image.hpp"
#include "view/meter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace polycodec::cli {

/// A position in the picture: samples from the left and from the top, and how near it is.
using Place = std::array<float, 3>;

inline bool is_finite(const Place& p) noexcept {
  return std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2]);
}

/// The samples of a picture; several make a pixel. What is nearer hides what is farther.
class Frame {
 public:
  using Shade = std::array<float, 3>;  ///< red, green, blue from 0 to 255

  static constexpr std::uint8_t background = 250;
  /// Pictures of more pixels have one sample for each.
  static constexpr std::size_t most_smooth_pixels = std::size_t{1} << 24;

  Frame(std::size_t width, std::size_t height)
      : samples_(width * height <= most_smooth_pixels ? 2 : 1),
        width_(width * samples_),
        height_(height * samples_),
        color_(width_ * height_, {background, background, background}),
        depth_(width_ * height_, -std::numeric_limits<float>::infinity()) {}

  /// Samples in a row, and rows.
  std::size_t width() const noexcept { return width_; }
  std::size_t height() const noexcept { return height_; }
  std::size_t samples_of_pixel() const noexcept { return samples_; }
  std::uint64_t covered() const noexcept { return covered_; }

  /// The number of a sample that is in the picture.
  std::size_t at(std::ptrdiff_t x, std::ptrdiff_t y) const noexcept {
    return static_cast<std::size_t>(y) * width_ + static_cast<std::size_t>(x);
  }
  bool has(std::ptrdiff_t x, std::ptrdiff_t y) const noexcept {
    return x >= 0 && y >= 0 && x < static_cast<std::ptrdiff_t>(width_) &&
           y < static_cast<std::ptrdiff_t>(height_);
  }
  bool is_nearer(std::size_t sample, float depth) const noexcept { return depth > depth_[sample]; }
  void put(std::size_t sample, float depth, const Shade& color) noexcept {
    covered_ += depth_[sample] == -std::numeric_limits<float>::infinity() ? 1 : 0;
    depth_[sample] = depth;
    for (std::size_t i = 0; i < 3; ++i)
      color_[sample][i] = static_cast<std::uint8_t>(std::clamp(color[i], 0.0f, 255.0f) + 0.5f);
  }

  /// The pixels.
  Image image(Meter& meter) const;

 private:
  std::size_t samples_;  // in each direction of a pixel
  std::size_t width_, height_;
  std::vector<std::array<std::uint8_t, 3>> color_;
  std::vector<float> depth_;
  std::uint64_t covered_ = 0;
};

}  // namespace polycodec::cli
