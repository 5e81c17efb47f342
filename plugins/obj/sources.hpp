// SPDX-License-Identifier: MIT
// What is to be written, column by column, whatever the value is made of.
#pragma once

#include <polycodec/item.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::obj {

/// A column of floating-point numbers, some of which may be missing. Views the value or memory of Sources.
struct NumberColumn {
  const std::byte* data = nullptr;
  std::int64_t stride = 0;
  bool wide = true;  ///< float64, otherwise float32
  std::endian order = std::endian::native;
  const polycodec_array* option = nullptr;  ///< tells which rows have a number, or
  const std::uint8_t* present = nullptr;    ///< does; neither: all have
  double divisor = 1;                       ///< 255 for colours that were bytes
  int needs = -1;                           ///< the column without which a row cannot have this number

  bool has(std::uint64_t row) const noexcept {
    if (option != nullptr) return ArrayView(*option).is_present(row);
    return present == nullptr || present[row] != 0;
  }
  /// Writes the number and returns the end of the text.
  char* print(char* to, std::uint64_t row) const noexcept;
};

/// A column of lists of indices.
struct IndexColumn {
  const std::byte* data = nullptr;
  std::int64_t stride = 0;
  std::uint32_t dtype = POLYCODEC_INT32;
  std::endian order = std::endian::native;
  const polycodec_array* list = nullptr;   ///< a list form, or
  const std::uint64_t* offsets = nullptr;  ///< offsets, or neither:
  std::uint64_t length = 0;                ///< lists of one length ..
  std::int64_t row_stride = 0;             ///< .. that are so far apart

  struct Run {
    const std::byte* data;
    std::uint64_t count;
  };
  Run row(std::uint64_t i) const noexcept;
  /// Item `i` of a run.
  std::int64_t index(const Run& run, std::uint64_t i) const noexcept;
};

/// v, vt, vn or vp: columns, of which those before `required` are in every row and the others in groups that a row
/// has or has not.
struct PointSource {
  std::uint64_t rows = 0;
  std::vector<NumberColumn> columns;  ///< in the order in which they are written
};

/// f, l or p.
struct ElementSource {
  std::uint64_t rows = 0;
  bool has_textures = false;
  bool has_normals = false;
  IndexColumn vertices, textures, normals;
};

/// Everything that an OBJ file holds beside the statements of text.
struct Sources {
  PointSource vertices, textures, normals, parameters;
  ElementSource faces, lines, points;
  Item statements;  ///< null: there are none

  /// From the value of an OBJ file. `value` has been validated. Throws Error with the path of what does not fit.
  static Sources from_obj(const Item& value, bool weight_last);
  /// From elements vertex, face and edge, as PLY files have them. What OBJ cannot hold is named in `lost`.
  static Sources from_elements(const Item& value, std::vector<std::string>& lost);

  Sources() = default;
  Sources(Sources&&) = default;
  Sources& operator=(Sources&&) = default;

  // Memory of columns that had to be converted; addresses must not change.
  std::deque<std::vector<double>> doubles;
  std::deque<std::vector<std::uint8_t>> marks;
  std::deque<std::vector<std::int64_t>> indices;
  std::deque<std::vector<std::uint64_t>> offsets;
};

}  // namespace polycodec::obj
