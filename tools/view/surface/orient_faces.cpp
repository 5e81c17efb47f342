// SPDX-License-Identifier: MIT
// Faces that share an edge agree which side is outside, and closed shells look outward.
#include "check.hpp"
#include "edges.hpp"
#include "repair.hpp"
#include "rows_of_mesh.hpp"

namespace polycodec::cli {

std::vector<Change> orient_faces(Mesh& m, Builder& out, Meter& meter) {
  Change turned{"orient", "faces were turned"};
  Change inverted{"orient", "closed shells were inside out"};
  Change cavities{"orient", "closed shells inside another one stay inside out: cavities, it seems"};
  Change twisted{"orient", "shells stay as they are: no winding orients them"};
  const Surface s = surface_of(m, meter);
  const std::vector<bool> flat = flat_faces(s, meter);
  Shells shells = shells_of(s, Edges(s, flat, meter), flat, true, meter);
  for (const Shell& shell : shells.all) {
    const auto line = [&] {
      return "the shell of face " + std::to_string(shell.first_face) + ": " +
             std::to_string(shell.faces) + " faces";
    };
    if (shell.is_inside_out()) (shell.inside ? cavities : inverted).add(line);
    if (shell.one_sided) twisted.add(line);
  }
  for (std::size_t i = 0; i < flat.size(); ++i) {
    if (flat[i]) continue;
    meter.tick(2);
    const Shell& shell = shells.all[shells.of_face[i]];
    if (shell.is_inside_out() && !shell.inside) shells.turned[i] = !shells.turned[i];
    if (shells.turned[i]) turned.add([&] { return "face " + std::to_string(i); });
  }
  if (turned.count != 0) turn_faces(m, out, shells.turned);
  return {turned, inverted, cavities, twisted};
}

}  // namespace polycodec::cli
