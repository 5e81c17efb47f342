// SPDX-License-Identifier: MIT
// Structures as dictionaries, in the forms that yggdrasil's Ply and ObjWavefront classes give and take: as_dict() has
// a list of records for each element, as_array_dict() a matrix of numbers.
#pragma once

#include <polycodec/checked.hpp>
#include <polycodec/loss.hpp>
#include <polycodec/mesh/mesh.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::mesh {

/// The name of an element for one of its other names: vertices, vertexes, faces, edges, comments.
constexpr std::string_view singular(std::string_view name) noexcept {
  if (name == "vertices" || name == "vertexes") return "vertex";
  if (name == "faces") return "face";
  if (name == "edges") return "edge";
  return name == "comments" ? "comment" : name;
}

namespace detail {

inline bool is_color(std::string_view name) noexcept {
  for (const std::string_view color : {"red", "green", "blue", "alpha", "r", "g", "b", "a"})
    if (name == color) return true;
  return false;
}

/// A matrix of the numbers that `at(row, column)` gives; NULL items are NaN. float64, or int32 (int64 where they do
/// not fit) if all are integers.
template <class At>
const polycodec_array* matrix(Builder& out, std::uint64_t rows, std::uint64_t width, bool real, bool wide,
                              const At& at) {
  std::uint64_t items = 0;
  if (!checked_mul(rows, width, items) || items > static_cast<std::uint64_t>(INT64_MAX))
    throw Error(Status::limit, "a matrix of " + std::to_string(rows) + " x " + std::to_string(width) + " numbers")
        .detail("mesh.limit");
  const std::int64_t shape[] = {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(width)};
  const auto fill = [&](auto zero) {
    using T = decltype(zero);
    auto* const values = out.allocate<T>(items);
    T* to = values;
    for (std::uint64_t i = 0; i < rows; ++i)
      for (std::uint64_t k = 0; k < width; ++k) *to++ = static_cast<T>(at(i, k));
    return out.ndarray(std::as_bytes(std::span(values, static_cast<std::size_t>(items))), dtype_of<T>, sizeof(T),
                       shape);
  };
  if (real) return fill(double{});
  return wide ? fill(std::int64_t{}) : fill(std::int32_t{});
}

/// The numbers of some columns side by side.
inline const polycodec_array* columns_matrix(Rows& rows, const std::vector<std::string>& names, Builder& out) {
  std::vector<Numbers> columns;
  bool real = false;
  bool wide = false;
  bool bytes = !names.empty();
  for (const std::string& name : names) {
    const polycodec_array* column = rows.numbers(name, false);
    const Numbers& numbers = columns.emplace_back(*column);
    real = real || !is_integer(numbers.dtype()) || column->form != POLYCODEC_FORM_NDARRAY;
    bytes = bytes && numbers.dtype() == POLYCODEC_UINT8 && is_color(name);
    wide = wide || numbers.dtype() == POLYCODEC_UINT32 || dtype_size(numbers.dtype()) == 8;
  }
  const auto at = [&](std::uint64_t row, std::uint64_t k) {
    const Numbers& column = columns[static_cast<std::size_t>(k)];
    return column.has(row) ? column.real(row) : std::numeric_limits<double>::quiet_NaN();
  };
  const polycodec_array* made = matrix(out, rows.size(), names.size(), real, wide, at);
  if (!bytes || real) return made;
  // Colours are bytes.
  const auto* from = static_cast<const std::int32_t*>(made->data);
  const std::uint64_t items = rows.size() * names.size();
  auto* to = out.allocate<std::uint8_t>(items);
  for (std::uint64_t i = 0; i < items; ++i) to[i] = static_cast<std::uint8_t>(from[i]);
  const std::int64_t shape[] = {static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(names.size())};
  return out.ndarray(std::as_bytes(std::span(to, static_cast<std::size_t>(items))), POLYCODEC_UINT8, 1, shape);
}

/// Lists as a matrix as wide as the longest; what others lack is -1, or NaN among floating-point numbers.
inline const polycodec_array* lists_matrix(const polycodec_array* column, Builder& out) {
  const Lists lists(*column);
  std::uint64_t width = 0;
  for (std::uint64_t i = 0; i < lists.size(); ++i) width = std::max(width, lists.row(i).count);
  const bool real = !is_integer(lists.dtype());
  const bool wide = lists.dtype() == POLYCODEC_UINT32 || dtype_size(lists.dtype()) == 8;
  const double lacking = real ? std::numeric_limits<double>::quiet_NaN() : -1;
  return matrix(out, lists.size(), width, real, wide && !real, [&](std::uint64_t i, std::uint64_t k) {
    const Lists::Row row = lists.row(i);
    return k < row.count ? lists.real(row, k) : lacking;
  });
}

}  // namespace detail

