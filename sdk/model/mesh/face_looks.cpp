// SPDX-License-Identifier: MIT
#include <base/hex.hpp>
#include <base/seeded_hash.hpp>
#include <model/mesh/convert.hpp>
#include <model/mesh/face_looks.hpp>
#include <model/mesh/materials.hpp>
#include <model/mesh/parts.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace polycodec::mesh {
namespace {

using Color = std::array<double, 4>;

constexpr Color white{1, 1, 1, 1};
constexpr std::size_t most_materials = 65536;
constexpr std::string_view color_columns[] = {"red", "green", "blue", "alpha"};
constexpr std::string_view number_column = "texnumber";

/// What a face looks like. -1: none.
struct FaceLook {
  std::int64_t material = -1, texture = -1;
  Color color = white;
  auto operator<=>(const FaceLook&) const = default;
};

/// The name of a material that no file names.
std::string implied_name(std::int64_t texture, const Color& color) {
  const std::string full = polycodec::detail::color_name({color[0], color[1], color[2]});
  const auto alpha = static_cast<unsigned>(std::lround(255 * std::clamp(color[3], 0.0, 1.0)));
  const std::string more = alpha == 255 ? "" : to_hex(std::string(1, static_cast<char>(alpha)));
  if (texture < 0) return full + more;
  std::string name = "material_" + std::to_string(texture);
  if (color != white) name += full.substr(full.find('_')) + more;
  return name;
}

bool has_colors(const Rows& rows) {
  return std::all_of(std::begin(color_columns), std::begin(color_columns) + 3,
                     [&](std::string_view name) { return rows.has(name); });
}

/// Colors of faces, each part from 0 to 1.
class FaceColors {
 public:
  FaceColors(Rows& rows, Builder& out) {
    for (std::size_t k = 0; k < 3; ++k) parts_[k] = rows.numbers(color_columns[k], true);
    detail::scale_colors(parts_, out);
    std::array<const polycodec_array*, 1> alpha{};
    if (!rows.has(color_columns[3])) return;
    alpha[0] = rows.numbers(color_columns[3], true);
    detail::scale_colors(alpha, out);
    alpha_ = alpha[0];
  }
  Color of(std::uint64_t face) const {
    Color color = white;
    for (std::size_t k = 0; k < 3; ++k) color[k] = part(parts_[k], face);
    if (alpha_ != nullptr) color[3] = part(alpha_, face);
    return color;
  }

 private:
  static double part(const polycodec_array* column, std::uint64_t face) {
    const Numbers numbers(*column);
    const double value = numbers.real(face) / (is_integer(numbers.dtype()) ? 255 : 1);
    return value >= 0 ? std::min(value, 1.0) : 0;
  }

  std::array<const polycodec_array*, 3> parts_{};
  const polycodec_array* alpha_ = nullptr;
};

/// Numbers materials by what faces look like.
class Numberer {
 public:
  explicit Numberer(Mesh& m)
      : m_(m),
        names_(m.materials),
        looks_(m.materials.size()),
        is_taken_(m.materials.size()),
        all_names_(m.materials.begin(), m.materials.end()) {}

  /// The material of a face; nothing if there are too many.
  std::optional<std::int32_t> number(const FaceLook& look, const std::vector<std::string>& textures,
                                     Builder& out) {
    if (last_number_ >= 0 && last_ == look) return last_number_;
    const auto [at, is_new] = known_.try_emplace(look, 0);
    if (is_new) {
      if (known_.size() > most_materials) return std::nullopt;
      at->second = add(look);
      MeshMaterial& made = looks_[static_cast<std::size_t>(at->second)];
      made.is_known = true;
      std::copy_n(look.color.begin(), 3, made.base_color.begin());
      made.opacity = look.color[3];
      if (made.opacity < 1) made.alpha = MeshAlpha::blend;
      if (look.texture >= 0)
        made.base_texture.name = out.copy_text(textures[static_cast<std::size_t>(look.texture)]);
    }
    last_ = look;
    return last_number_ = at->second;
  }
  void finish(Mesh::Column of_faces) {
    m_.materials = std::move(names_);
    m_.looks = std::move(looks_);
    m_.face_materials = of_faces;
  }

 private:
  std::int32_t add(const FaceLook& look) {
    std::string name = implied_name(look.texture, look.color);
    if (look.material >= 0) {
      const auto own = static_cast<std::size_t>(look.material);
      if (!is_taken_[own]) {
        is_taken_[own] = true;
        return static_cast<std::int32_t>(look.material);
      }
      name = names_[own] + "_" + name;
    }
    const std::string plain = name;
    // From where the last one with this name ended: colors that differ by little have one name.
    for (int& n = next_.try_emplace(plain, 2).first->second; !all_names_.insert(name).second; ++n)
      name = plain + "_" + std::to_string(n);
    names_.push_back(std::move(name));
    looks_.emplace_back();
    return static_cast<std::int32_t>(names_.size() - 1);
  }

