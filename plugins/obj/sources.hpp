// SPDX-License-Identifier: MIT
// What is to be written, column by column, whatever the value is made of.
#pragma once

#include <model/loss.hpp>
#include <model/mesh/columns.hpp>
#include <polycodec/builder.hpp>
#include <polycodec/view.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace polycodec::obj {

/// A column of numbers, some of which may be missing. Views the value.
struct NumberColumn {
  mesh::Numbers numbers;
  int needs = -1;  ///< the column without which a row cannot have this number
};

/// v, vt, vn or vp: columns that every row has, and then those that come in groups which a row has
/// or has not.
struct PointSource {
  std::uint64_t rows = 0;
  std::vector<NumberColumn> columns;  ///< in the order in which they are written
};

/// f, l or p.
struct ElementSource {
  std::uint64_t rows = 0;
  bool has_textures = false;
  bool has_normals = false;
  mesh::Lists vertices, textures, normals;
};

/// Everything that an OBJ file holds beside the statements of text.
struct Sources {
  PointSource points[4];      ///< v, vt, vn, vp
  ElementSource elements[3];  ///< p, l, f
  View statements;            ///< null: there are none

  /// From the value of an OBJ file, which has been validated. What is not in columns is
  /// gathered with `out`. `losses` is notified of columns that OBJ has no place for. Throws Error
  /// with the path of what does not fit.
  static Sources from(const View& value, bool weight_last, Builder& out, Losses& losses);
};

}  // namespace polycodec::obj
