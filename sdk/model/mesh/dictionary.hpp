// SPDX-License-Identifier: MIT
// Structures as dictionaries, in the forms that yggdrasil's Ply and ObjWavefront classes give and
// take: as_dict() has a list of records for each element, as_array_dict() a matrix of numbers.
#pragma once

#include <base/checked.hpp>
#include <model/loss.hpp>
#include <model/mesh/matrix.hpp>
#include <model/mesh/mesh.hpp>

#include <string_view>
#include <vector>

namespace polycodec::mesh {

/// The name of an element for one of its other names: vertices, vertexes, faces, edges, comments.
constexpr std::string_view singular(std::string_view name) noexcept {
  if (name == "vertices" || name == "vertexes") return "vertex";
  if (name == "faces") return "face";
  if (name == "edges") return "edge";
  return name == "comments" ? "comment" : name;
}

/// as_array_dict() of the members of as_dict(): numbers of an element side by side, colors apart
/// as `NAME_colors` (uint8 if they are), lists padded. Columns with other names than usual have
/// them as the attribute `mesh.columns` of the matrix, lists as `mesh.list`. An element with a list
/// has no place for its other columns: `losses` hears of them. Members that are no columns stay as
/// they are.
std::vector<Member> array_dictionary(const std::vector<Member>& members, Builder& out,
                                     Losses& losses);

/// The elements that a dictionary of either form describes: names in the singular, matrices as
/// records with the usual names of columns. Throws Error(type, `mesh.bad_member`) with the path of
/// what is neither.
polycodec_node from_dictionary(const View& root, Builder& out);

}  // namespace polycodec::mesh