  Mesh& m_;
  std::vector<std::string> names_;
  std::vector<MeshMaterial> looks_;
  std::vector<bool> is_taken_;
  std::map<FaceLook, std::int32_t> known_;
  SeededSet<std::string> all_names_;
  SeededMap<std::string, int> next_;  // number for a name that is taken
  FaceLook last_;
  std::int32_t last_number_ = -1;
};

}  // namespace

bool names_library(const View& root) {
  return std::ranges::any_of(detail::lines_of(root), [](const detail::HeaderLine& line) {
    return line.info && line.text.starts_with(std::string(detail::text_line) + " mtllib");
  });
}

std::vector<std::string> textures_of_lines(const View& root) {
  std::vector<std::string> names;
  for (const detail::HeaderLine& line : detail::lines_of(root))
    if (!line.info && line.text.starts_with(detail::texture_line))
      names.push_back(line.text.substr(detail::texture_line.size()));
  return names;
}

std::vector<std::string_view> face_look_columns(const Rows& faces, bool has_textures) {
  std::vector<std::string_view> names;
  if (has_colors(faces)) {
    names.assign(std::begin(color_columns), std::begin(color_columns) + 3);
    if (faces.has(color_columns[3])) names.push_back(color_columns[3]);
  }
  if (has_textures && faces.has(number_column)) names.push_back(number_column);
  return names;
}

bool has_face_looks(const View& root) {
  const auto face = root.find("face");
  if (!face || face->size() == 0 || !face->child(0).is_object()) return false;
  const View first = face->child(0);
  const bool has_color =
      std::all_of(std::begin(color_columns), std::begin(color_columns) + 3,
                  [&](std::string_view name) { return first.find(name).has_value(); });
  if (!has_color && !first.find(number_column)) return false;
  return (has_color || !textures_of_lines(root).empty()) && !names_library(root);
}

void take_face_looks(const View& root, Mesh& m, Builder& out, Losses& losses) {
  if (m.faces == 0 || !m.material_libraries.empty()) return;
  const std::vector<std::string> textures =
      m.texcoord_count() == 0 ? std::vector<std::string>() : textures_of_lines(root);
  std::optional<FaceColors> colors;
  Mesh::Column numbers = nullptr;
  if (const auto face = root.find("face"); face && face->size() == m.faces) {
    Rows rows(*face, "$.face", out);
    if (has_colors(rows)) colors.emplace(rows, out);
    if (!textures.empty() && rows.has(number_column)) numbers = rows.indices(number_column);
  }
  if (!colors && textures.empty()) return;
  Numberer materials(m);
  auto* const of_faces = out.allocate<std::int32_t>(m.faces);
  std::uint64_t unknown = 0;
  for (std::uint64_t i = 0; i < m.faces; ++i) {
    FaceLook look;
    if (m.face_materials != nullptr) look.material = Numbers(*m.face_materials).integer(i);
    if (!textures.empty()) {
      look.texture = numbers == nullptr ? 0 : Numbers(*numbers).integer(i);
      const bool is_known =
          look.texture >= 0 && look.texture < static_cast<std::int64_t>(textures.size());
      unknown += is_known || look.texture == -1 ? 0 : 1;
      if (!is_known || textures[static_cast<std::size_t>(look.texture)].empty()) look.texture = -1;
    }
    if (colors) look.color = colors->of(i);
    of_faces[i] = -1;
    if (look.material < 0 && look.texture < 0 &&
        (!colors || (m.face_materials != nullptr && look.color == white)))
      continue;
    const auto number = materials.number(look, textures, out);
    if (!number)
      return losses.add(colors ? "$.face.red" : "$.face.texnumber",
                        "looks of faces: there are more than " + std::to_string(most_materials));
    of_faces[i] = *number;
  }
  if (unknown != 0)
    losses.add("$.face.texnumber",
               std::to_string(unknown) + " numbers of textures that no comment names");
  if (colors || numbers != nullptr) {
    const std::string_view path = colors ? "$.face.red" : "$.face.texnumber";
    m.paths.set(MeshPart::looks, path);
    if (m.face_materials == nullptr) m.paths.set(MeshPart::materials, path);
  }
  materials.finish(
      out.vector(std::span<const std::int32_t>(of_faces, static_cast<std::size_t>(m.faces))));
}

namespace {

/// Writes looks as columns of faces and comments.
class FaceWriter {
 public:
  FaceWriter(Mesh& m, Builder& out, Losses& losses) : m_(m), out_(out), losses_(losses) {
    for (const std::string& comment : m.comments)
      if (comment.starts_with(detail::texture_line)) lines_.try_emplace(comment, lines_count_++);
  }

  FaceColumns run() {
    for (const MeshMaterial& look : m_.looks) add(look);
    report();
    FaceColumns columns;
    if (is_colored_ && m_.faces != 0) add_colors(columns);
    if (needs_numbers()) {
      columns.names.push_back(number_column);
      columns.columns.push_back(detail::make_column<std::int32_t>(
          out_, m_.faces, [&](std::uint64_t i) { return texture_of(i); }));
    }
    if (are_implied()) {
      m_.materials.clear();
      m_.face_materials = nullptr;
    }
    m_.looks.clear();
    return columns;
  }

