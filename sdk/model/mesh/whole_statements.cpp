// SPDX-License-Identifier: MIT
// From elements that hold an OBJ value to that value.
#include <model/mesh/face_looks.hpp>
#include <model/mesh/mesh.hpp>
#include <model/mesh/rows.hpp>
#include <model/mesh/whole.hpp>
#include <model/mesh/whole_columns.hpp>
#include <polycodec/utf.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::mesh {
namespace {

using namespace detail;
using Column = const polycodec_array*;
using Indices = std::span<const std::int64_t>;

// Elements were changed by somebody: they do not fit each other.
struct Misfit {};

void need(bool fits) {
  if (!fits) throw Misfit();
}

class WholeReader {
 public:
  WholeReader(const View& root, Builder& out, Losses& losses)
      : root_(root), out_(out), losses_(losses) {}

  polycodec_node run() {
    const std::vector<HeaderLine> lines = lines_of(root_);
    for (const HeaderLine& line : lines) {
      if (!line.info || !line.text.starts_with(colors_line)) continue;
      scale_ = line.text.ends_with("255") ? ColorScale::byte : ColorScale::double_fraction;
    }
    vertices();
    faces();
    edges();
    points();
    parameters();
    for (std::uint64_t i = 0; i < root_.size(); ++i) {
      constexpr std::string_view known[] = {"vertex",    "face",          "edge",
                                            "obj_edge",  "obj_texcoord",  "obj_normal",
                                            "obj_point", "obj_parameter", "obj_statements"};
      const std::string_view name = root_.name(i);
      if (std::find(std::begin(known), std::end(known), name) == std::end(known) &&
          root_.child(i).size() != 0)
        losses_.add("$." + std::string(name), "an element that OBJ has no place for");
    }
    std::uint64_t all_rows = 0;
    for (const std::uint64_t total : totals_) all_rows += total;
    const auto said = statements_of(lines, all_rows);
    need(said.has_value());
    statements(*said);
    return out_.object(std::span<const Member>(members_));
  }

 private:
  // The statements, which count all rows.
  void statements(const std::vector<StatementLine>& all) {
    std::uint64_t counted[row_kinds] = {};
    std::string codes, texts;
    const auto n = static_cast<std::size_t>(all.size());
    auto* const counts = out_.allocate<std::uint64_t>(n);
    auto* const code_ends = out_.allocate<std::uint64_t>(n + 1);
    auto* const text_ends = out_.allocate<std::uint64_t>(n + 1);
    code_ends[0] = text_ends[0] = 0;
    bool readable = true;
    for (std::size_t i = 0; i < n; ++i) {
      if (const std::size_t kind = row_kind(all[i].code); kind != row_kinds) {
        need(all[i].count <= totals_[kind] - counted[kind]);
        counted[kind] += all[i].count;
      }
      counts[i] = all[i].count;
      code_ends[i + 1] = codes.append(all[i].code).size();
      text_ends[i + 1] = texts.append(all[i].text).size();
      readable = readable && is_utf8(all[i].code) && is_utf8(all[i].text);
    }
    need(std::equal(std::begin(counted), std::end(counted), std::begin(totals_)));
    const auto column = [&](const std::string& text, const std::uint64_t* ends) {
      const std::string_view kept = out_.copy_text(text);
      return out_.list_offsets(
          std::span<const std::uint64_t>(ends, n + 1),
          out_.vector(std::span<const std::uint8_t>(
              reinterpret_cast<const std::uint8_t*>(kept.data()), kept.size())),
          readable ? POLYCODEC_ARRAY_STRING : POLYCODEC_ARRAY_BINARY);
    };
    begin();
    add("code", column(codes, code_ends));
    add("count", out_.vector(std::span<const std::uint64_t>(counts, n)));
    add("text", column(texts, text_ends));
    members_.push_back(member("statements", n));
  }

  // The rows of an element, whose other columns than these are losses.
  std::optional<Rows> rows(const char* name, std::initializer_list<std::string_view> known) {
    const auto found = root_.find(name);
    if (!found || found->size() == 0) return std::nullopt;
    std::optional<Rows> made(std::in_place, *found, std::string("$.") + name, out_);
    for (const std::string& column : made->names())
      if (std::find(known.begin(), known.end(), column) == known.end())
        losses_.add(std::string("$.") + name + "." + column,
                    "a property that OBJ has no place for");
    return made;
  }

  // Memory of the value, which may be larger than that of the machine.
  std::span<std::int64_t> column(std::uint64_t rows) const {
    return {out_.allocate<std::int64_t>(rows), static_cast<std::size_t>(rows)};
  }

