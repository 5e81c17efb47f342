// SPDX-License-Identifier: MIT
// A mesh as the buffers that a page draws.
#pragma once

#include <polycodec/view.hpp>

#include "common/json.hpp"
#include "view/meter.hpp"
#include "view/scene.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace polycodec::page {

using cli::Json;

/// Triangles that follow each other and have one object, group and material (-1: none).
struct Layer {
  std::int64_t object = -1, group = -1, material = -1;
  std::uint64_t first = 0, count = 0;
};

/// A numeric column of the vertices of the file that has no other place.
struct Attribute {
  std::string name;
  std::vector<float> values;  ///< one for each position of the file
};

/// What is drawn. A vertex is a corner with its position, normal and texture coordinates; corners
/// that have all of them in common are one vertex.
struct Parts {
  std::vector<float> positions;          ///< x y z of each vertex, from `origin`
  std::array<double, 3> origin{};        ///< the middle of all positions
  std::vector<float> normals;            ///< x y z of each vertex, or empty
  std::vector<float> texcoords;          ///< u v of each vertex, or empty
  std::vector<std::uint8_t> colors;      ///< red green blue alpha of each vertex, or empty
  std::vector<std::uint32_t> sources;    ///< position of each vertex in the file; empty: the same
  std::vector<std::uint32_t> triangles;  ///< three vertices each
  std::vector<std::uint32_t> faces;      ///< of each triangle: the face in the file
  std::vector<std::uint32_t> edges;      ///< two vertices each
  std::vector<Layer> layers;
  std::vector<Attribute> attributes;
  std::vector<std::string> objects, groups;
  std::vector<cli::Material> materials;
  std::vector<std::string> notes;  ///< parts of the value that are not drawn
  std::uint64_t file_positions = 0, file_faces = 0;
  bool is_y_up = false;

  /// Bytes of all buffers.
  std::uint64_t bytes() const noexcept;
};

/// Returns the parts of a value that is a mesh (as PLY or OBJ files hold it, or of the type mesh);
/// nothing for other values. Takes at most `max_memory` bytes beside them. Indices without a row
/// throw Error(range). Throws Error(limit).
std::optional<Parts> parts_of(const View& root, std::uint64_t max_memory, cli::Meter& meter);

/// Makes the parts smaller than about `most` bytes: joins vertices of a grid and drops triangles
/// that become lines. Of points alone, every n-th stays. Drops attributes, and normals and texture
/// coordinates of joined vertices become those of one of them.
void decimate(Parts& parts, std::uint64_t most);

/// Returns the parts for the page; the members with buffers are pack_words() and pack_bytes().
Json to_json(const Parts& parts);

}  // namespace polycodec::page
