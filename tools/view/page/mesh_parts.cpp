// SPDX-License-Identifier: MIT
#include "mesh_parts.hpp"

#include <polycodec/path.hpp>

#include "table.hpp"
#include "view/mesh_value.hpp"
#include "view/surface/seeded_table.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace polycodec::page {
namespace {

constexpr std::size_t most_attributes = 8;
constexpr std::size_t most_layers = 4000;

/// A corner: its position, texture coordinates and normal, with -1 for none.
struct Corner {
  std::int64_t position = 0, texcoord = -1, normal = -1;
  bool operator==(const Corner&) const = default;
};

struct CornerHash {
  cli::SeededHash mix;
  std::size_t operator()(const Corner& c) const noexcept {
    std::uint64_t hash = 0;
    for (const std::int64_t part : {c.position, c.texcoord, c.normal})
      hash = mix(hash, static_cast<std::uint64_t>(part));
    return static_cast<std::size_t>(hash);
  }
};

/// Builds the parts of one mesh of triangles.
class Maker {
 public:
  Maker(const Mesh& m, cli::Meter& meter, Parts& parts)
      : m_(m),
        meter_(meter),
        parts_(parts),
        has_normals_(m.normal_count() != 0 &&
                     (!m.corner_normals.empty() || m.normal_count() == m.position_count())),
        has_texcoords_(m.texcoord_count() != 0 &&
                       (!m.corner_texcoords.empty() || m.texcoord_count() == m.position_count())) {
    if (m.position_count() > UINT32_MAX / 4 || m.face_count() > UINT32_MAX / 4)
      throw Error(Status::limit, "too many positions or faces for a page");
    if (const auto box = cli::bounds(m))
      for (std::size_t k = 0; k < 3; ++k)
        parts.origin[k] = box->least[k] / 2 + box->greatest[k] / 2;
    find_order();
    if (!m.corner_texcoords.empty() || !m.corner_normals.empty()) {
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
      parts.layers = {{-1, -1, -1, 0, m.face_count()}};
    }
  }
  /// The faces as they are drawn.
  const std::vector<std::uint32_t>& order() const { return order_; }

 private:
  using Items = std::span<const std::int32_t>;
  static std::int64_t item(Items items, std::size_t i) { return items.empty() ? -1 : items[i]; }

