// SPDX-License-Identifier: MIT
// What is wrong with a mesh.
#pragma once

#include <polycodec/mesh.hpp>

#include "surface.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::cli {

/// Things of one kind that were found in a mesh.
struct Finding {
  static constexpr std::size_t most_examples = 4;

  std::string_view name;   ///< such as "boundary_edges"
  bool is_problem = true;  ///< false: worth knowing, but nothing is wrong
  std::uint64_t count = 0;
  std::string_view text;  ///< what it is that is counted, for users
  std::vector<std::string> examples = {};
};

/// What a check found, in the order of docs/mesh.md, without what was not found.
struct MeshCheck {
  std::vector<Finding> findings;
  std::uint64_t shells = 0, closed_shells = 0;

  bool is_clean() const noexcept {
    for (const Finding& finding : findings)
      if (finding.is_problem) return false;
    return true;
  }
};

/// Checks a mesh. `problems` are those of its indices; `points` the positions that stand alone on
/// purpose (point elements). n log n time, 100 bytes of memory a face or so. Charges `meter`.
MeshCheck check_mesh(const Mesh& m, const MeshProblems& problems,
                     const std::vector<std::uint64_t>& points, Meter& meter);

/// Faces that say nothing of a surface: with wrong indices, positions that are not finite, or
/// without area.
std::vector<bool> flat_faces(const Surface& surface, Meter& meter);

/// Faces that have the same corners at the same places as an earlier one, in whatever order.
std::vector<bool> repeated_faces(const Surface& surface, Meter& meter);

/// For each position whether a face, an edge or one of `points` uses it.
std::vector<bool> used_positions(const Mesh& m, const Surface& surface,
                                 const std::vector<std::uint64_t>& points);

}  // namespace polycodec::cli
