// SPDX-License-Identifier: MIT
// What draws the parts of a scene.
#pragma once

#include "frame.hpp"
#include "projection.hpp"
#include "view/meter.hpp"
#include "view/raster.hpp"

namespace polycodec::cli {

/// Draws all triangles.
void fill_triangles(Frame& frame, const Scene& scene, const Projection& projection,
                    const Turn& turn, Meter& meter, Drawn& drawn);

/// Draws all lines, a little before the surfaces that they lie on.
void fill_lines(Frame& frame, const Scene& scene, const Projection& projection, Meter& meter,
                Drawn& drawn);

/// Draws all points as disks: the more points, the smaller. Farther ones are paler.
void fill_points(Frame& frame, const Scene& scene, const Projection& projection, Meter& meter,
                 Drawn& drawn);

}  // namespace polycodec::cli
