// SPDX-License-Identifier: MIT
// From the space of a scene to that of a picture.
#pragma once

#include "frame.hpp"
#include "view/meter.hpp"
#include "view/raster.hpp"

#include <array>
#include <vector>

namespace polycodec::cli {

/// Turns directions of the scene so that they point right, down and towards the viewer.
class Turn {
 public:
  explicit Turn(const Camera& camera);
  Vector operator()(const Vector& v) const noexcept {
    Vector out{};
    for (std::size_t row = 0; row < 3; ++row)
      out[row] = rows_[row][0] * v[0] + rows_[row][1] * v[1] + rows_[row][2] * v[2];
    return out;
  }

 private:
  std::array<Vector, 3> rows_;
};

/// All positions of a scene in the picture. They are scaled so that what is drawn fills it but for
/// a margin; a position that is not finite, or that only others are drawn of, may be anywhere.
struct Projection {
  std::vector<Place> places;
  float depth = 1;  ///< half of how far the nearest and the farthest are apart, in samples
};
Projection project(const Scene& scene, const Turn& turn, std::size_t width, std::size_t height,
                   Meter& meter);

}  // namespace polycodec::cli
