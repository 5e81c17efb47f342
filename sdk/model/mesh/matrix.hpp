// SPDX-License-Identifier: MIT
// Columns side by side as one matrix of numbers, and what its columns are called.
#pragma once

#include <base/checked.hpp>
#include <model/mesh/mesh.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::mesh {

namespace detail {

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
