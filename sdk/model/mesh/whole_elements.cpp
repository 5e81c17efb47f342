// SPDX-License-Identifier: MIT
// From an OBJ value to elements of a PLY file.
#include <base/decimal.hpp>
#include <base/seeded_hash.hpp>
#include <model/mesh/corners.hpp>
#include <model/mesh/parts.hpp>
#include <model/mesh/whole.hpp>
#include <model/mesh/whole_columns.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::mesh {
namespace {

using namespace detail;
using Column = const polycodec_array*;

// Headers of PLY files are bounded; longer lines become an element of bytes.
constexpr std::size_t most_header_text = std::size_t{256} << 10;

// The number that a PLY file without names calls a material by; -1 for another name.
std::int64_t material_number(std::string_view text) {
  constexpr std::string_view name = "material_";
  if (!text.starts_with(name)) return -1;
  text.remove_prefix(name.size());
  std::int64_t number = -1;
  const DecimalEnd read = parse_decimal(text.data(), text.data() + text.size(), number);
  const bool good = read.status == DecimalStatus::ok && number >= 0 && number < 65536 &&
                    std::to_string(number) == text;
  return good ? number : -1;
}

// Indices that count corners: each face has as many as corners, or none.
bool counts_corners(Column column, Column positions, std::uint64_t total) {
  if (column == nullptr) return false;
  const Lists lists(*column);
  const Lists corners(*positions);
  std::int64_t next = 0;
  for (std::uint64_t i = 0; i < lists.size(); ++i) {
    const Lists::Row row = lists.row(i);
    bool none = true;
    for (std::uint64_t k = 0; k < row.count; ++k) none = none && lists.integer(row, k) < 0;
    for (std::uint64_t k = 0; k < row.count && !none; ++k)
      if (lists.integer(row, k) != next++) return false;
  }
  return static_cast<std::uint64_t>(next) == total;
}

class WholeWriter {
 public:
  WholeWriter(const View& root, Builder& out, Losses& losses, const FaceColumns& more)
      : root_(root),
        out_(out),
        losses_(losses),
        more_(more),
        c_(WholeColumns::from(root, out, losses)) {
    for (const std::string& text : more.textures) textures_.push_back({false, text});
  }

  polycodec_node run() {
    lines_ = statement_lines(root_, c_.totals);
    for (const StatementLine& line : lines_)
      if (line.text.find_first_of("\r\n") != std::string::npos) {
        losses_.add("$.statements", "newlines in statements");
        break;
      }
    number_materials();
    check_parsed_materials();
    split_ = split(c_.face_textures, c_.totals[row_vt]);
    if (is_usual_order() && is_usual_shape()) {
      if (has_usual_vertices()) return usual();
      if (counts_corners(c_.face_textures, c_.face_positions, c_.totals[row_vt])) {
        SplitVertices without = split(nullptr, 0);
        std::swap(split_, without);
        if (has_usual_vertices()) return usual(texcoord_lists());
        std::swap(split_, without);
      }
    }
    return whole();
  }

 private:
  SplitVertices split(Column textures, std::uint64_t count) const {
    return split_corners(c_.totals[row_f], c_.face_positions, textures, c_.face_normals,
                         c_.totals[row_v], count, c_.totals[row_vn], out_);
  }

  // What programs know without our columns and lines.

