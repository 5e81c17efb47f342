// SPDX-License-Identifier: MIT
#include "mesh_parts.hpp"

#include <base/path.hpp>
#include <base/scratch_arena.hpp>
#include <model/mesh/convert.hpp>
#include <model/mesh/operations.hpp>

#include "table.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace polycodec::page {
namespace {

constexpr std::uint64_t units_of_element = 16;
constexpr std::size_t most_attributes = 8;
constexpr std::size_t most_layers = 4000;

std::uint8_t to_byte(const mesh::Numbers& color, std::uint64_t i) {
  const double value = color.real(i);
  if (is_integer(color.dtype())) return static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0));
  return static_cast<std::uint8_t>(std::lround(255 * (value >= 0 ? std::min(value, 1.0) : 0)));
}

/// A corner: its position, texture coordinates and normal, with -1 for none.
struct Corner {
  std::int64_t position = 0, texcoord = -1, normal = -1;
  bool operator==(const Corner&) const = default;
};

struct CornerHash {
  std::size_t operator()(const Corner& c) const noexcept {
    auto mixed = static_cast<std::uint64_t>(c.position) * 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ static_cast<std::uint64_t>(c.texcoord)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ static_cast<std::uint64_t>(c.normal)) * 0x94d049bb133111ebu;
    return static_cast<std::size_t>(mixed ^ (mixed >> 31));
  }
};

/// Builds the parts of one mesh.
class Maker {
 public:
  Maker(const mesh::Mesh& m, HostMeter& meter, Parts& parts) : m_(m), meter_(meter), parts_(parts) {
    if (m.position_count() > UINT32_MAX / 4 || m.faces > UINT32_MAX / 4)
      throw Error(Status::limit, "too many positions or faces for a page");
    place();
    find_order();
    const bool splits = m.face_texcoords != nullptr || m.face_normals != nullptr;
    if (splits) {
      split();
    } else {
      for (std::uint64_t i = 0; i < m.position_count(); ++i)
        add_vertex({static_cast<std::int64_t>(i)});
      corners([](const Corner& c) { return static_cast<std::uint32_t>(c.position); });
    }
    add_edges();
    if (parts.layers.size() > most_layers) {
      parts.notes.push_back(std::to_string(parts.layers.size()) +
                            " layers are shown as one: more than " + std::to_string(most_layers));
      parts.layers = {{-1, -1, -1, 0, m.faces}};
    }
  }

 private:
  void place() {
    const auto box = mesh::bounds(m_);
    if (box)
      for (std::size_t k = 0; k < 3; ++k)
        parts_.origin[k] = box->least[k] / 2 + box->greatest[k] / 2;
    for (std::size_t k = 0; k < 3; ++k) axes_[k] = mesh::Numbers(*m_.positions[k]);
    if (m_.normals[0] != nullptr)
      for (std::size_t k = 0; k < 3; ++k) normals_[k] = mesh::Numbers(*m_.normals[k]);
    if (m_.texcoords[0] != nullptr)
      for (std::size_t k = 0; k < 2; ++k) texcoords_[k] = mesh::Numbers(*m_.texcoords[k]);
    if (m_.colors[0] != nullptr)
      for (std::size_t k = 0; k < 3; ++k) colors_[k] = mesh::Numbers(*m_.colors[k]);
    has_normals_ = m_.normal_count() != 0 &&
                   (m_.face_normals != nullptr || m_.normal_count() == m_.position_count());
    has_texcoords_ = m_.texcoord_count() != 0 &&
                     (m_.face_texcoords != nullptr || m_.texcoord_count() == m_.position_count());
  }

  std::int64_t label(mesh::Mesh::Column column, std::uint64_t face) const {
    return column == nullptr ? -1 : mesh::Numbers(*column).integer(face);
  }

  /// Triangles of one object, group and material follow each other.
  void find_order() {
    order_.resize(static_cast<std::size_t>(m_.faces));
    std::iota(order_.begin(), order_.end(), std::uint32_t{0});
    const bool has_labels =
        m_.face_materials != nullptr || m_.face_groups != nullptr || m_.face_objects != nullptr;
    const auto key = [&](std::uint32_t f) {
      return std::tuple(label(m_.face_objects, f), label(m_.face_groups, f),
                        label(m_.face_materials, f));
    };
    if (has_labels)
      std::ranges::stable_sort(order_, [&](auto a, auto b) { return key(a) < key(b); });
    for (std::size_t at = 0; at < order_.size(); ++at) {
      meter_.tick(8);
      if (at == 0 || (has_labels && key(order_[at]) != key(order_[at - 1]))) {
        const auto [object, group, material] = key(order_[at]);
        parts_.layers.push_back({object, group, material, at, 0});
      }
      ++parts_.layers.back().count;
    }
  }