/// as_array_dict() of the members of as_dict(): numbers of an element side by side, colours apart as `NAME_colors`
/// (uint8 if they are), lists padded. An element with a list has no place for its other columns: `losses` hears of
/// them. Members that are no columns stay as they are.
inline std::vector<Member> array_dictionary(const std::vector<Member>& members, Builder& out, Losses& losses) {
  std::vector<Member> made;
  for (const Member& member : members) {
    const Item item(&member.value);
    if (item.array() == nullptr || item.size() == 0 || item.child(0).kind() != POLYCODEC_OBJECT) {
      made.push_back(member);
      continue;
    }
    const std::string path = "$." + std::string(member.name);
    Rows rows(item, path, out);
    std::vector<std::string> numbers;
    std::vector<std::string> colors;
    std::string list;
    for (const std::string& name : rows.names()) {
      Item first;
      for (std::uint64_t i = 0; i < rows.size() && first.is_null(); ++i) first = rows.member(i, name);
      if (!first.is_list()) (detail::is_color(name) ? colors : numbers).push_back(name);
      if (first.is_list() && list.empty()) list = name;
    }
    if (!list.empty()) {
      for (const std::string& name : rows.names())
        if (name != list) losses.add(path + "." + name, "a column beside a list");
      made.push_back({member.name, Builder::array(detail::lists_matrix(rows.number_lists(list), out))});
      continue;
    }
    made.push_back({member.name, Builder::array(detail::columns_matrix(rows, numbers, out))});
    if (colors.empty()) continue;
    made.push_back({out.copy_text(std::string(member.name) + "_colors"),
                    Builder::array(detail::columns_matrix(rows, colors, out))});
  }
  return made;
}

namespace detail {

class FromDictionary {
 public:
  FromDictionary(const Item& root, Builder& out) : root_(root), out_(out) {}

  polycodec_node run() {
    if (root_.kind() != POLYCODEC_OBJECT) fail("a dictionary is expected", "$");
    std::vector<Member> members;
    for (std::uint64_t i = 0; i < root_.size(); ++i) {
      const std::string_view name = singular(root_.name(i));
      if (name.ends_with("_colors") && root_.find(name.substr(0, name.size() - 7))) continue;
      if (name == "vertex_colors" || name == "edge_colors" || name == "face_colors") continue;
      const Item item = root_.child(i);
      members.push_back({name, is_matrix(item) ? Builder::array(element(name, item)) : node_of(item)});
    }
    return out_.object(std::span<const Member>(members));
  }

 private:
  [[noreturn]] static void fail(const std::string& message, const std::string& path) {
    throw Error(Status::type, message).detail("mesh.bad_member").path(path);
  }

  static bool is_matrix(const Item& item) {
    if (!item.is_list()) return false;
    if (const polycodec_array* array = item.array(); array != nullptr && array->form == POLYCODEC_FORM_NDARRAY)
      return array->ndim == 2;
    if (item.size() == 0 || !item.child(0).is_list()) return false;
    const Item first = item.child(0);
    return first.size() == 0 || first.child(0).is_integer() || first.child(0).kind() == POLYCODEC_REAL;
  }

  polycodec_node node_of(const Item& item) const {
    if (item.node() != nullptr) return *item.node();
    if (item.array() != nullptr) return Builder::array(item.array());
    fail("a dictionary is expected, not a row of a table", "$");
  }

  Item colors_of(std::string_view name) const {
    const std::string wanted = std::string(name) + "_colors";
    for (std::uint64_t i = 0; i < root_.size(); ++i)
      if (root_.name(i) == wanted) return root_.child(i);
    return Item();
  }