  // True if the statements are in the order in which meshes are written, with no others.
  bool is_usual_order() const {
    const std::vector<HeaderLine> said = header_lines(lines_);
    std::size_t at = 0;
    for (; at < lines_.size() && lines_[at].code == "#"; ++at)
      if (said[at].info && said[at].text.starts_with(text_line)) return false;
    for (const RowKind kind : {row_v, row_vt, row_vn, row_l}) {
      if (c_.totals[kind] == 0) continue;
      if (at == lines_.size() || lines_[at].code != row_codes[kind] ||
          lines_[at].count != c_.totals[kind])
        return false;
      ++at;
    }
    std::string_view material;
    for (; at < lines_.size(); ++at) {
      if (lines_[at].code == "usemtl") {
        if (lines_[at].text == material || at + 1 == lines_.size()) return false;
        material = lines_[at].text;
        if (!material.empty() && material_number(material) < 0) return false;
        ++at;
      }
      if (lines_[at].code != "f") return false;
    }
    return true;
  }
  bool is_usual_shape() const {
    if (c_.weights != nullptr || c_.textures[2] != nullptr || c_.color_gaps ||
        c_.scale != ColorScale::single_fraction ||
        (c_.totals[row_vt] != 0 && c_.textures[1] == nullptr))
      return false;
    if (c_.line_positions == nullptr) return true;
    const Lists lines(*c_.line_positions);
    for (std::uint64_t i = 0; i < lines.size(); ++i)
      if (lines.row(i).count != 2) return false;
    return c_.line_textures == nullptr;
  }
  bool has_usual_vertices() const {
    return split_.is_plain() && split_.all_texcoords && split_.all_normals;
  }

  polycodec_node usual(Column texcoords = nullptr) {
    vertices(texcoords == nullptr);
    faces(texcoords);
    edges();
    polycodec_node root = out_.object(std::span<const Member>(members_));
    const std::vector<HeaderLine> said = comments();
    return said.empty() ? root : annotated(root, said);
  }
  std::vector<HeaderLine> comments() const {
    std::vector<HeaderLine> said = textures_;
    for (const HeaderLine& line : header_lines(lines_))
      if (!line.info || !(line.text.starts_with(rows_line) || line.text.starts_with(text_line)))
        said.push_back(line);
    return said;
  }
  polycodec_node annotated(const polycodec_node& root, const std::vector<HeaderLine>& said) {
    return out_.annotated(root, out_.object({{"comments", comments_node(said, out_)}}));
  }

  // Everything, with our columns and lines.

  polycodec_node whole() {
    vertices(true);
    add_index("obj_v", split_.position, split_.is_plain());
    add_index("obj_vt", split_.texcoord, split_.all_texcoords);
    add_index("obj_vn", split_.normal, split_.all_normals);
    members_.back() = element("vertex", split_.size);
    faces(nullptr);
    edges();
    unused("obj_texcoord", "obj_vt", split_.texcoord, split_.all_texcoords ? 0 : c_.totals[row_vt],
           {{{"s", c_.textures[0]}, {"t", c_.textures[1]}, {"texture_w", c_.textures[2]}}});
    unused("obj_normal", "obj_vn", split_.normal, split_.all_normals ? 0 : c_.totals[row_vn],
           {{{"nx", c_.normals[0]}, {"ny", c_.normals[1]}, {"nz", c_.normals[2]}}});
    points();
    if (c_.totals[row_vp] != 0) {
      begin_element();
      for (std::size_t i = 0; i < 3; ++i)
        add(std::array<std::string_view, 3>{"u", "v", "w"}[i], c_.parameters[i]);
      members_.push_back(element("obj_parameter", c_.totals[row_vp]));
    }
    std::vector<HeaderLine> said = textures_;
    if (c_.scale != ColorScale::single_fraction)
      said.push_back(
          {true, std::string(colors_line) + (c_.scale == ColorScale::byte ? " 255" : " double")});
    // Without any statement, this line says that columns are ours.
    if (lines_.empty()) said.push_back({true, std::string(rows_line)});
    for (HeaderLine& line : header_lines(lines_)) said.push_back(std::move(line));
    std::size_t size = 0;
    for (const HeaderLine& line : said) size += line.text.size() + 16;
    if (size > most_header_text) return bytes_of_lines(said);
    return annotated(out_.object(std::span<const Member>(members_)), said);
  }