  void add_vertex(const Corner& c) {
    meter_.tick(8);
    const auto position = static_cast<std::uint64_t>(c.position);
    for (std::size_t k = 0; k < 3; ++k)
      parts_.positions.push_back(static_cast<float>(axes_[k].real(position) - parts_.origin[k]));
    if (has_normals_)
      for (const auto& axis : normals_)
        parts_.normals.push_back(c.normal < 0 && m_.face_normals != nullptr
                                     ? 0.0f
                                     : static_cast<float>(axis.real(static_cast<std::uint64_t>(
                                           c.normal < 0 ? c.position : c.normal))));
    if (has_texcoords_)
      for (const auto& axis : texcoords_)
        parts_.texcoords.push_back(c.texcoord < 0 && m_.face_texcoords != nullptr
                                       ? 0.0f
                                       : static_cast<float>(axis.real(static_cast<std::uint64_t>(
                                             c.texcoord < 0 ? c.position : c.texcoord))));
    if (m_.colors[0] != nullptr) {
      for (const auto& channel : colors_) parts_.colors.push_back(to_byte(channel, position));
      parts_.colors.push_back(m_.alpha == nullptr ? std::uint8_t{255}
                                                  : to_byte(mesh::Numbers(*m_.alpha), position));
    }
  }

  /// The triangles have the vertices vertex(corner), called in their order.
  template <class Vertex>
  void corners(const Vertex& vertex) {
    if (m_.face_positions == nullptr) return;
    const mesh::Lists positions(*m_.face_positions);
    const auto texcoords = lists(m_.face_texcoords);
    const auto normals = lists(m_.face_normals);
    parts_.triangles.reserve(order_.size() * 3);
    for (const std::uint32_t face : order_) {
      const mesh::Lists::Row row = positions.row(face);
      for (std::uint64_t k = 0; k < 3; ++k) {
        meter_.tick(4);
        const Corner corner{positions.integer(row, k), optional(texcoords, face, k),
                            optional(normals, face, k)};
        parts_.triangles.push_back(vertex(corner));
      }
    }
  }

  static std::optional<mesh::Lists> lists(mesh::Mesh::Column column) {
    return column == nullptr ? std::nullopt : std::optional(mesh::Lists(*column));
  }
  static std::int64_t optional(const std::optional<mesh::Lists>& of, std::uint64_t face,
                               std::uint64_t k) {
    if (!of) return -1;
    const mesh::Lists::Row row = of->row(face);
    return k < row.count ? of->integer(row, k) : -1;
  }

  void split() {
    std::unordered_map<Corner, std::uint32_t, CornerHash> known;
    first_.assign(static_cast<std::size_t>(m_.position_count()), UINT32_MAX);
    corners([&](const Corner& corner) {
      const auto [at, is_new] =
          known.try_emplace(corner, static_cast<std::uint32_t>(parts_.sources.size()));
      if (is_new) add_split(corner);
      return at->second;
    });
    // Positions that no face has are points, or ends of edges.
    for (std::uint64_t i = 0; i < m_.position_count(); ++i)
      if (first_[static_cast<std::size_t>(i)] == UINT32_MAX)
        add_split({static_cast<std::int64_t>(i)});
  }
  void add_split(const Corner& corner) {
    const auto vertex = static_cast<std::uint32_t>(parts_.sources.size());
    auto& first = first_[static_cast<std::size_t>(corner.position)];
    first = std::min(first, vertex);
    parts_.sources.push_back(static_cast<std::uint32_t>(corner.position));
    add_vertex(corner);
  }

  void add_edges() {
    if (m_.edge_count() == 0) return;
    const mesh::Numbers ends[] = {mesh::Numbers(*m_.edges[0]), mesh::Numbers(*m_.edges[1])};
    for (std::uint64_t i = 0; i < m_.edge_count(); ++i)
      for (const auto& end : ends) {
        meter_.tick(4);
        const auto position = static_cast<std::uint32_t>(end.integer(i));
        parts_.edges.push_back(first_.empty() ? position : first_[position]);
      }
  }

 public:
  const std::vector<std::uint32_t>& order() const { return order_; }