  // A column of indices below `count`, or -1; each row its own number where there is no column.
  Indices index(Rows& from, const char* name, std::uint64_t count) const {
    const std::span made = column(from.size());
    const Column given = from.has(name) ? from.indices(name) : nullptr;
    for (std::size_t i = 0; i < made.size(); ++i) {
      made[i] = given == nullptr ? static_cast<std::int64_t>(i) : Numbers(*given).integer(i);
      need(made[i] >= -1 && (made[i] < 0 || static_cast<std::uint64_t>(made[i]) < count));
    }
    return made;
  }

  void vertices() {
    auto found = rows("vertex", {"x", "y", "z", "nx", "ny", "nz", "s", "t", "texture_w", "red",
                                 "green", "blue", "w", "obj_v", "obj_vt", "obj_vn"});
    if (!found) {
      points_table("vt", {}, "obj_texcoord", "obj_vt", {"s", "t", "texture_w"}, {"u", "v", "w"});
      points_table("vn", {}, "obj_normal", "obj_vn", {"nx", "ny", "nz"}, {"i", "j", "k"});
      return;
    }
    Rows& all = *found;
    position_ = index(all, "obj_v", all.size());
    // Positions come first, each as its own number.
    while (totals_[row_v] < position_.size() &&
           position_[static_cast<std::size_t>(totals_[row_v])] ==
               static_cast<std::int64_t>(totals_[row_v]))
      ++totals_[row_v];
    const auto total = static_cast<std::int64_t>(totals_[row_v]);
    need(std::all_of(position_.begin(), position_.end(),
                     [&](std::int64_t i) { return i >= 0 && i < total; }));
    begin();
    for (const char* name : {"x", "y", "z"}) add(name, first_rows(all.numbers(name, true)));
    if (all.has("w")) add("w", with_gaps(first_rows(all.numbers("w", true))));
    if (all.has("red") && all.has("green") && all.has("blue"))
      for (const char* name : {"red", "green", "blue"}) add(name, color(all.numbers(name, true)));
    members_.push_back(member("v", totals_[row_v]));
    texcoord_ = points_table("vt", found, "obj_texcoord", "obj_vt", {"s", "t", "texture_w"},
                             {"u", "v", "w"});
    normal_ =
        points_table("vn", found, "obj_normal", "obj_vn", {"nx", "ny", "nz"}, {"i", "j", "k"});
  }

  Column first_rows(Column column) {
    if (Mesh::count(column) == totals_[row_v]) return column;
    return pick(
        column, [](std::uint64_t i) { return i; }, totals_[row_v]);
  }
  template <class Row>
  Column pick(Column column, const Row& row, std::uint64_t n) {
    const Numbers from(*column);
    const auto copy = [&](auto zero) -> Column {
      using T = decltype(zero);
      return make_column<T>(out_, n, [&](std::uint64_t i) {
        return load_number<T>(from.at(row(i)), from.dtype(), from.order());
      });
    };
    if (from.dtype() == POLYCODEC_DTYPE_UINT8) return copy(std::uint8_t{});
    return from.dtype() == POLYCODEC_DTYPE_FLOAT32 ? copy(float{}) : copy(double{});
  }

  Column color(Column column) {
    column = first_rows(column);
    const Numbers from(*column);
    if (from.dtype() != POLYCODEC_DTYPE_UINT8) return with_gaps(column);
    return make_column<double>(out_, from.size(), [&](std::uint64_t i) {
      return color_fraction(static_cast<std::uint8_t>(from.integer(i)), scale_, false);
    });
  }

  // An option where numbers are NaN.
  Column with_gaps(Column column) {
    const Numbers from(*column);
    auto* const present = out_.allocate<std::uint8_t>(from.size());
    bool all = true;
    for (std::uint64_t i = 0; i < from.size(); ++i) {
      present[i] = std::isnan(from.real(i)) ? 0 : 1;
      all = all && present[i] != 0;
    }
    if (all) return column;
    polycodec_array* option =
        out_.with_children(POLYCODEC_LAYOUT_OPTION_BYTES, from.size(), {{column}});
    option->index = Builder::column(
        std::span<const std::uint8_t>(present, static_cast<std::size_t>(from.size())));
    option->flags = POLYCODEC_ARRAY_MASK_VALID;
    return option;
  }

