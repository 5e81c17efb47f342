// SPDX-License-Identifier: MIT
// Parts of the conversions of meshes: colors, strips, small faces, matrices.
#pragma once

#include <model/loss.hpp>
#include <model/mesh/mesh.hpp>
#include <polycodec/checked.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::mesh {

namespace detail {

/// Colors of integers that are not bytes: bytes all the same if all are small enough, fractions of
/// what 16 bits hold.
template <std::size_t N>
void scale_colors(std::array<const polycodec_array*, N>& columns, Builder& out) {
  bool bytes = true;
  bool shorts = true;
  for (const polycodec_array* column : columns) {
    if (column == nullptr || !is_integer(Numbers(*column).dtype())) return;
    const Numbers numbers(*column);
    for (std::uint64_t i = 0; i < numbers.size(); ++i) {
      const std::int64_t value = numbers.integer(i);
      bytes = bytes && value >= 0 && value <= 255;
    }
    shorts = shorts && numbers.dtype() == POLYCODEC_DTYPE_UINT16;
  }
  for (const polycodec_array*& column : columns) {
    if (bytes && column->dtype != POLYCODEC_DTYPE_UINT8)
      column = copy_column<std::uint8_t>(out, column);
    if (bytes || !shorts) continue;
    const Numbers numbers(*column);
    column = make_column<double>(out, numbers.size(),
                                 [&](std::uint64_t i) { return numbers.real(i) / 65535; });
  }
}

/// Colors that should be fractions of one, where some programs write bytes: bytes if that is what
/// they must be.
void scale_fractions(std::array<const polycodec_array*, 3>& columns, Builder& out);

/// Colors as bytes, if each is a number that a byte of color becomes (in single or in double
/// precision).
const polycodec_array* color_bytes(Builder& out, const polycodec_array* column);

}  // namespace detail

/// The triangles of all strips in a column of lists, as a matrix of their corners; `triangles` is
/// how many there are. Every other triangle of a strip turns around, so that all face to the same
/// side; those that name a position twice, by which strips are stitched together, are left out.
/// Indices are not checked, and cut to 32 bits.
const polycodec_array* strip_triangles(const polycodec_array& column, Builder& out,
                                       std::uint64_t& triangles);

/// Leaves out all faces of fewer than three corners; `losses` hears how many they were.
void drop_small_faces(Mesh& m, Builder& out, Losses& losses);

namespace detail {

/// How many of these names no face has; `numbers` are those of the faces, or NULL. Names that a
/// file without names has (`material_3` of number 3) do not count.
std::uint64_t unused_names(const std::vector<std::string>& names, const polycodec_array* numbers);

/// What is lost with the names of material libraries.
std::string lost_libraries(const std::vector<std::string>& libraries);

/// What is lost with comments: a texture that one of them names is data.
Loss lost_comments(const std::vector<std::string>& comments, std::string_view path);

/// Adds losses of an OBJ value to those of the value that it was made of, which has its parts at
/// these paths.
void add_elsewhere(const Losses& found, const MeshPaths& paths, Losses& losses);

/// True if a column is a part of the colors that rows with these columns have.
bool is_color(const Rows& rows, std::string_view name);

/// The names of the columns of a matrix for an element, where nothing else is said; no more than
/// are known.
std::vector<std::string_view> usual_columns(std::string_view element, std::uint64_t width);

/// Attributes of a matrix: the names of its columns, or of the list that its rows are.
inline constexpr std::string_view columns_attribute = "mesh.columns";

inline constexpr std::string_view list_attribute = "mesh.list";

/// A matrix of the numbers that `at(row, column)` gives; NULL items are NaN. float64, or int32
/// (int64 where they do not fit) if all are integers.
template <class At>
const polycodec_array* matrix(Builder& out, std::uint64_t rows, std::uint64_t width, bool real,
                              bool wide, const At& at) {
  std::uint64_t items = 0;
  if (!checked_mul(rows, width, items) || items > static_cast<std::uint64_t>(INT64_MAX))
    throw Error(Status::limit,
                "a matrix of " + std::to_string(rows) + " x " + std::to_string(width) + " numbers")
        .detail("mesh.limit");
  const std::int64_t shape[] = {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(width)};
  const auto fill = [&](auto zero) {
    using T = decltype(zero);
    auto* const values = out.allocate<T>(items);
    T* to = values;
    for (std::uint64_t i = 0; i < rows; ++i)
      for (std::uint64_t k = 0; k < width; ++k) *to++ = static_cast<T>(at(i, k));
    return out.ndarray(bytes_of(std::span(values, static_cast<std::size_t>(items))), dtype_of<T>,
                       sizeof(T), shape);
  };
  if (real) return fill(double{});
  return wide ? fill(std::int64_t{}) : fill(std::int32_t{});
}

/// The numbers of some columns side by side.
const polycodec_array* columns_matrix(Rows& rows, const std::vector<std::string>& names,
                                      bool colors, Builder& out);

/// Lists as a matrix as wide as the longest; what others lack is -1, or NaN among floating-point
/// numbers.
const polycodec_array* lists_matrix(const polycodec_array* column, Builder& out);

}  // namespace detail

}  // namespace polycodec::mesh
