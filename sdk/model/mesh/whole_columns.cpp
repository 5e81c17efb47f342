// SPDX-License-Identifier: MIT
#include <base/decimal.hpp>
#include <model/mesh/mesh.hpp>
#include <model/mesh/rows.hpp>
#include <model/mesh/whole_columns.hpp>

#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace polycodec::mesh::detail {

double color_fraction(std::uint8_t byte, ColorScale scale, bool single) {
  if (scale == ColorScale::byte) return byte;
  if (scale == ColorScale::double_fraction) return byte / 255.0;
  const float fraction = static_cast<float>(byte / 255.0);
  if (single) return static_cast<double>(fraction);
  // The number that the shortest digits of the float are.
  char text[max_decimal_size];
  double value = 0;
  parse_decimal(text, print_decimal(text, fraction), value);
  return value;
}

namespace {

using Column = WholeColumns::Column;

class Reader {
 public:
  Reader(const View& root, Builder& out, Losses& losses)
      : root_(root), out_(out), losses_(losses) {}

  WholeColumns run() {
    if (auto points = rows("v", row_v)) {
      c_.positions = required(*points, {"x", "y", "z"});
      c_.weights = with_gaps(*points, "w", "$.v.w");
      std::size_t i = 0;
      for (const char* name : {"red", "green", "blue"})
        c_.colors[i++] = with_gaps(*points, name, "$.v.red", &c_.color_gaps);
      if (c_.colors[0] == nullptr || c_.colors[1] == nullptr || c_.colors[2] == nullptr)
        c_.colors = {};
      c_.alpha = points->numbers("alpha", false);
      color_bytes();
    }
    if (auto points = rows("vt", row_vt))
      c_.textures = {points->numbers("u", true), with_gaps(*points, "v", "$.vt.v"),
                     with_gaps(*points, "w", "$.vt.w")};
    if (auto points = rows("vn", row_vn)) c_.normals = required(*points, {"i", "j", "k"});
    if (auto points = rows("vp", row_vp))
      c_.parameters = {points->numbers("u", true), with_gaps(*points, "v", "$.vp.v"),
                       with_gaps(*points, "w", "$.vp.w")};
    if (auto faces = rows("f", row_f)) {
      c_.face_positions = lists(*faces, "$.f");
      c_.face_textures = part_lists(*faces, c_.face_positions, "$.f", "vt", row_vt);
      c_.face_normals = part_lists(*faces, c_.face_positions, "$.f", "vn", row_vn);
    }
    if (auto lines = rows("l", row_l)) {
      c_.line_positions = lists(*lines, "$.l");
      c_.line_textures = part_lists(*lines, c_.line_positions, "$.l", "vt", row_vt);
    }
    if (auto points = rows("p", row_p)) c_.point_positions = lists(*points, "$.p");
    return c_;
  }

 private:
  std::optional<Rows> rows(const char* name, RowKind kind) {
    const auto found = root_.find(name);
    if (!found || found->size() == 0) return std::nullopt;
    c_.totals[kind] = found->size();
    return std::optional<Rows>(std::in_place, *found, std::string("$.") + name, out_, "obj");
  }

  static std::array<Column, 3> required(Rows& from, std::array<const char*, 3> names) {
    return {from.numbers(names[0], true), from.numbers(names[1], true),
            from.numbers(names[2], true)};
  }

  Column with_gaps(Rows& from, const char* name, std::string_view path, bool* gaps = nullptr) {
    const Column column = from.numbers(name, false);
    if (column == nullptr) return nullptr;
    const Numbers numbers(*column);
    bool any = false;
    bool all = true;
    bool no_number = false;
    for (std::uint64_t i = 0; i < numbers.size(); ++i) {
      const bool has = numbers.has(i);
      any = any || has;
      all = all && has;
      no_number = no_number || (has && std::isnan(numbers.real(i)));
    }
    if (!any) return nullptr;
    // The parts of a color have one path, and are reported once.
    if (no_number && std::exchange(reported_, path) != path)
      losses_.add(std::string(path), "numbers that are NaN, which says that there is no number");
    if (gaps != nullptr) *gaps = *gaps || !all || no_number;
    if (column->layout == POLYCODEC_LAYOUT_NDARRAY) return column;
    return make_column<double>(out_, numbers.size(), [&](std::uint64_t i) {
      return numbers.has(i) ? numbers.real(i) : std::numeric_limits<double>::quiet_NaN();
    });
  }

  Column lists(Rows& from, const char* path) {
    const Column column = from.lists("v", true);
    check_lists(column, c_.totals[row_v], false, path, "v", nullptr);
    return column;
  }

  // NULL where no corner has an index.
  Column part_lists(Rows& from, Column positions, const char* path, const char* name,
                    RowKind kind) {
    const Column column = from.lists(name, false);
    if (column == nullptr) return nullptr;
    check_lists(column, c_.totals[kind], true, path, name, nullptr);
    const Lists corners(*positions);
    const Lists parts(*column);
    bool any = false;
    for (std::uint64_t i = 0; i < parts.size(); ++i) {
      const Lists::Row row = parts.row(i);
      if (row.count != 0 && row.count != corners.row(i).count)
        from.fail(Status::invalid, "bad_corner", "the lists of a row have different lengths",
                  from.at(i, name));
      for (std::uint64_t k = 0; k < row.count && !any; ++k) any = parts.integer(row, k) >= 0;
    }
    return any ? column : nullptr;
  }

  // Colors as the bytes that they are fractions of, if all of them come back as they were.
  void color_bytes() {
    if (c_.colors[0] == nullptr || c_.color_gaps) return;
    for (const ColorScale scale :
         {ColorScale::single_fraction, ColorScale::double_fraction, ColorScale::byte}) {
      std::array<Column, 3> bytes{};
      std::size_t done = 0;
      while (done < 3 && (bytes[done] = bytes_of_scale(*c_.colors[done], scale)) != nullptr) ++done;
      if (done != 3) continue;
      c_.colors = bytes;
      c_.scale = scale;
      return;
    }
    for (Column& column : c_.colors)
      if (is_integer(Numbers(*column).dtype())) column = copy_column<double>(out_, column);
  }

  Column bytes_of_scale(const polycodec_array& column, ColorScale scale) {
    const Numbers from(column);
    double fractions[256];
    for (unsigned byte = 0; byte < 256; ++byte)
      fractions[byte] = color_fraction(static_cast<std::uint8_t>(byte), scale,
                                       from.dtype() == POLYCODEC_DTYPE_FLOAT32);
    auto* const to = out_.allocate<std::uint8_t>(from.size());
    for (std::uint64_t i = 0; i < from.size(); ++i) {
      const double value = from.real(i);
      const double byte = scale == ColorScale::byte ? value : std::round(value * 255);
      if (!(byte >= 0 && byte <= 255) || std::signbit(value)) return nullptr;
      to[i] = static_cast<std::uint8_t>(byte);
      if (fractions[to[i]] != value) return nullptr;
    }
    return out_.vector(std::span<const std::uint8_t>(to, static_cast<std::size_t>(from.size())));
  }

  const View& root_;
  Builder& out_;
  Losses& losses_;
  std::string_view reported_;  // the last path of numbers that are NaN
  WholeColumns c_;
};

}  // namespace

WholeColumns WholeColumns::from(const View& root, Builder& out, Losses& losses) {
  return Reader(root, out, losses).run();
}

}  // namespace polycodec::mesh::detail