  // vt or vn: what vertices have of them, and those that no vertex has. Returns the number that
  // each vertex has.
  Indices points_table(const char* code, std::optional<Rows> of_vertices, const char* element_name,
                       const char* index_name, std::array<const char*, 3> from,
                       std::array<std::string_view, 3> to) {
    auto others = rows(element_name, {index_name, from[0], from[1], from[2]});
    const bool on_vertices = of_vertices && of_vertices->has(from[0]);
    Indices numbers;
    if (of_vertices) {
      // More rows than all of both there cannot be.
      const std::uint64_t most = of_vertices->size() + (others ? others->size() : 0);
      if (on_vertices) {
        numbers = index(*of_vertices, index_name, most);
      } else {
        const std::span none = column(of_vertices->size());
        std::ranges::fill(none, -1);
        numbers = none;
      }
    }
    const Indices extra =
        others ? index(*others, index_name, numbers.size() + others->size()) : Indices();
    std::int64_t greatest = -1;
    for (const std::int64_t i : numbers) greatest = std::max(greatest, i);
    for (const std::int64_t i : extra) greatest = std::max(greatest, i);
    const auto total = static_cast<std::uint64_t>(greatest + 1);
    if (total == 0) return numbers;
    // Where each row is: in the vertices, or after them in the others.
    const std::span place = column(total);
    std::ranges::fill(place, -1);
    for (std::size_t i = numbers.size(); i-- != 0;)
      if (numbers[i] >= 0)
        place[static_cast<std::size_t>(numbers[i])] = static_cast<std::int64_t>(i);
    for (std::size_t i = 0; i < extra.size(); ++i)
      if (extra[i] >= 0)
        place[static_cast<std::size_t>(extra[i])] = static_cast<std::int64_t>(i + numbers.size());
    need(std::find(place.begin(), place.end(), -1) == place.end());
    begin();
    for (std::size_t k = 0; k < 3; ++k) {
      const bool here = on_vertices && of_vertices->has(from[k]);
      const bool there = others && others->has(from[k]);
      if (!here && !there) continue;
      const Column first = here ? of_vertices->numbers(from[k], true) : nullptr;
      const Column second = there ? others->numbers(from[k], true) : nullptr;
      // Only the numbers after the first of a texture coordinate may be absent in an OBJ file.
      const Column column = joined(first, second, place, numbers.size());
      add(to[k], to[0] == "u" && k != 0 ? with_gaps(column) : column);
    }
    totals_[row_kind(code)] = total;
    members_.push_back(member(code, total));
    return numbers;
  }

  Column joined(Column first, Column second, Indices place, std::uint64_t behind) {
    const auto copy = [&](auto zero) -> Column {
      using T = decltype(zero);
      return make_column<T>(out_, place.size(), [&](std::uint64_t i) {
        auto at = static_cast<std::uint64_t>(place[static_cast<std::size_t>(i)]);
        const bool extra = at >= behind;
        need((extra ? second : first) != nullptr);
        const Numbers from(extra ? *second : *first);
        at -= extra ? behind : 0;
        return load_number<T>(from.at(at), from.dtype(), from.order());
      });
    };
    const auto single = [](Column column) {
      return column == nullptr || Numbers(*column).dtype() == POLYCODEC_DTYPE_FLOAT32;
    };
    return single(first) && single(second) ? copy(float{}) : copy(double{});
  }

  void faces() {
    // What faces look like is for those who ask for it, or in the library: an OBJ file has no
    // place for it.
    const bool has_looks = has_face_looks(root_) || names_library(root_);
    auto found = has_looks ? rows("face", {"vertex_indices", "material_index", "red", "green",
                                           "blue", "alpha", "texnumber"})
                           : rows("face", {"vertex_indices", "material_index"});
    if (!found) return;
    totals_[row_f] = found->size();
    const Column corners = found->lists("vertex_indices", true);
    check_lists(corners, position_.size(), false, "$.face", "vertex_indices", nullptr);
    begin();
    add("v", numbered(corners, position_));
    if (totals_[row_vt] != 0) add("vt", numbered(corners, texcoord_));
    if (totals_[row_vn] != 0) add("vn", numbered(corners, normal_));
    members_.push_back(member("f", totals_[row_f]));
  }
  // What the vertices of corners have.
  Column numbered(Column corners, Indices numbers) {
    const Lists from(*corners);
    auto* offsets = out_.allocate<std::uint64_t>(from.size() + 1);
    auto* values = out_.allocate<std::int32_t>(from.total());
    offsets[0] = 0;
    for (std::uint64_t i = 0; i < from.size(); ++i) {
      const Lists::Row row = from.row(i);
      for (std::uint64_t k = 0; k < row.count; ++k)
        values[offsets[i] + k] =
            static_cast<std::int32_t>(numbers[static_cast<std::size_t>(from.integer(row, k))]);
      offsets[i + 1] = offsets[i] + row.count;
    }
    return list_column(out_, from.size(), offsets, static_cast<const std::int32_t*>(values));
  }

