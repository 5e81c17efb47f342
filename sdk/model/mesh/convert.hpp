// SPDX-License-Identifier: MIT
// Meshes in the forms of the formats: what codecs of meshes offer, and what they take.
#pragma once

#include <model/loss.hpp>
#include <model/mesh/mesh.hpp>
#include <polycodec/checked.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace polycodec::mesh {

/// What a codec makes of a file, or what it is to take a value for: as the format says it; the
/// registered type `mesh`; or one of the dictionary forms that yggdrasil's programs know.
enum class Form : std::uint8_t { file, mesh, dict, array_dict, list };

/// True for a value with an element `vertex`.
bool is_elements(const View& root);

/// The mesh that elements are. Properties by the names that programs use: x y z, nx ny nz; red
/// green blue, r g b or diffuse_red ..; alpha or a; s t, u v or texture_u texture_v; faces:
/// vertex_indices or vertex_index, texcoord, material_index; edges: vertex1 vertex2. Where there
/// are not faces, `tristrips` are triangles. All else is reported to `losses`. Throws Error with
/// the path of what does not fit; for indices out of range only without `problems`, which are told
/// otherwise.
Mesh from_elements(const View& root, Builder& out, Losses& losses,
                   IndexProblems* problems = nullptr);

/// The mesh as elements `vertex`, `face` and `edge` (those that have rows; `vertex` always).
/// Normals and texture coordinates are on vertices where every vertex has just one; otherwise
/// texture coordinates become a list `texcoord` of each face, and normals are lost. Floating-point
/// colors become bytes where that is exact.
polycodec_node to_elements(const Mesh& m, Builder& out, Losses& losses);

/// Leaves out the material that is made of a comment with a texture, for formats that keep the
/// comment and not the material.
void drop_texture_of_comment(Mesh& m);

/// True for a value with the members of an OBJ file.
bool is_statements(const View& root);

/// The mesh that an OBJ value is: materials, groups and objects become numbers of faces. Lines
/// become edges. All else (free-form geometry, smoothing, weights, ..) is reported to `losses`.
/// Throws Error with the path of what does not fit; for indices out of range only without
/// `problems`, which are reported otherwise.
Mesh from_statements(const View& root, Builder& out, Losses& losses,
                     IndexProblems* problems = nullptr);

/// The mesh as an OBJ value: colors as fractions of one, edges as lines, names as statements
/// before the faces that they belong to. Faces of fewer than three corners are lost. Materials that
/// are known are in `materials`, and in the library of this name, where one is given.
polycodec_node to_statements(Mesh m, Builder& out, Losses& losses, std::string_view library = {});

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
/// has no place for its other columns: `losses` is notified of them. Members that are not columns
/// stay as they are.
std::vector<Member> array_dictionary(const std::vector<Member>& members, Builder& out,
                                     Losses& losses);

/// The elements that a dictionary of either form describes: names in the singular, matrices as
/// records with the usual names of columns. Throws Error(type, `mesh.bad_member`) with the path of
/// what is neither.
polycodec_node from_dictionary(const View& root, Builder& out);

/// The mesh that a value is: of the registered type, elements as of a PLY file, or an OBJ value.
/// Nothing for another value. What a mesh has no place for is reported to `losses`. Throws Error
/// with the path of what does not fit; for indices out of range only without `problems`, which are
/// told otherwise (then no index of the mesh may be followed).
std::optional<Mesh> mesh_of(const View& root, Builder& out, Losses& losses,
                            IndexProblems* problems = nullptr);

}  // namespace polycodec::mesh
