// SPDX-License-Identifier: MIT
// The facets of an STL file by their columns, on the way from bytes to a value and back.
#pragma once

#include <polycodec/builder.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/call.hpp>
#include <polycodec/detail/mesh_part.hpp>
#include <polycodec/view.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::stl {

/// Bytes of a binary file before its facets, and of each facet.
inline constexpr std::uint64_t header_size = 84;
inline constexpr std::uint64_t comment_size = 80;
inline constexpr std::uint64_t facet_size = 50;

using Point = std::array<double, 3>;

/// Vectors in memory at fixed distances, or three in a row by their numbers. float32 or float64.
/// Not owning.
struct Points {
  const std::byte* data = nullptr;
  std::uint64_t rows = 0;
  std::int64_t row_stride = 0;
  std::int64_t vector_stride = 0;  ///< from one vector of a row to the next
  std::int64_t number_stride = 0;
  std::uint32_t dtype = POLYCODEC_DTYPE_FLOAT32;
  std::uint8_t byte_order = host_byte_order;
  /// NULL, or which vector each is: those of a mesh are shared by facets.
  const std::int32_t* indices = nullptr;

  /// Number k (0 to 2) of a vector of a row.
  double number(std::uint64_t row, std::uint64_t vector, std::uint64_t k) const noexcept {
    const std::byte* p = data + static_cast<std::int64_t>(k) * number_stride;
    if (indices == nullptr)
      p += static_cast<std::int64_t>(row) * row_stride +
           static_cast<std::int64_t>(vector) * vector_stride;
    else
      p += indices[3 * row + vector] * vector_stride;
    const std::endian order =
        byte_order == POLYCODEC_BIG_ENDIAN ? std::endian::big : std::endian::little;
    if (dtype == POLYCODEC_DTYPE_FLOAT32) return static_cast<double>(load<float>(p, order));
    return load<double>(p, order);
  }
  Point vector(std::uint64_t row, std::uint64_t which = 0) const noexcept {
    return {number(row, which, 0), number(row, which, 1), number(row, which, 2)};
  }
};

/// A part of the facets with a name.
struct Solid {
  std::string_view name;
  std::uint64_t facets = 0;
};

/// Where a value of this form has what others know as parts of a mesh.
constexpr MeshPaths paths_of_file() noexcept {
  MeshPaths paths;
  paths.set(MeshPart::positions, "$.facets");
  paths.set(MeshPart::objects, "$.solids");
  return paths;
}

/// All of a file. Not owning: the memory is of the input, of a value or of an arena.
struct Facets {
  std::uint64_t count = 0;
  Points normals;   ///< one vector a row; data is NULL where there are none
  Points vertices;  ///< three vectors a row
  /// The attribute of each facet, uint16 in little-endian order; data is NULL where all are 0.
  struct {
    const std::byte* data = nullptr;
    std::int64_t stride = 0;
    std::uint8_t byte_order = POLYCODEC_LITTLE_ENDIAN;
  } attributes;
  std::vector<Solid> solids;  ///< of an ascii file; their counts add up
  std::string_view header;    ///< the first 80 bytes of a binary file, or empty
  std::string_view block;     ///< the facets as a binary file has them, where they are in memory so
  bool ascii = false;         ///< the file was ascii
  bool is_binary = false;     ///< the file was binary
  MeshPaths paths = paths_of_file();  ///< where the value has them: positions are the facets

  std::uint16_t attribute(std::uint64_t i) const noexcept {
    if (attributes.data == nullptr) return 0;
    return load<std::uint16_t>(
        attributes.data + static_cast<std::int64_t>(i) * attributes.stride,
        attributes.byte_order == POLYCODEC_BIG_ENDIAN ? std::endian::big : std::endian::little);
  }
};

/// Of the attribute of a facet that has a color, as VisCAM writes it: five bits each of red, green
/// and blue are below.
inline constexpr std::uint16_t has_color = 0x8000;

/// The normal that the vertices of a facet give, of length 1; zeros where they are in line.
Point normal_of(const Point& a, const Point& b, const Point& c) noexcept;

/// The facets as a value. Columns are shared.
Node to_value(const Facets& facets, Builder& out);

/// The facets that a value is, columnar or as documents. Throws Error with the path of what does
/// not fit.
Facets from_value(const Call& call, View value, Builder& out);

}  // namespace polycodec::stl