 private:
  const mesh::Mesh& m_;
  HostMeter& meter_;
  Parts& parts_;
  std::array<mesh::Numbers, 3> axes_, normals_, colors_;
  std::array<mesh::Numbers, 2> texcoords_;
  std::vector<std::uint32_t> order_;  // faces as they are drawn
  std::vector<std::uint32_t> first_;  // of each position: its first vertex, if they were split
  bool has_normals_ = false, has_texcoords_ = false;
};

/// Numbers of the triangles' faces before they were cut.
std::vector<std::uint32_t> face_numbers(const mesh::Mesh& m) {
  std::vector<std::uint32_t> numbers;
  if (m.face_positions == nullptr) return numbers;
  const mesh::Lists positions(*m.face_positions);
  for (std::uint64_t face = 0; face < m.faces; ++face)
    for (std::uint64_t k = 2; k < positions.row(face).count; ++k)
      numbers.push_back(static_cast<std::uint32_t>(face));
  return numbers;
}

/// Numeric columns of the vertices that are not drawn.
void add_attributes(const View& root, Parts& parts) {
  static constexpr std::string_view drawn[] = {"x",     "y",    "z",     "nx", "ny", "nz", "red",
                                               "green", "blue", "alpha", "s",  "t",  "u",  "v"};
  if (!mesh::is_elements(root)) return;
  const auto vertices = root.find("vertex");
  const polycodec_array* record = vertices ? vertices->array() : nullptr;
  if (record == nullptr || record->layout != POLYCODEC_LAYOUT_RECORD || record->names == nullptr)
    return;
  for (std::uint32_t i = 0; i < record->n_children && parts.attributes.size() < most_attributes;
       ++i) {
    const std::string_view name = to_string_view(record->names[i]);
    const polycodec_array& column = *record->children[i];
    if (std::ranges::find(drawn, name) != std::end(drawn) || !mesh::Numbers::fits(column) ||
        column.length != parts.file_positions)
      continue;
    const mesh::Numbers numbers(column);
    Attribute attribute{cut(std::string(name), 80), {}};
    attribute.values.reserve(static_cast<std::size_t>(numbers.size()));
    for (std::uint64_t k = 0; k < numbers.size(); ++k)
      attribute.values.push_back(numbers.has(k) ? static_cast<float>(numbers.real(k))
                                                : std::nanf(""));
    parts.attributes.push_back(std::move(attribute));
  }
}

/// Names the parts of the value that are in no picture. Materials and attributes are.
void add_notes(const Losses& losses, Parts& parts) {
  constexpr std::size_t most = 20;
  for (const Loss& loss : losses.all()) {
    const bool is_shown = loss.path == "$.materials" ||
                          std::ranges::any_of(parts.attributes, [&](const Attribute& a) {
                            return loss.path == "$.vertex" + key_step(a.name);
                          });
    if (!is_shown && parts.notes.size() < most)
      parts.notes.push_back("not drawn: " + loss.path + ": " + loss.what);
  }
}

void add_texture_files(const std::vector<std::string>& comments, Parts& parts) {
  constexpr std::string_view word = "TextureFile ";
  for (const std::string& comment : comments)
    if (comment.starts_with(word)) parts.texture_files.push_back(comment.substr(word.size()));
}

}  // namespace

std::optional<Parts> parts_of(NodeView root, const Limits& limits, HostMeter& meter) {
  const View view(root);
  charge_all(root, units_of_element, meter);
  ScratchArena arena(limits.memory_for(UINT64_MAX));
  Builder out(arena.abi());
  Losses losses;
  std::optional<mesh::Mesh> found = mesh::mesh_of(view, out, losses);
  if (!found || found->position_count() == 0) return std::nullopt;
  Parts parts;
  parts.file_positions = found->position_count();
  parts.file_faces = found->faces;
  const std::vector<std::uint32_t> numbers = face_numbers(*found);
  mesh::triangulate(*found, out, [&meter] { meter.tick(mesh::units_per_check); });
  const Maker maker(*found, meter, parts);
  if (numbers.size() == found->faces)
    for (const std::uint32_t triangle : maker.order()) parts.faces.push_back(numbers[triangle]);
  parts.objects = found->objects;
  parts.groups = found->groups;
  parts.materials = found->materials;
  add_texture_files(found->comments, parts);
  add_attributes(view, parts);
  add_notes(losses, parts);
  return parts;
}

}  // namespace polycodec::page
