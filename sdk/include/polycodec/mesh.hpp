// SPDX-License-Identifier: MIT
// The registered type `mesh`, for codecs of 3-D structures: docs/mesh.md describes its members. The
// functions are in the library polycodec::sdk_mesh.
#pragma once

#include <polycodec/plugin.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace polycodec {

/// The type `mesh`, for POLYCODEC_DEFINE_PLUGIN: `polycodec::Types<polycodec::mesh_type>`. The
/// manifest of the plugin has the same notation.
inline constexpr polycodec_type mesh_type = make_type(
    "mesh",
    "{positions: Positions * {x: P, y: P, z: P}, normals: Normals * {x: N, y: N, z: N}, "
    "texcoords: Texcoords * {u: T, v: T}, colors: Colors * {red: C, green: C, blue: C}, alpha: "
    "Alphas * A, faces: Faces * {position: var * int32, texcoord: var * int32, normal: var * "
    "int32, material: int32, group: int32, object: int32}, edges: Edges * {first: int32, second: "
    "int32}, materials: Materials * string, groups: Groups * string, objects: Objects * string}",
    "A mesh of faces");

/// Contiguous numbers of one type, uint8, float32 or float64, in the byte order of the machine.
struct MeshNumbers {
  const void* data = nullptr;
  std::uint64_t size = 0;
  std::uint32_t dtype = POLYCODEC_DTYPE_FLOAT32;

  MeshNumbers() = default;
  template <class T>
  MeshNumbers(std::span<const T> numbers) noexcept
      : data(numbers.data()), size(numbers.size()), dtype(dtype_of<T>) {}
  double operator[](std::uint64_t i) const noexcept {
    const auto* p = static_cast<const std::byte*>(data);
    if (dtype == POLYCODEC_DTYPE_FLOAT32) return load<float>(p + 4 * i, std::endian::native);
    if (dtype == POLYCODEC_DTYPE_FLOAT64) return load<double>(p + 8 * i, std::endian::native);
    return static_cast<double>(static_cast<std::uint8_t>(p[i]));
  }
};

/// A mesh by its numbers, one after another. Not owning: the memory is of the value, or of the
/// arena. Members that are empty are not there. Indices count from 0, -1 means no index.
struct Mesh {
  MeshNumbers positions;  ///< x, y, z of each; float32 or float64
  MeshNumbers normals;    ///< x, y, z of each
  MeshNumbers texcoords;  ///< u, v of each; (0, 0) is the lower left corner of a texture
  MeshNumbers colors;     ///< red, green, blue of each position: uint8, or 0 to 1
  MeshNumbers alpha;      ///< of each position: as colors
  std::span<const std::uint64_t> faces;   ///< where the corners of each face begin, and the end
  std::span<const std::int32_t> corners;  ///< the position of each corner
  std::span<const std::int32_t> corner_texcoords;  ///< of each corner, or empty
  std::span<const std::int32_t> corner_normals;    ///< of each corner, or empty
  std::span<const std::int32_t> face_materials, face_groups,
      face_objects;                                                ///< one a face, or empty
  std::span<const std::int32_t> edges;                             ///< two positions of each
  std::span<const std::string_view> materials, groups, objects;    ///< names
  std::span<const std::string_view> comments, material_libraries;  ///< metadata of the value

  std::uint64_t face_count() const noexcept { return faces.empty() ? 0 : faces.size() - 1; }
};

/// What as_mesh() is asked for.
struct MeshRequest {
  const char* holder;      ///< the format that the error of a loss names, such as "STL"
  const char* detail;      ///< the detail of that error, such as "stl.lossy"
  bool triangles = false;  ///< cut all faces into triangles; faces of fewer corners vanish
};

/// Returns true for a value that as_mesh() takes: of the type `mesh`, with the elements of a PLY
/// file, or with the members of an OBJ file.
bool is_mesh(View value);

/// Returns the mesh that a value is; every index of it is in range. Parts without a place in the
/// type are reported as losses. Throws Error(type, `mesh.bad_member`) for another value,
/// Error(range, `mesh.index_out_of_range`), and Error(unsupported) where a loss is not allowed.
Mesh as_mesh(const Call& call, View value, const MeshRequest& request, Builder& out);

/// Returns the value of the type `mesh`, whose columns view the numbers of `mesh`. They live as
/// long as the value, and indices are in range. Text is copied. Throws Error(limit, `mesh.limit`)
/// for more rows than int32 counts.
Node make_mesh(const Mesh& mesh, Builder& out);

}  // namespace polycodec