  polycodec_node bytes_of_lines(const std::vector<HeaderLine>& said) {
    std::string text;
    for (const HeaderLine& line : said)
      text.append(line.info ? "obj_info " : "comment ").append(line.text).append("\n");
    const std::string_view kept = out_.copy_text(text);
    begin_element();
    add("byte", out_.vector(std::span<const std::uint8_t>(
                    reinterpret_cast<const std::uint8_t*>(kept.data()), kept.size())));
    members_.push_back(element("obj_statements", kept.size()));
    return out_.object(std::span<const Member>(members_));
  }

  // Columns of the element that is being made.

  void add(std::string_view name, Column column) {
    if (column == nullptr) return;
    names_.push_back(name);
    columns_.push_back(column);
  }
  void add_index(std::string_view name, std::span<const std::int32_t> index, bool counts) {
    if (!counts) add(name, out_.vector(index));
  }
  Column copied(const std::vector<std::int32_t>& numbers) {
    auto* to = out_.allocate<std::int32_t>(numbers.size());
    std::copy(numbers.begin(), numbers.end(), to);
    return out_.vector(std::span<const std::int32_t>(to, numbers.size()));
  }
  Member element(std::string_view name, std::uint64_t rows) {
    return {name, Builder::array(out_.record(rows, names_, columns_))};
  }
  void begin_element() {
    names_.clear();
    columns_.clear();
  }

  // Rows of a column by number; zero for -1.
  Column select(Column column, std::span<const std::int32_t> rows) {
    if (column == nullptr) return nullptr;
    const Numbers from(*column);
    const auto copy = [&](auto zero) -> Column {
      using T = decltype(zero);
      return make_column<T>(out_, rows.size(), [&](std::uint64_t i) {
        const std::int32_t row = rows[static_cast<std::size_t>(i)];
        return row < 0 ? T{}
                       : load_number<T>(from.at(static_cast<std::uint64_t>(row)), from.dtype(),
                                        from.order());
      });
    };
    if (from.dtype() == POLYCODEC_DTYPE_UINT8) return copy(std::uint8_t{});
    return from.dtype() == POLYCODEC_DTYPE_FLOAT32 ? copy(float{}) : copy(double{});
  }

  void vertices(bool with_texcoords) {
    begin_element();
    const auto of_position = [&](std::string_view name, Column column) {
      add(name, split_.is_plain() ? column : select(column, split_.position));
    };
    if (c_.totals[row_v] == 0) c_.positions.fill(out_.vector(std::span<const double>()));
    for (std::size_t i = 0; i < 3; ++i)
      of_position(std::array<std::string_view, 3>{"x", "y", "z"}[i], c_.positions[i]);
    for (std::size_t i = 0; i < 3; ++i)
      add(std::array<std::string_view, 3>{"nx", "ny", "nz"}[i],
          split_.all_normals ? c_.normals[i] : select(c_.normals[i], split_.normal));
    for (std::size_t i = 0; i < 3 && with_texcoords; ++i)
      add(std::array<std::string_view, 3>{"s", "t", "texture_w"}[i],
          split_.all_texcoords ? c_.textures[i] : select(c_.textures[i], split_.texcoord));
    for (std::size_t i = 0; i < 3; ++i)
      of_position(std::array<std::string_view, 3>{"red", "green", "blue"}[i], c_.colors[i]);
    of_position("alpha", c_.alpha);
    of_position("w", c_.weights);
    members_.push_back(element("vertex", split_.size));
  }

  void faces(Column texcoords) {
    const std::uint64_t rows = c_.totals[row_f];
    if (rows == 0) return;
    begin_element();
    Column corners = c_.face_positions;
    if (!split_.is_plain()) {
      const Lists from(*corners);
      auto* offsets = out_.allocate<std::uint64_t>(rows + 1);
      offsets[0] = 0;
      for (std::uint64_t i = 0; i < rows; ++i) offsets[i + 1] = offsets[i] + from.row(i).count;
      corners = list_column(out_, rows, offsets, split_.corners.data());
    }
    add("vertex_indices", corners);
    add("texcoord", texcoords);
    add("material_index", materials_);
    for (std::size_t i = 0; i < more_.names.size(); ++i) add(more_.names[i], more_.columns[i]);
    members_.push_back(element("face", rows));
  }

