// SPDX-License-Identifier: MIT
// The value of an OBJ file as elements of a PLY file.
#pragma once

#include "columns.hpp"

#include <string>
#include <vector>

namespace polycodec::ply {

/// True for the value of an OBJ file, as its codec makes it.
bool is_obj(const Item& root);

/// Adds the elements vertex, face and edge to `table`. What PLY has no place for is named in `lost`; comments go to
/// `comments`. Throws Error with the path of an index that is out of range.
void add_obj(const Item& root, Table& table, std::vector<std::string>& lost, std::vector<std::string>& comments);

}  // namespace polycodec::ply
