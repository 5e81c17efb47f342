// SPDX-License-Identifier: MIT
// The registered type `mesh`: what formats of 3-D structures have in common, as columns.
#pragma once

#include <model/mesh/columns.hpp>
#include <model/mesh/rows.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/detail/mesh_material.hpp>
#include <polycodec/detail/mesh_part.hpp>
#include <polycodec/error.hpp>
#include <polycodec/view.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::mesh {

inline constexpr const char* type_name = "mesh";

/// The notation of the type. Indices count from 0; -1 says none. A face is a list of corners:
/// `texcoord` and `normal` are as long as `position`, or empty where no corner of the face has one.
/// Colors and alpha belong to positions (as many, or none): uint8 0..255, or floating-point 0..1.
/// `material`, `group` and `object` index the names.
inline constexpr const char* notation =
    "{positions: Positions * {x: P, y: P, z: P}, normals: Normals * {x: N, y: N, z: N}, "
    "texcoords: Texcoords * {u: T, v: T}, colors: Colors * {red: C, green: C, blue: C}, alpha: "
    "Alphas * A, "
    "faces: Faces * {position: var * int32, texcoord: var * int32, normal: var * int32, material: "
    "int32, "
    "group: int32, object: int32}, edges: Edges * {first: int32, second: int32}, materials: "
    "Materials * string, "
    "groups: Groups * string, objects: Objects * string}";

/// A mesh by its columns, on the way from one form to another: conversions share columns instead of
/// copying them. Not owning: columns are of a value, or in the arena of a Builder, which must
/// outlive it.
struct Mesh {
  using Column = const polycodec_array*;

  // 1-d leaves; all of an array are there or none is.
  std::array<Column, 3> positions{};
  std::array<Column, 3> normals{};
  std::array<Column, 2> texcoords{};
  std::array<Column, 3> colors{};
  Column alpha = nullptr;
  // What Lists reads, with a row for each face; face_texcoords and face_normals may be NULL.
  std::uint64_t faces = 0;
  Column face_positions = nullptr;
  Column face_texcoords = nullptr;
  Column face_normals = nullptr;
  // Integers, one for each face; NULL: -1 for all.
  Column face_materials = nullptr;
  Column face_groups = nullptr;
  Column face_objects = nullptr;
  std::array<Column, 2> edges{};
  std::vector<std::string> materials, groups, objects;
  std::vector<MeshMaterial> looks;              ///< of each of `materials`, or empty
  std::vector<std::string> comments;            ///< of the file
  std::vector<std::string> material_libraries;  ///< names of files, never opened
  MeshPaths paths;  ///< where the parts are in the value that the mesh was made of

  std::uint64_t position_count() const noexcept { return count(positions[0]); }
  std::uint64_t normal_count() const noexcept { return count(normals[0]); }
  std::uint64_t texcoord_count() const noexcept { return count(texcoords[0]); }
  std::uint64_t edge_count() const noexcept { return count(edges[0]); }

  static std::uint64_t count(Column column) noexcept {
    return column == nullptr ? 0 : column->length;
  }
};

/// Indices without a row, for those who want to see all of them instead of an error at the first.
struct IndexProblems {
  static constexpr std::size_t most_shown = 8;
  std::uint64_t count = 0;
  std::vector<std::string> shown;  ///< the first ones: path and what is wrong
};

/// An index that is not one of `count` rows: reported to `problems`, or without them thrown as
/// Error(range, `mesh.index_out_of_range`).
void bad_index(std::int64_t index, std::uint64_t count, const std::string& path,
               IndexProblems* problems);

/// Checks every index of a column of lists, which may be NULL: one of `count` rows, or -1 if
/// corners may lack it. `path` is of the rows, `name` of the list in them.
void check_lists(const polycodec_array* column, std::uint64_t count, bool may_lack,
                 const char* path, std::string_view name, IndexProblems* problems);

/// The same for a column of single indices.
void check_column(const polycodec_array* column, std::uint64_t count, bool may_lack,
                  const char* path, std::string_view name, IndexProblems* problems);

namespace detail {

polycodec_node text_list(Builder& out, const std::vector<std::string>& texts);
std::vector<std::string> texts_of(const View& list);

/// A column of `n` numbers: number(i) as T.
template <class T, class Number>
const polycodec_array* make_column(Builder& out, std::uint64_t n, const Number& number) {
  auto* to = out.allocate<T>(n);
  for (std::uint64_t i = 0; i < n; ++i) to[i] = static_cast<T>(number(i));
  return out.vector(std::span<const T>(to, static_cast<std::size_t>(n)));
}

/// Numbers of a column as contiguous T.
template <class T>
const polycodec_array* copy_column(Builder& out, const polycodec_array* column) {
  const Numbers from(*column);
  return make_column<T>(out, from.size(), [&](std::uint64_t i) {
    return load_number<T>(from.at(i), from.dtype(), from.order());
  });
}

/// `n` lists of `values` by their offsets.
template <class T>
const polycodec_array* list_column(Builder& out, std::uint64_t n, const std::uint64_t* offsets,
                                   const T* values) {
  return out.list_offsets(
      std::span<const std::uint64_t>(offsets, static_cast<std::size_t>(n + 1)),
      out.vector(std::span<const T>(values, static_cast<std::size_t>(offsets[n]))));
}

/// `n` lists of `from`, number list(i) for each i, as int32.
template <class List>
const polycodec_array* copy_lists(Builder& out, const Lists& from, std::uint64_t n,
                                  const List& list) {
  auto* offsets = out.allocate<std::uint64_t>(n + 1);
  offsets[0] = 0;
  for (std::uint64_t i = 0; i < n; ++i) offsets[i + 1] = offsets[i] + from.row(list(i)).count;
  auto* values = out.allocate<std::int32_t>(offsets[n]);
  auto* to = values;
  for (std::uint64_t i = 0; i < n; ++i) {
    const Lists::Row row = from.row(list(i));
    for (std::uint64_t k = 0; k < row.count; ++k)
      *to++ = static_cast<std::int32_t>(from.integer(row, k));
  }
  return list_column(out, n, offsets, values);
}

}  // namespace detail

/// The mesh as a value of the registered type, with attributes `comments`, `material_libraries` and
/// `looks` where there are some. Indices must have been checked. Throws Error(limit, `mesh.limit`)
/// if there are more rows than they can count.
polycodec_node to_value(const Mesh& m, Builder& out);

/// True for a value that has the members of a mesh.
bool is_mesh(const View& root);

/// Reads a value of the type, columnar or as documents; members that are left out are empty. Throws
/// Error with the path of what does not fit; for indices out of range only without `problems`,
/// which are reported otherwise.
Mesh from_value(const View& root, Builder& out, IndexProblems* problems = nullptr);

}  // namespace polycodec::mesh