 private:
  void add(const MeshMaterial& look) {
    more_ += look.is_known && says_more(look) ? 1 : 0;
    inside_ += look.base_texture.data.empty() ? 0 : 1;
    Color color = white;
    bool is_cut = false, is_rounded = false;
    for (std::size_t k = 0; k < 4 && look.is_known; ++k) {
      const double given = k < 3 ? look.base_color[k] : look.opacity;
      const double inside = given >= 0 ? std::min(given, 1.0) : 0;
      color[k] = static_cast<double>(std::lround(255 * inside)) / 255;
      is_cut = is_cut || inside != given;
      is_rounded = is_rounded || color[k] != inside;
    }
    cut_ += is_cut ? 1 : 0;
    rounded_ += is_rounded ? 1 : 0;
    is_colored_ = is_colored_ || color != white;
    has_alpha_ = has_alpha_ || color[3] != 1;
    colors_.push_back(color);
    textures_.push_back(texture(look.base_texture.name));
  }
  /// The number of the comment with this texture, which is added.
  std::int32_t texture(std::string_view name) {
    const std::string line = std::string(detail::texture_line) + std::string(name);
    if (name.empty() || line.find_first_of("\r\n") != std::string::npos) return -1;
    const auto [found, is_new] = lines_.try_emplace(line, lines_count_);
    if (is_new) {
      ++lines_count_;
      m_.comments.push_back(line);
    }
    return found->second;
  }

  void report() {
    const auto lose = [&](std::uint64_t count, const char* before, const char* after,
                          LossClass loss = LossClass::data) {
      if (count != 0)
        losses_.add(std::string(m_.paths[MeshPart::looks]), before + std::to_string(count) + after,
                    loss);
    };
    lose(more_, "parameters beside the colors of ", " materials");
    lose(inside_, "images inside: write them as files with --assets copy; textures of ",
         " materials");
    lose(cut_, "", " colors of materials beyond 0 to 1: they are cut");
    lose(rounded_, "", " colors of materials, which have eight bits a part", LossClass::note);
  }

  std::int64_t material_of(std::uint64_t face) const {
    return m_.face_materials == nullptr ? -1 : Numbers(*m_.face_materials).integer(face);
  }
  std::int32_t texture_of(std::uint64_t face) const {
    const std::int64_t material = material_of(face);
    return material < 0 || textures_.empty() ? -1 : textures_[static_cast<std::size_t>(material)];
  }
  void add_colors(FaceColumns& columns) {
    for (std::size_t k = 0; k < (has_alpha_ ? 4u : 3u); ++k) {
      columns.names.push_back(color_columns[k]);
      columns.columns.push_back(
          detail::make_column<std::uint8_t>(out_, m_.faces, [&](std::uint64_t i) {
            const std::int64_t material = material_of(i);
            return material < 0 ? 255
                                : std::lround(255 * colors_[static_cast<std::size_t>(material)][k]);
          }));
    }
  }
  bool needs_numbers() const {
    if (m_.looks.empty() || lines_.empty() || m_.texcoord_count() == 0) return false;
    for (std::uint64_t i = 0; i < m_.faces; ++i)
      if (texture_of(i) != 0) return true;
    return false;
  }
  /// True if reading makes the same names again without their numbers.
  bool are_implied() const {
    if (m_.looks.empty() || m_.face_materials == nullptr) return false;
    SeededSet<std::string> names;
    for (std::size_t i = 0; i < m_.looks.size(); ++i)
      if (!m_.looks[i].is_known || m_.materials[i] != implied_name(textures_[i], colors_[i]) ||
          (!is_colored_ && textures_[i] < 0) || (textures_[i] >= 0 && m_.texcoord_count() == 0) ||
          !names.insert(m_.materials[i]).second)
        return false;
    std::vector<bool> used(m_.materials.size());
    for (std::uint64_t i = 0; i < m_.faces; ++i) {
      const std::int64_t material = material_of(i);
      if (material < 0) return false;
      used[static_cast<std::size_t>(material)] = true;
    }
    return std::ranges::find(used, false) == used.end();
  }

  Mesh& m_;
  Builder& out_;
  Losses& losses_;
  SeededMap<std::string, std::int32_t> lines_;  // of textures, as comments, and their order
  std::int32_t lines_count_ = 0;
  std::vector<Color> colors_;           // of each material
  std::vector<std::int32_t> textures_;  // of each material: one of the lines
  std::uint64_t more_ = 0, inside_ = 0, cut_ = 0, rounded_ = 0;
  bool is_colored_ = false, has_alpha_ = false;
};

}  // namespace

FaceColumns face_columns(Mesh& m, Builder& out, Losses& losses) {
  return FaceWriter(m, out, losses).run();
}

FaceColumns face_columns_of_statements(const View& root, Builder& out) {
  if (root.find("materials").value_or(View()).size() == 0) return {};
  Losses others;  // the statements and the library have them
  Mesh m = from_statements(root, out, others);
  m.comments.clear();
  FaceColumns columns = face_columns(m, out, others);
  for (const std::string& comment : m.comments) columns.textures.push_back(comment);
  return columns;
}

}  // namespace polycodec::mesh