  /// Triangles of one object, group and material follow each other.
  void find_order() {
    order_.resize(static_cast<std::size_t>(m_.face_count()));
    std::iota(order_.begin(), order_.end(), std::uint32_t{0});
    const bool has_labels =
        !m_.face_materials.empty() || !m_.face_groups.empty() || !m_.face_objects.empty();
    const auto key = [&](std::uint32_t f) {
      return std::tuple(item(m_.face_objects, f), item(m_.face_groups, f),
                        item(m_.face_materials, f));
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
      parts_.positions.push_back(
          static_cast<float>(m_.positions[3 * position + k] - parts_.origin[k]));
    // Where corners have their own, one that lacks it has zeros.
    const auto add = [&](const MeshNumbers& from, Items items, std::int64_t own,
                         std::uint64_t width, std::vector<float>& to) {
      const auto row = static_cast<std::uint64_t>(own < 0 ? c.position : own);
      for (std::uint64_t k = 0; k < width; ++k)
        to.push_back(own < 0 && !items.empty() ? 0.0f : static_cast<float>(from[width * row + k]));
    };
    if (has_normals_) add(m_.normals, m_.corner_normals, c.normal, 3, parts_.normals);
    if (has_texcoords_) add(m_.texcoords, m_.corner_texcoords, c.texcoord, 2, parts_.texcoords);
    if (m_.colors.empty()) return;
    for (std::size_t k = 0; k < 3; ++k)
      parts_.colors.push_back(cli::color_byte(m_.colors, 3 * position + k));
    parts_.colors.push_back(m_.alpha.empty() ? std::uint8_t{255}
                                             : cli::color_byte(m_.alpha, position));
  }

  /// The triangles have the vertices vertex(corner), called in their order.
  template <class Vertex>
  void corners(const Vertex& vertex) {
    parts_.triangles.reserve(order_.size() * 3);
    for (const std::uint32_t face : order_) {
      for (std::size_t k = std::size_t{3} * face; k < std::size_t{3} * face + 3; ++k) {
        meter_.tick(4);
        parts_.triangles.push_back(
            vertex({m_.corners[k], item(m_.corner_texcoords, k), item(m_.corner_normals, k)}));
      }
    }
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
    for (const std::int32_t end : m_.edges) {
      meter_.tick(4);
      const auto position = static_cast<std::uint32_t>(end);
      parts_.edges.push_back(first_.empty() ? position : first_[position]);
    }
  }

  const Mesh& m_;
  cli::Meter& meter_;
  Parts& parts_;
  const bool has_normals_, has_texcoords_;
  std::vector<std::uint32_t> order_;  // faces as they are drawn
  std::vector<std::uint32_t> first_;  // of each position: its first vertex, if they were split
};

/// Numbers of the triangles' faces before they were cut.
std::vector<std::uint32_t> face_numbers(const Mesh& m) {
  std::vector<std::uint32_t> numbers;
  for (std::uint64_t face = 0; face < m.face_count(); ++face)
    for (std::size_t k = 2; k < m.face(face).size(); ++k)
      numbers.push_back(static_cast<std::uint32_t>(face));
  return numbers;
}

/// The numbers of a column as they are drawn, a missing one as NaN; nothing for another column.
std::optional<std::vector<float>> drawn_numbers(const View& column) {
  std::vector<float> values;
  values.reserve(static_cast<std::size_t>(column.size()));
  for (const View item : column) {
    if (item.is_null())
      values.push_back(std::nanf(""));
    else if (item.kind() == POLYCODEC_KIND_UNSIGNED)
      values.push_back(static_cast<float>(item.as_uint64()));
    else if (item.kind() == POLYCODEC_KIND_SIGNED)
      values.push_back(static_cast<float>(item.as_int64()));
    else if (item.kind() == POLYCODEC_KIND_FLOAT)
      values.push_back(static_cast<float>(item.as_double()));
    else if (item.kind() == POLYCODEC_KIND_BOOLEAN)
      values.push_back(item.as_bool() ? 1 : 0);
    else
      return std::nullopt;
  }
  return values;
}

/// Numeric columns of the vertices that are not drawn.
void add_attributes(const View& root, Parts& parts) {
  static constexpr std::string_view drawn[] = {"x",     "y",    "z",     "nx", "ny", "nz", "red",
                                               "green", "blue", "alpha", "s",  "t",  "u",  "v"};
  if (mesh_form(root) != MeshForm::elements) return;
  const auto vertices = root.find("vertex");
  const polycodec_array* record = vertices ? vertices->array() : nullptr;
  if (record == nullptr || record->layout != POLYCODEC_LAYOUT_RECORD || record->names == nullptr)
    return;
  for (std::uint32_t i = 0; i < record->n_children && parts.attributes.size() < most_attributes;
       ++i) {
    const std::string_view name = to_string_view(record->names[i]);
    const View column(*record->children[i]);
    if (std::ranges::find(drawn, name) != std::end(drawn) || !column.is_list() ||
        column.size() != parts.file_positions)
      continue;
    if (auto values = drawn_numbers(column))
      parts.attributes.push_back({cut(std::string(name), 80), std::move(*values)});
  }
}

/// Names the parts of the value that are in no picture. Materials and attributes are.
void add_notes(const std::vector<cli::Loss>& losses, Parts& parts) {
  constexpr std::size_t most = 20;
  for (const cli::Loss& loss : losses) {
    const bool is_shown = loss.path == "$.materials" ||
                          std::ranges::any_of(parts.attributes, [&](const Attribute& a) {
                            return loss.path == "$.vertex" + key_step(a.name);
                          });
    if (!is_shown && parts.notes.size() < most)
      parts.notes.push_back("not drawn: " + loss.path + ": " + loss.what);
  }
}

std::vector<std::string> texts(std::span<const std::string_view> names) {
  return {names.begin(), names.end()};
}

}  // namespace

std::optional<Parts> parts_of(const View& root, std::uint64_t max_memory, cli::Meter& meter) {
  Draft scratch(max_memory);
  const cli::MeshValue value(root, scratch.out(), meter, false);
  if (value.is_empty()) return std::nullopt;
  Parts parts;
  parts.file_positions = value.mesh.position_count();
  parts.file_faces = value.mesh.face_count();
  const std::vector<std::uint32_t> numbers = face_numbers(value.mesh);
  const Mesh m =
      triangulate(value.mesh, scratch.out(), [&meter](std::uint64_t units) { meter.tick(units); });
  const Maker maker(m, meter, parts);
  if (numbers.size() == m.face_count())
    for (const std::uint32_t triangle : maker.order()) parts.faces.push_back(numbers[triangle]);
  parts.objects = texts(m.objects);
  parts.groups = texts(m.groups);
  parts.materials = cli::materials_of(m);
  add_attributes(root, parts);
  add_notes(value.losses, parts);
  return parts;
}

}  // namespace polycodec::page
