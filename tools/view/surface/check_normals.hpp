// SPDX-License-Identifier: MIT
// Checks of normals, and of the attributes that belong to positions.
#pragma once

#include "check.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace polycodec::cli {

/// What is wrong with the normals of a mesh. `flat`: faces without a direction.
std::vector<Finding> check_normals(const Mesh& m, const Surface& surface,
                                   const std::vector<bool>& flat, const std::vector<Point>& normals,
                                   Meter& meter);

/// True if two positions have the same color, alpha, and normal and texture coordinates where those
/// belong to positions.
bool same_attributes(const Mesh& m, std::uint64_t a, std::uint64_t b);

/// True if `rows` rows of an attribute are those of the positions: `items` are the indices of
/// corners into them.
bool is_of_positions(const Mesh& m, std::uint64_t rows, std::span<const std::int32_t> items);

}  // namespace polycodec::cli
