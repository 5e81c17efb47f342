// SPDX-License-Identifier: MIT
// The registered type `mesh`, for codecs of 3-D structures and for programs that look at them:
// docs/mesh.md describes its members. The functions are in the library polycodec::sdk_mesh.
#pragma once

#include <polycodec/detail/mesh_material.hpp>
#include <polycodec/detail/mesh_part.hpp>
#include <polycodec/plugin.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

/// Contiguous numbers of one type, in the byte order of the machine: uint8, float32 or float64; for
/// programs (MeshReading) any integer or float of 8 bytes at most.
struct MeshNumbers {
  const void* data = nullptr;
  std::uint64_t size = 0;
  std::uint32_t dtype = POLYCODEC_DTYPE_FLOAT32;

  MeshNumbers() = default;
  template <class T>
  MeshNumbers(std::span<const T> numbers) noexcept
      : data(numbers.data()), size(numbers.size()), dtype(dtype_of<T>) {}
  bool empty() const noexcept { return size == 0; }
  double operator[](std::uint64_t i) const noexcept {
    return visit([&](auto zero) { return static_cast<double>(at<decltype(zero)>(i)); });
  }
  /// Copies all of them as T to an array of `size`: faster than one by one.
  template <class T>
  void copy_to(T* to) const noexcept {
    visit([&](auto zero) {
      for (std::uint64_t i = 0; i < size; ++i) to[i] = static_cast<T>(at<decltype(zero)>(i));
    });
  }

