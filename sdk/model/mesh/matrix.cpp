// SPDX-License-Identifier: MIT
#include <base/checked.hpp>
#include <model/mesh/matrix.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::mesh {

namespace detail {

bool is_color(const Rows& rows, std::string_view name) {
  if (rows.has("red")) return name == "red" || name == "green" || name == "blue" || name == "alpha";
  return rows.has("r") && (name == "r" || name == "g" || name == "b" || name == "a");
}

std::vector<std::string_view> usual_columns(std::string_view element, std::uint64_t width) {
  std::vector<std::string_view> names;
  if (element == "vertex") {
    names = {"x", "y", "z", "red", "green", "blue"};
    if (width == 4) names = {"x", "y", "z", "w"};
  } else if (element == "edge") {
    names = {"vertex1", "vertex2", "red", "green", "blue"};
  } else if (element == "vn") {
    names = {"i", "j", "k"};
  } else if (element == "vt" || element == "vp") {
    names = {"u", "v", "w"};
  } else if (element.ends_with("_colors")) {
    names = {"red", "green", "blue", "alpha"};
  }
  if (width < names.size()) names.resize(static_cast<std::size_t>(width));
  return names;
}

const polycodec_array* columns_matrix(Rows& rows, const std::vector<std::string>& names,
                                      bool colors, Builder& out) {
  std::vector<Numbers> columns;
  bool real = false;
  bool wide = false;
  bool bytes = colors;
  for (const std::string& name : names) {
    const polycodec_array* column = rows.numbers(name, false);
    const Numbers& numbers = columns.emplace_back(*column);
    real = real || !is_integer(numbers.dtype()) || column->layout != POLYCODEC_LAYOUT_NDARRAY;
    bytes = bytes && numbers.dtype() == POLYCODEC_DTYPE_UINT8;
    wide = wide || numbers.dtype() == POLYCODEC_DTYPE_UINT32 || dtype_size(numbers.dtype()) == 8;
  }
  const auto at = [&](std::uint64_t row, std::uint64_t k) {
    const Numbers& column = columns[static_cast<std::size_t>(k)];
    return column.has(row) ? column.real(row) : std::numeric_limits<double>::quiet_NaN();
  };
  const polycodec_array* made = matrix(out, rows.size(), names.size(), real, wide, at);
  if (!bytes || real) return made;
  // Colors are bytes.
  const auto* from = static_cast<const std::int32_t*>(made->data);
  const std::uint64_t items = rows.size() * names.size();
  auto* to = out.allocate<std::uint8_t>(items);
  for (std::uint64_t i = 0; i < items; ++i) to[i] = static_cast<std::uint8_t>(from[i]);
  const std::int64_t shape[] = {static_cast<std::int64_t>(rows.size()),
                                static_cast<std::int64_t>(names.size())};
  return out.ndarray(bytes_of(std::span(to, static_cast<std::size_t>(items))),
                     POLYCODEC_DTYPE_UINT8, 1, shape);
}

const polycodec_array* lists_matrix(const polycodec_array* column, Builder& out) {
  const Lists lists(*column);
  std::uint64_t width = 0;
  for (std::uint64_t i = 0; i < lists.size(); ++i) width = std::max(width, lists.row(i).count);
  const bool real = !is_integer(lists.dtype());
  const bool wide = lists.dtype() == POLYCODEC_DTYPE_UINT32 || dtype_size(lists.dtype()) == 8;
  const double lacking = real ? std::numeric_limits<double>::quiet_NaN() : -1;
  return matrix(out, lists.size(), width, real, wide && !real,
                [&](std::uint64_t i, std::uint64_t k) {
                  const Lists::Row row = lists.row(i);
                  return k < row.count ? lists.real(row, k) : lacking;
                });
}

}  // namespace detail

}  // namespace polycodec::mesh