  // One column of a matrix that may be made of anything.
  const polycodec_array* column(const Item& rows, std::uint64_t k, const std::string& path) {
    const std::uint64_t n = rows.size();
    bool integers = true;
    bool bytes = true;
    auto* values = out_.allocate<double>(n);
    for (std::uint64_t i = 0; i < n; ++i) {
      const Item row = rows.child(i);
      if (k >= row.size()) fail("all rows of a matrix have one width", path + "[" + std::to_string(i) + "]");
      const Item item = row.child(k);
      values[i] = item.as_double();
      integers = integers && item.is_integer();
      bytes = bytes && item.dtype() == POLYCODEC_UINT8;
    }
    const polycodec_array* made = out_.vector(std::span<const double>(values, static_cast<std::size_t>(n)));
    if (n == 0 || !integers) return made;
    return bytes ? copy_column<std::uint8_t>(out_, made) : copy_column<std::int64_t>(out_, made);
  }

  const polycodec_array* element(std::string_view name, const Item& rows) {
    const std::string path = "$." + std::string(name);
    if (name == "face") return faces(rows, path);
    std::vector<std::string_view> names;
    const std::uint64_t width = rows.size() == 0 ? 0 : rows.child(0).size();
    if (name == "vertex") {
      names = {"x", "y", "z", "red", "green", "blue"};
      if (width == 4) names = {"x", "y", "z", "w"};
    } else if (name == "edge") {
      names = {"vertex1", "vertex2", "red", "green", "blue"};
    } else if (name == "vn") {
      names = {"i", "j", "k"};
    } else if (name == "vt" || name == "vp") {
      names = {"u", "v", "w"};
    } else {
      fail("no names are known for the columns of this matrix", path);
    }
    if (width > names.size()) fail("no names are known for " + std::to_string(width) + " columns", path);
    names.resize(static_cast<std::size_t>(width));
    std::vector<const polycodec_array*> columns;
    for (std::uint64_t k = 0; k < width; ++k) columns.push_back(column(rows, k, path));
    if (const Item colors = colors_of(name); colors.size() != 0) {
      if (colors.size() != rows.size()) fail("as many rows of colours as of " + std::string(name), path + "_colors");
      constexpr std::string_view parts[] = {"red", "green", "blue", "alpha"};
      for (std::uint64_t k = 0; k < std::min<std::uint64_t>(colors.child(0).size(), 4); ++k) {
        names.push_back(parts[k]);
        columns.push_back(column(colors, k, path + "_colors"));
      }
    }
    return out_.record(rows.size(), names, columns);
  }

  // Lists that end at the first number that says "lacking".
  const polycodec_array* faces(const Item& rows, const std::string& path) {
    auto* offsets = out_.allocate<std::uint64_t>(rows.size() + 1);
    offsets[0] = 0;
    std::vector<std::int32_t> corners;
    for (std::uint64_t i = 0; i < rows.size(); ++i) {
      const Item row = rows.child(i);
      for (std::uint64_t k = 0; k < row.size(); ++k) {
        const Item item = row.child(k);
        const double value = item.as_double();
        if (!(value >= 0)) break;
        if (value > INT32_MAX || value != static_cast<double>(static_cast<std::int64_t>(value)))
          fail("an index is an integer", path + "[" + std::to_string(i) + "]");
        corners.push_back(static_cast<std::int32_t>(value));
      }
      offsets[i + 1] = corners.size();
    }
    const std::span<const std::int32_t> kept(out_.store_all(std::span<const std::int32_t>(corners)), corners.size());
    const polycodec_array* lists = out_.list_offsets(
        std::span<const std::uint64_t>(offsets, static_cast<std::size_t>(rows.size() + 1)), out_.vector(kept));
    return out_.record(rows.size(), std::array<std::string_view, 1>{"vertex_index"}, {{lists}});
  }

  const Item& root_;
  Builder& out_;
};

}  // namespace detail

/// The elements that a dictionary of either form describes: names in the singular, matrices as records with the usual
/// names of columns. Throws Error(type, `mesh.bad_member`) with the path of what is neither.
inline polycodec_node from_dictionary(const Item& root, Builder& out) {
  return detail::FromDictionary(root, out).run();
}

}  // namespace polycodec::mesh