 private:
  template <class T>
  T at(std::uint64_t i) const noexcept {
    return load<T>(static_cast<const std::byte*>(data) + sizeof(T) * i, std::endian::native);
  }
  template <class Visitor>
  auto visit(const Visitor& visitor) const noexcept -> decltype(visitor(float{})) {
    switch (dtype) {
      case POLYCODEC_DTYPE_FLOAT32:
        return visitor(float{});
      case POLYCODEC_DTYPE_FLOAT64:
        return visitor(double{});
      case POLYCODEC_DTYPE_UINT8:
        return visitor(std::uint8_t{});
      case POLYCODEC_DTYPE_INT8:
        return visitor(std::int8_t{});
      case POLYCODEC_DTYPE_INT16:
        return visitor(std::int16_t{});
      case POLYCODEC_DTYPE_UINT16:
        return visitor(std::uint16_t{});
      case POLYCODEC_DTYPE_INT32:
        return visitor(std::int32_t{});
      case POLYCODEC_DTYPE_UINT32:
        return visitor(std::uint32_t{});
      case POLYCODEC_DTYPE_INT64:
        return visitor(std::int64_t{});
      default:
        return visitor(std::uint64_t{});
    }
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
  // Those that are `corners` itself say that the rows belong to the positions.
  std::span<const std::int32_t> corner_texcoords;  ///< of each corner, or empty
  std::span<const std::int32_t> corner_normals;    ///< of each corner, or empty
  std::span<const std::int32_t> face_materials, face_groups,
      face_objects;                                              ///< one a face, or empty
  std::span<const std::int32_t> edges;                           ///< two positions of each
  std::span<const std::string_view> materials, groups, objects;  ///< names
  std::span<const MeshMaterial> looks;  ///< of each of `materials`, or empty; metadata of the value
  std::span<const std::string_view> comments, material_libraries;  ///< metadata of the value
  MeshPaths paths;  ///< where the parts are in the value that the mesh was made of

  std::uint64_t position_count() const noexcept { return positions.size / 3; }
  std::uint64_t normal_count() const noexcept { return normals.size / 3; }
  std::uint64_t texcoord_count() const noexcept { return texcoords.size / 2; }
  std::uint64_t face_count() const noexcept { return faces.empty() ? 0 : faces.size() - 1; }
  std::uint64_t edge_count() const noexcept { return edges.size() / 2; }
  /// The positions of the corners of face `i`.
  std::span<const std::int32_t> face(std::uint64_t i) const noexcept { return of_face(corners, i); }
  /// What `list`, which has an item for each corner or none, has for the corners of face `i`.
  std::span<const std::int32_t> of_face(std::span<const std::int32_t> list,
                                        std::uint64_t i) const noexcept {
    if (list.empty()) return {};
    const auto begin = static_cast<std::size_t>(faces[static_cast<std::size_t>(i)]);
    return list.subspan(begin,
                        static_cast<std::size_t>(faces[static_cast<std::size_t>(i + 1)]) - begin);
  }
};

/// What as_mesh() is asked for.
struct MeshRequest {
  const char* holder;      ///< the format that the error of a loss names, such as "STL"
  const char* detail;      ///< the detail of that error, such as "stl.lossy"
  bool triangles = false;  ///< cut all faces into triangles; faces of fewer corners vanish
};

/// What a value that as_mesh() takes looks like.
enum class MeshForm : std::uint8_t {
  none,        ///< it takes no such value
  mesh,        ///< of the type `mesh`
  elements,    ///< with the elements of a PLY file
  statements,  ///< with the members of an OBJ file
};

/// Returns the form of a value.
MeshForm mesh_form(View value);

/// Returns true for a value that as_mesh() takes.
bool is_mesh(View value);

/// Returns the mesh that a value is; every index of it is in range. Parts without a place in the
/// type are reported as losses. Throws Error(type, `mesh.bad_member`) for another value,
/// Error(range, `mesh.index_out_of_range`), and Error(unsupported) where a loss is not allowed.
Mesh as_mesh(const Call& call, View value, const MeshRequest& request, Builder& out);

/// Reports the parts of a mesh that a format does not keep, with their paths in the value that the
/// mesh was made of and the classes of docs/loss.md. Positions and faces are kept; `kept` names the
/// other parts. `positions` among them says that those without faces and edges are kept, too. Rows,
/// groups and objects that nothing uses are notes. An alpha that is opaque everywhere is not a
/// loss. Throws Error(unsupported) with the detail of the request where a loss is not allowed.
void report_lost_parts(const Call& call, const Mesh& mesh, const MeshRequest& request,
                       std::initializer_list<MeshPart> kept);

/// Returns the mesh with triangles alone, for formats that have no other faces. Reports the faces
/// of fewer than three corners, which are left out, and those of more unless `is_wanted` says that
/// the caller asked to cut them.
Mesh triangulate(const Call& call, const Mesh& mesh, bool is_wanted, Builder& out);

/// Is notified of a part of a value that the result has no place for.
using MeshLoss = std::function<void(LossClass loss, std::string_view path, std::string_view what)>;
/// Is notified of units of work, as Budget::spend() counts them, before they are done. It may
/// throw.
using MeshWork = std::function<void(std::uint64_t units)>;

/// Indices of a mesh that are out of range.
struct MeshProblems {
  std::uint64_t count = 0;
  std::vector<std::string> shown;  ///< the first ones: path and what is wrong
};

/// What as_mesh() does for programs, which have no call.
struct MeshReading {
  MeshLoss on_loss = {};
  MeshWork on_work = {};
  /// Gets the indices that are out of range, which then is not an error: no index of the mesh may
  /// be followed without a look at it.
  MeshProblems* problems = nullptr;
};

/// The same for programs: numbers keep their type where those side by side have the same one.
/// `out` may be of any arena, which bounds the memory.
Mesh as_mesh(View value, const MeshReading& reading, Builder& out);

/// Returns the mesh with all faces cut into triangles with the same corners, in the order of the
/// faces: of n corners become n - 2 triangles. Its other members are those of `mesh`, whose indices
/// are in range. Throws Error(limit, `mesh.limit`) for a concave face of more than 4096 corners.
Mesh triangulate(const Mesh& mesh, Builder& out, const MeshWork& on_work = {});

/// Returns the value of the type `mesh`, whose columns view the numbers of `mesh`. They live as
/// long as the value, and indices are in range. Text is copied. Throws Error(limit, `mesh.limit`)
/// for more rows than int32 counts.
Node make_mesh(const Mesh& mesh, Builder& out);

/// The same in any form but `none`. What it has no place for is reported to `on_loss` (or null).
Node make_mesh(const Mesh& mesh, MeshForm form, const MeshLoss& on_loss, Builder& out);

}  // namespace polycodec
