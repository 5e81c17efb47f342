// SPDX-License-Identifier: MIT
// What faces of PLY files look like: colors of their own, and textures by number.
#pragma once

#include <model/loss.hpp>
#include <model/mesh/mesh.hpp>
#include <model/mesh/whole.hpp>

#include <string>
#include <vector>

namespace polycodec::mesh {

/// The names of the textures in comments.
std::vector<std::string> textures_of_lines(const View& root);

/// The columns of faces that take_face_looks() reads.
std::vector<std::string_view> face_look_columns(const Rows& faces, bool has_textures);

/// True for elements whose faces have such columns, and no material library that says more.
bool has_face_looks(const View& root);

/// Makes materials of what faces look like: `red green blue`, `alpha` and `texnumber`, which counts
/// the textures of comments. Without this number faces have the first texture, if there are
/// texture coordinates. Materials that the mesh has are divided where their faces differ.
void take_face_looks(const View& root, Mesh& m, Builder& out, Losses& losses);

/// The columns from which take_face_looks() makes the materials again. Clears the looks, which are
/// lost as far as these columns and comments do not say them, and the materials if their names
/// follow from their looks.
FaceColumns face_columns(Mesh& m, Builder& out, Losses& losses);

/// The same of an OBJ value with the materials of its libraries, for programs that read no library;
/// nothing for one without them.
FaceColumns face_columns_of_statements(const View& root, Builder& out);

/// True for elements that name a material library, as their faces may say in part.
bool names_library(const View& root);

}  // namespace polycodec::mesh
