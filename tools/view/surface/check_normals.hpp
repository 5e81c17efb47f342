// SPDX-License-Identifier: MIT
// Checks of normals, and of the attributes that belong to positions.
#pragma once

#include "check.hpp"

#include <vector>

namespace polycodec::cli {

/// What is wrong with the normals of a mesh. `flat`: faces without a direction.
std::vector<Finding> check_normals(const mesh::Mesh& m, const Surface& surface,
                                   const std::vector<bool>& flat, const std::vector<Point>& normals,
                                   HostMeter& meter);

/// True if two positions have the same color, alpha, and normal and texture coordinates where those
/// belong to positions.
bool same_attributes(const mesh::Mesh& m, std::uint64_t a, std::uint64_t b);

/// True if the rows of a column of attributes are those of the positions: `lists` are the indices
/// of faces into it.
bool is_of_positions(const mesh::Mesh& m, mesh::Mesh::Column rows, mesh::Mesh::Column lists);

}  // namespace polycodec::cli
