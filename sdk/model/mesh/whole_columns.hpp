// SPDX-License-Identifier: MIT
// The columns of an OBJ value, without gaps and with colors as bytes, for elements of a PLY file.
#pragma once

#include <model/loss.hpp>
#include <model/mesh/whole.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/view.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace polycodec::mesh::detail {

/// The kinds of rows, as row_codes has them.
enum RowKind : std::size_t { row_v, row_vt, row_vn, row_vp, row_p, row_l, row_f };

/// Views the value, or memory of the Builder. Columns that no row has are NULL; NaN stands where a
/// row lacks a number.
struct WholeColumns {
  using Column = const polycodec_array*;

  std::uint64_t totals[row_kinds] = {};
  std::array<Column, 3> positions{}, colors{}, normals{}, parameters{};
  std::array<Column, 3> textures{};  ///< u, v, w
  Column weights = nullptr;
  Column alpha = nullptr;
  // Lists of indices, which have been checked.
  Column face_positions = nullptr, face_textures = nullptr, face_normals = nullptr;
  Column line_positions = nullptr, line_textures = nullptr;
  Column point_positions = nullptr;
  ColorScale scale = ColorScale::single_fraction;
  bool color_gaps = false;  ///< some vertices have no color

  /// Throws Error with the path of what does not fit; `losses` is notified of numbers that are NaN.
  static WholeColumns from(const View& root, Builder& out, Losses& losses);
};

}  // namespace polycodec::mesh::detail