  Column texcoord_lists() {
    const Lists lists(*c_.face_textures);
    const Numbers uv[] = {Numbers(*c_.textures[0]), Numbers(*c_.textures[1])};
    const auto make = [&](auto zero) -> Column {
      using T = decltype(zero);
      auto* values = out_.allocate<T>(2 * c_.totals[row_vt]);
      auto* offsets = out_.allocate<std::uint64_t>(c_.totals[row_f] + 1);
      std::uint64_t used = 0;
      for (std::uint64_t i = 0; i < lists.size(); ++i) {
        offsets[i] = 2 * used;
        const Lists::Row row = lists.row(i);
        if (row.count == 0 || lists.integer(row, 0) < 0) continue;
        for (std::uint64_t k = 0; k < row.count; ++k, ++used)
          for (std::size_t axis = 0; axis < 2; ++axis)
            values[2 * used + axis] = static_cast<T>(uv[axis].real(used));
      }
      offsets[lists.size()] = 2 * used;
      return list_column(out_, c_.totals[row_f], offsets, static_cast<const T*>(values));
    };
    return uv[0].dtype() == POLYCODEC_DTYPE_FLOAT32 && uv[1].dtype() == POLYCODEC_DTYPE_FLOAT32
               ? make(float{})
               : make(double{});
  }

  // Each line as its edges, with the number of the line where one has several.
  void edges() {
    if (c_.totals[row_l] == 0) return;
    begin_element();
    const Lists lines(*c_.line_positions);
    std::vector<std::int32_t> first, second, line, first_texture, second_texture;
    bool chains = false;
    for (std::uint64_t i = 0; i < lines.size(); ++i) {
      const Lists::Row row = lines.row(i);
      chains = chains || row.count != 2;
      const auto texture = [&](std::uint64_t k) -> std::int32_t {
        if (c_.line_textures == nullptr) return -1;
        const Lists textures(*c_.line_textures);
        const Lists::Row found = textures.row(i);
        return found.count == 0 ? -1 : static_cast<std::int32_t>(textures.integer(found, k));
      };
      for (std::uint64_t k = 1; k < row.count; ++k) {
        first.push_back(static_cast<std::int32_t>(lines.integer(row, k - 1)));
        second.push_back(static_cast<std::int32_t>(lines.integer(row, k)));
        line.push_back(static_cast<std::int32_t>(i));
        first_texture.push_back(texture(k - 1));
        second_texture.push_back(texture(k));
      }
    }
    add("vertex1", copied(first));
    add("vertex2", copied(second));
    members_.push_back(element("edge", first.size()));
    if (!chains && c_.line_textures == nullptr) return;
    // An element of its own: some programs take any other column of an edge for a vertex.
    begin_element();
    add("obj_l", copied(line));
    if (c_.line_textures != nullptr) {
      add("obj_vt1", copied(first_texture));
      add("obj_vt2", copied(second_texture));
    }
    members_.push_back(element("obj_edge", first.size()));
  }

  void points() {
    if (c_.totals[row_p] == 0) return;
    begin_element();
    const Lists lists(*c_.point_positions);
    std::vector<std::int32_t> vertex, statement;
    for (std::uint64_t i = 0; i < lists.size(); ++i) {
      const Lists::Row row = lists.row(i);
      for (std::uint64_t k = 0; k < row.count; ++k) {
        vertex.push_back(static_cast<std::int32_t>(lists.integer(row, k)));
        statement.push_back(static_cast<std::int32_t>(i));
      }
    }
    add("vertex_index", copied(vertex));
    add("obj_p", copied(statement));
    members_.push_back(element("obj_point", vertex.size()));
  }

