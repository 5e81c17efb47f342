// SPDX-License-Identifier: MIT
#include <model/mesh/parts.hpp>
#include <polycodec/quote.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::mesh {

namespace detail {

void scale_fractions(std::array<const polycodec_array*, 3>& columns, Builder& out) {
  bool bytes = true;
  bool above = false;
  for (const polycodec_array* column : columns) {
    const Numbers numbers(*column);
    for (std::uint64_t i = 0; i < numbers.size(); ++i) {
      const double value = numbers.real(i);
      bytes = bytes && value >= 0 && value <= 255 && value == std::floor(value);
      above = above || value > 1;
    }
  }
  for (const polycodec_array*& column : columns) {
    if (bytes && above)
      column = copy_column<std::uint8_t>(out, column);
    else if (is_integer(Numbers(*column).dtype()))
      column = copy_column<double>(out, column);
  }
}

const polycodec_array* color_bytes(Builder& out, const polycodec_array* column) {
  const Numbers from(*column);
  if (is_integer(from.dtype())) return column;
  auto* to = out.allocate<std::uint8_t>(from.size());
  for (std::uint64_t i = 0; i < from.size(); ++i) {
    const double value = from.real(i);
    if (!(value >= 0 && value <= 1)) return nullptr;
    const double byte = std::round(value * 255);
    if (static_cast<float>(byte / 255) != static_cast<float>(value)) return nullptr;
    to[i] = static_cast<std::uint8_t>(byte);
  }
  return out.vector(std::span<const std::uint8_t>(to, static_cast<std::size_t>(from.size())));
}

}  // namespace detail

const polycodec_array* strip_triangles(const polycodec_array& column, Builder& out,
                                       std::uint64_t& triangles) {
  const Lists lists(column);
  auto* const corners = out.allocate<std::int32_t>(3 * lists.total());
  std::int32_t* to = corners;
  for (std::uint64_t i = 0; i < lists.size(); ++i) {
    const Lists::Row row = lists.row(i);
    std::uint64_t length = 0;  // of the strip so far
    std::array<std::int32_t, 3> last{};
    for (std::uint64_t k = 0; k < row.count; ++k) {
      const std::int64_t index = lists.integer(row, k);
      if (index == -1) {
        length = 0;
        continue;
      }
      last = {last[1], last[2], static_cast<std::int32_t>(index)};
      if (++length < 3 || last[0] == last[1] || last[1] == last[2] || last[0] == last[2]) continue;
      std::array<std::int32_t, 3> triangle = last;
      if (length % 2 == 0) std::swap(triangle[0], triangle[1]);
      for (const std::int32_t corner : triangle) *to++ = corner;
    }
  }
  triangles = static_cast<std::uint64_t>(to - corners) / 3;
  const std::int64_t shape[] = {static_cast<std::int64_t>(triangles), 3};
  return out.ndarray(bytes_of(std::span(corners, static_cast<std::size_t>(3 * triangles))),
                     POLYCODEC_DTYPE_INT32, 4, shape);
}

void drop_small_faces(Mesh& m, Builder& out, Losses& losses) {
  if (m.face_positions == nullptr) return;
  const Lists positions(*m.face_positions);
  if (positions.all_have(3)) return;
  std::vector<std::uint64_t> kept;
  std::uint64_t small = 0;
  for (std::uint64_t i = 0; i < m.faces; ++i) {
    if (positions.row(i).count >= 3) {
      if (small != 0) kept.push_back(i);
    } else if (small++ == 0) {
      for (std::uint64_t k = 0; k < i; ++k) kept.push_back(k);
    }
  }
  if (small == 0) return;
  losses.add(std::string(m.paths[MeshPart::faces]),
             std::to_string(small) + " faces of fewer than three corners");
  const auto face = [&](std::uint64_t i) { return kept[static_cast<std::size_t>(i)]; };
  const auto corners_of = [&](Mesh::Column column) -> Mesh::Column {
    return column == nullptr ? nullptr : detail::copy_lists(out, Lists(*column), kept.size(), face);
  };
  const auto of_faces = [&](Mesh::Column column) -> Mesh::Column {
    if (column == nullptr) return nullptr;
    return detail::make_column<std::int32_t>(
        out, kept.size(), [&](std::uint64_t i) { return Numbers(*column).integer(face(i)); });
  };
  m.face_texcoords = corners_of(m.face_texcoords);
  m.face_normals = corners_of(m.face_normals);
  m.face_positions = corners_of(m.face_positions);
  m.face_materials = of_faces(m.face_materials);
  m.face_groups = of_faces(m.face_groups);
  m.face_objects = of_faces(m.face_objects);
  m.faces = kept.size();
}

namespace detail {

std::uint64_t unused_names(const std::vector<std::string>& names, const polycodec_array* numbers) {
  std::vector<bool> used(names.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    used[i] = names[i] == "material_" + std::to_string(i);
  if (numbers != nullptr) {
    const Numbers all(*numbers);
    for (std::uint64_t i = 0; i < all.size(); ++i)
      if (const std::int64_t number = all.integer(i); number >= 0)
        used[static_cast<std::size_t>(number)] = true;
  }
  return static_cast<std::uint64_t>(std::count(used.begin(), used.end(), false));
}

std::string lost_libraries(const std::vector<std::string>& libraries) {
  constexpr std::size_t named = 3;
  std::string names;
  for (std::size_t i = 0; i < libraries.size() && i < named; ++i)
    names += (i == 0 ? "" : ", ") + quote(libraries[i]);
  if (libraries.size() > named) names += ", ..";
  return (libraries.size() == 1 ? "the material library " : "the material libraries ") + names +
         ": colors and textures of materials";
}

Loss lost_comments(const std::vector<std::string>& comments, std::string_view path) {
  constexpr std::string_view keyword = "TextureFile ";
  for (const std::string& text : comments)
    if (text.starts_with(keyword))
      return {std::string(path),
              "comments with the texture " + quote(std::string_view(text).substr(keyword.size())),
              LossClass::data};
  return {std::string(path), "comments", LossClass::note};
}

void add_elsewhere(const Losses& found, const MeshPaths& paths, Losses& losses) {
  constexpr std::pair<std::string_view, MeshPart> parts[] = {{"$.vn", MeshPart::normals},
                                                             {"$.vt", MeshPart::texcoords},
                                                             {"$.v.red", MeshPart::colors},
                                                             {"$.v", MeshPart::positions},
                                                             {"$.f", MeshPart::faces},
                                                             {"$.l", MeshPart::edges},
                                                             {"$.statements", MeshPart::comments}};
  for (Loss loss : found.all()) {
    const auto part = std::ranges::find_if(
        parts, [&](const auto& known) { return loss.path.starts_with(known.first); });
    loss.path = part == std::end(parts) ? "$" : paths[part->second];
    losses.add(std::move(loss));
  }
}

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
