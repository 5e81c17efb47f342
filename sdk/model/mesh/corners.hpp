// SPDX-License-Identifier: MIT
// Corners with an index of each kind as vertices with all of it, so that a face has one index for
// each corner.
#pragma once

#include <model/mesh/columns.hpp>
#include <polycodec/builder.hpp>

#include <cstdint>
#include <span>

namespace polycodec::mesh {

/// The vertices that corners are: each combination of a position, a texture coordinate and a
/// normal once. Vertex i is position i with what the first corner there has, for all positions;
/// further ones follow in the order of the corners.
struct SplitVertices {
  std::uint64_t size = 0;
  std::span<const std::int32_t> position;  ///< empty with is_plain()
  std::span<const std::int32_t> texcoord;  ///< -1: none; empty with all_texcoords
  std::span<const std::int32_t> normal;    ///< -1: none; empty with all_normals
  std::span<const std::int32_t> corners;   ///< the vertex of each corner; empty: its position
  bool all_texcoords = true;               ///< vertex i has texture coordinate i, and these are all
  bool all_normals = true;

  /// True if vertices are the positions.
  bool is_plain() const noexcept { return corners.empty(); }
};

/// Splits at seams, in memory of `out`. Columns are of the same faces, `texcoords` and `normals`
/// may be NULL; indices have been checked. Vertices without a corner take the texture coordinate
/// and the normal of their number where no other vertex has it.
SplitVertices split_corners(std::uint64_t faces, const polycodec_array* positions,
                            const polycodec_array* texcoords, const polycodec_array* normals,
                            std::uint64_t position_count, std::uint64_t texcoord_count,
                            std::uint64_t normal_count, Builder& out);

}  // namespace polycodec::mesh