  // Texture coordinates or normals that no vertex has.
  void unused(std::string_view name, std::string_view index,
              std::span<const std::int32_t> of_vertices, std::uint64_t total,
              const std::array<std::pair<std::string_view, Column>, 3>& columns) {
    std::vector<bool> used(static_cast<std::size_t>(total), false);
    for (const std::int32_t i : of_vertices)
      if (i >= 0) used[static_cast<std::size_t>(i)] = true;
    std::vector<std::int32_t> rows;
    for (std::size_t i = 0; i < used.size(); ++i)
      if (!used[i]) rows.push_back(static_cast<std::int32_t>(i));
    if (rows.empty()) return;
    begin_element();
    add(index, copied(rows));
    for (const auto& [column_name, column] : columns) add(column_name, select(column, rows));
    members_.push_back(element(name, rows.size()));
  }

  // Materials: numbers of faces, as `usemtl` names them in turn or as their names say.
  void number_materials() {
    bool named = false;
    bool any = false;
    for (const StatementLine& line : lines_) {
      if (line.code != "usemtl" || line.text.empty()) continue;
      any = true;
      named = named || material_number(line.text) < 0;
    }
    if (!any || c_.totals[row_f] == 0) return;
    auto* const numbers = out_.allocate<std::int32_t>(c_.totals[row_f]);
    std::int32_t* to = numbers;
    SeededMap<std::string, std::int32_t> known;
    std::int32_t now = -1;
    for (const StatementLine& line : lines_) {
      if (line.code == "f") to = std::fill_n(to, line.count, now);
      if (line.code != "usemtl") continue;
      now = -1;
      if (line.text.empty()) continue;
      const auto next = static_cast<std::int32_t>(known.size());
      now = named ? known.try_emplace(line.text, next).first->second
                  : static_cast<std::int32_t>(material_number(line.text));
    }
    materials_ = out_.vector(
        std::span<const std::int32_t>(numbers, static_cast<std::size_t>(c_.totals[row_f])));
  }

  // Materials of libraries are read again with the libraries; their textures become comments that
  // programs know.
  void check_parsed_materials() {
    const View all = root_.find("materials").value_or(View());
    SeededSet<std::string> libraries, named(more_.textures.begin(), more_.textures.end());
    for (const StatementLine& line : lines_)
      if (line.code == "mtllib") libraries.insert(line.text);
    std::string scratch;
    for (std::uint64_t i = 0; i < all.size(); ++i) {
      const auto text = [&](const char* name) -> std::string {
        const auto found = all.child(i).find(name);
        return found && found->kind() == POLYCODEC_KIND_STRING
                   ? std::string(found->as_string(scratch))
                   : std::string();
      };
      const std::string texture = text("map_Kd");
      const std::string line = std::string(texture_line) + texture;
      if (!texture.empty() && texture.find_first_of("\r\n") == std::string::npos &&
          named.insert(line).second)
        textures_.push_back({false, line});
      const std::string library = text("library");
      if (std::none_of(libraries.begin(), libraries.end(), [&](const std::string& names) {
            return (" " + names + " ").find(" " + library + " ") != std::string::npos;
          })) {
        losses_.add("$.materials", "materials of libraries that no statement names");
        return;
      }
    }
  }

  const View& root_;
  Builder& out_;
  Losses& losses_;
  const FaceColumns& more_;
  WholeColumns c_;
  std::vector<StatementLine> lines_;
  std::vector<HeaderLine> textures_;
  SplitVertices split_;
  Column materials_ = nullptr;
  std::vector<Member> members_;
  std::vector<std::string_view> names_;
  std::vector<Column> columns_;
};

}  // namespace

polycodec_node statements_to_elements(const View& root, Builder& out, Losses& losses,
                                      const FaceColumns& more) {
  return WholeWriter(root, out, losses, more).run();
}

}  // namespace polycodec::mesh
