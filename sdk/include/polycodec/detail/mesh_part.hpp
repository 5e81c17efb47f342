// SPDX-License-Identifier: MIT
// The parts of a mesh, and where they are in the value that it was made of.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace polycodec {

/// A part of a mesh, whatever a format calls it.
enum class MeshPart : std::uint8_t {
  positions,
  normals,
  texcoords,
  colors,
  alpha,
  faces,
  corners,  ///< the lists of positions that faces are
  edges,
  materials,
  groups,
  objects,
  comments,
  material_libraries,
  looks,  ///< what materials look like, beyond their names
};

/// The path of each part, for messages. At first those of a value of the type `mesh`. The text
/// lives as long as the program.
class MeshPaths {
 public:
  constexpr std::string_view operator[](MeshPart part) const noexcept {
    return paths_[number(part)];
  }
  constexpr void set(MeshPart part, std::string_view path) noexcept { paths_[number(part)] = path; }

 private:
  static constexpr std::size_t number(MeshPart part) noexcept {
    return static_cast<std::size_t>(part);
  }

  std::array<std::string_view, 14> paths_{
      "$.positions", "$.normals",  "$.texcoords",      "$.colors",
      "$.alpha",     "$.faces",    "$.faces.position", "$.edges",
      "$.materials", "$.groups",   "$.objects",        "$",
      "$",           "$.materials"};
};

}  // namespace polycodec