  void edges() {
    auto found = rows("edge", {"vertex1", "vertex2"});
    if (!found) return;
    const Indices first = index(*found, "vertex1", totals_[row_v]);
    const Indices second = index(*found, "vertex2", totals_[row_v]);
    auto more = rows("obj_edge", {"obj_l", "obj_vt1", "obj_vt2"});
    need(!more || more->size() == first.size());
    const Indices line = index(more ? *more : *found, "obj_l", first.size());
    const bool textured = more && more->has("obj_vt1") && more->has("obj_vt2");
    Indices from, to;
    if (textured) {
      from = index(*more, "obj_vt1", totals_[row_vt]);
      to = index(*more, "obj_vt2", totals_[row_vt]);
    }
    std::vector<std::uint64_t> offsets{0};
    std::vector<std::int32_t> corners, textures;
    const auto corner = [&](std::int64_t vertex, std::int64_t texture) {
      need(vertex >= 0);
      corners.push_back(static_cast<std::int32_t>(vertex));
      textures.push_back(static_cast<std::int32_t>(texture));
    };
    for (std::size_t i = 0; i < first.size(); ++i) {
      const bool follows = i != 0 && line[i] == line[i - 1];
      if (follows)
        need(first[i] == second[i - 1] && (!textured || from[i] == to[i - 1]));
      else
        corner(first[i], textured ? from[i] : -1);
      if (!follows && i != 0) offsets.push_back(corners.size() - 1);
      corner(second[i], textured ? to[i] : -1);
    }
    offsets.push_back(corners.size());
    totals_[row_l] = offsets.size() - 1;
    begin();
    add("v", lists(offsets, corners));
    if (textured) add("vt", lists(offsets, textures));
    members_.push_back(member("l", totals_[row_l]));
  }

  void points() {
    auto found = rows("obj_point", {"vertex_index", "obj_p"});
    if (!found) return;
    const Indices vertex = index(*found, "vertex_index", totals_[row_v]);
    const Indices statement = index(*found, "obj_p", found->size());
    std::vector<std::uint64_t> offsets{0};
    std::vector<std::int32_t> corners;
    for (std::size_t i = 0; i < vertex.size(); ++i) {
      need(vertex[i] >= 0);
      if (i != 0 && statement[i] != statement[i - 1]) offsets.push_back(corners.size());
      corners.push_back(static_cast<std::int32_t>(vertex[i]));
    }
    offsets.push_back(corners.size());
    totals_[row_p] = offsets.size() - 1;
    begin();
    add("v", lists(offsets, corners));
    members_.push_back(member("p", totals_[row_p]));
  }

  Column lists(const std::vector<std::uint64_t>& offsets, const std::vector<std::int32_t>& values) {
    auto* const starts = out_.allocate<std::uint64_t>(offsets.size());
    auto* const numbers = out_.allocate<std::int32_t>(values.size());
    std::copy(offsets.begin(), offsets.end(), starts);
    std::copy(values.begin(), values.end(), numbers);
    return list_column(out_, offsets.size() - 1, starts, static_cast<const std::int32_t*>(numbers));
  }

  void parameters() {
    auto found = rows("obj_parameter", {"u", "v", "w"});
    if (!found) return;
    totals_[row_vp] = found->size();
    begin();
    add("u", found->numbers("u", true));
    for (const char* name : {"v", "w"})
      if (found->has(name)) add(name, with_gaps(found->numbers(name, true)));
    members_.push_back(member("vp", totals_[row_vp]));
  }

  void begin() {
    names_.clear();
    columns_.clear();
  }
  void add(std::string_view name, Column column) {
    names_.push_back(name);
    columns_.push_back(column);
  }
  Member member(std::string_view name, std::uint64_t rows) {
    return {name, Builder::array(out_.record(rows, names_, columns_))};
  }

  const View& root_;
  Builder& out_;
  Losses& losses_;
  ColorScale scale_ = ColorScale::single_fraction;
  std::uint64_t totals_[row_kinds] = {};
  Indices position_, texcoord_, normal_;  // of each vertex
  std::vector<Member> members_;
  std::vector<std::string_view> names_;
  std::vector<Column> columns_;
};

}  // namespace

bool holds_statements(const View& root) {
  if (root.kind() != POLYCODEC_KIND_OBJECT || !root.find("vertex")) return false;
  if (root.find("obj_statements")) return true;
  for (const HeaderLine& line : lines_of(root))
    if (line.info && (line.text.starts_with(rows_line) || line.text.starts_with(text_line)))
      return true;
  return false;
}

std::optional<polycodec_node> elements_to_statements(const View& root, Builder& out,
                                                     Losses& losses) {
  Losses found;
  try {
    const polycodec_node made = WholeReader(root, out, found).run();
    for (const Loss& loss : found.all()) losses.add(loss);
    return made;
  } catch (const Misfit&) {
    return std::nullopt;
  }
}

}  // namespace polycodec::mesh
