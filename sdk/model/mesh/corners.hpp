// SPDX-License-Identifier: MIT
// Corners with an index of each kind as vertices with all of it, so that a face has one index for
// each corner.
#pragma once

#include <model/mesh/columns.hpp>

#include <cstdint>
#include <vector>

namespace polycodec::mesh {

/// The vertices that corners are: each combination of a position, a texture coordinate and a
/// normal once. Vertex i is position i with what the first corner there has, for all positions;
/// further ones follow in the order of the corners.
struct SplitVertices {
  std::vector<std::int32_t> position;
  std::vector<std::int32_t> texcoord;  ///< -1: none
  std::vector<std::int32_t> normal;    ///< -1: none
  std::vector<std::int32_t> corners;   ///< the vertex of each corner; empty: its position
  bool all_texcoords = false;  ///< vertex i has texture coordinate i, and there are no others
  bool all_normals = false;

  std::uint64_t size() const noexcept { return position.size(); }
  /// True if vertices are the positions.
  bool is_plain() const noexcept { return corners.empty(); }
};

/// Splits at seams. Columns are of the same faces, `texcoords` and `normals` may be NULL; indices
/// have been checked. Vertices without a corner take the texture coordinate and the normal of their
/// number where no other vertex has it.
SplitVertices split_corners(std::uint64_t faces, const polycodec_array* positions,
                            const polycodec_array* texcoords, const polycodec_array* normals,
                            std::uint64_t position_count, std::uint64_t texcoord_count,
                            std::uint64_t normal_count);

}  // namespace polycodec::mesh
