// SPDX-License-Identifier: MIT
// Strips of triangles, as scanned models have them: one list, in which -1 starts a new strip.
#pragma once

#include <model/mesh/mesh.hpp>

#include <cstdint>

namespace polycodec::mesh {

/// The triangles of all strips in a column of lists, as a matrix of their corners; `triangles` is
/// how many there are. Every other triangle of a strip turns around, so that all face to the same
/// side; those that name a position twice, by which strips are stitched together, are left out.
/// Indices are not checked, and cut to 32 bits.
const polycodec_array* strip_triangles(const polycodec_array& column, Builder& out,
                                       std::uint64_t& triangles);

}  // namespace polycodec::mesh
