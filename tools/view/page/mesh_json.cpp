// SPDX-License-Identifier: MIT
// The buffers of a mesh as text, and how they become fewer.
#include "blob.hpp"
#include "mesh_parts.hpp"
#include "table.hpp"
#include "view/surface/seeded_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <unordered_map>

namespace polycodec::page {
namespace {

constexpr std::size_t most_names = 2000;

Json names_json(const std::vector<std::string>& names) {
  Json list = Json::array();
  for (std::size_t i = 0; i < std::min(names.size(), most_names); ++i)
    list.push_back(cut(names[i], 120));
  return list;
}

/// Keeps the numbers of the chosen vertices, `width` for each.
template <class Number>
void keep(std::vector<Number>& numbers, const std::vector<std::uint32_t>& chosen,
          std::size_t width) {
  if (numbers.empty()) return;
  std::vector<Number> kept;
  kept.reserve(chosen.size() * width);
  for (const std::uint32_t vertex : chosen)
    kept.insert(kept.end(), numbers.begin() + static_cast<std::ptrdiff_t>(vertex * width),
                numbers.begin() + static_cast<std::ptrdiff_t>((vertex + 1) * width));
  numbers = std::move(kept);
}

void keep_vertices(Parts& parts, const std::vector<std::uint32_t>& chosen) {
  if (parts.sources.empty())
    parts.sources = chosen;
  else
    keep(parts.sources, chosen, 1);
  keep(parts.positions, chosen, 3);
  keep(parts.normals, chosen, 3);
  keep(parts.texcoords, chosen, 2);
  keep(parts.colors, chosen, 4);
  parts.attributes.clear();
}

/// The cell of each vertex in a grid of `cells` along the longest side; -1 for what is not finite.
std::vector<std::int64_t> cells_of(const Parts& parts, double cells) {
  double low[3], high[3];
  std::fill(low, low + 3, std::numeric_limits<double>::infinity());
  std::fill(high, high + 3, -std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < parts.positions.size(); ++i)
    if (std::isfinite(parts.positions[i])) {
      low[i % 3] = std::min<double>(low[i % 3], parts.positions[i]);
      high[i % 3] = std::max<double>(high[i % 3], parts.positions[i]);
    }
  const double side = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2], 1e-30});
  std::vector<std::int64_t> all;
  for (std::size_t i = 0; i < parts.positions.size(); i += 3) {
    std::int64_t cell = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double at = (parts.positions[i + k] - low[k]) / side * cells;
      if (!std::isfinite(at)) {
        cell = -1;
        break;
      }
      cell = cell * (std::int64_t{1} << 20) + static_cast<std::int64_t>(at);
    }
    all.push_back(cell);
  }
  return all;
}

struct CellHash {
  cli::SeededHash mix;
  std::size_t operator()(std::int64_t cell) const noexcept {
    return static_cast<std::size_t>(mix(0, static_cast<std::uint64_t>(cell)));
  }
};

/// Joins the vertices of each cell. Triangles and edges that have two corners in one vanish.
void join(Parts& parts, double cells) {
  const std::vector<std::int64_t> cell = cells_of(parts, cells);
  std::unordered_map<std::int64_t, std::uint32_t, CellHash> number;
  std::vector<std::uint32_t> chosen, joined;
  for (std::uint32_t i = 0; i < cell.size(); ++i) {
    const auto [at, is_new] =
        number.try_emplace(cell[i], static_cast<std::uint32_t>(chosen.size()));
    if (is_new) chosen.push_back(i);
    joined.push_back(at->second);
  }
  std::vector<std::uint32_t> triangles, faces;
  for (Layer& layer : parts.layers) {
    const std::uint64_t first = triangles.size() / 3;
    for (std::uint64_t t = layer.first; t < layer.first + layer.count; ++t) {
      const auto corner = [&](std::uint64_t k) {
        return joined[parts.triangles[static_cast<std::size_t>(3 * t + k)]];
      };
      const std::uint32_t a = corner(0), b = corner(1), c = corner(2);
      if (a == b || b == c || a == c) continue;
      triangles.insert(triangles.end(), {a, b, c});
      if (!parts.faces.empty()) faces.push_back(parts.faces[static_cast<std::size_t>(t)]);
    }
    layer.first = first;
    layer.count = triangles.size() / 3 - first;
  }
  std::vector<std::uint32_t> edges;
  for (std::size_t i = 0; i + 1 < parts.edges.size(); i += 2)
    if (joined[parts.edges[i]] != joined[parts.edges[i + 1]])
      edges.insert(edges.end(), {joined[parts.edges[i]], joined[parts.edges[i + 1]]});
  parts.triangles = std::move(triangles);
  parts.faces = std::move(faces);
  parts.edges = std::move(edges);
  keep_vertices(parts, chosen);
}

/// Edges beyond the bytes that remain are left out evenly.
void thin_edges(Parts& parts, std::uint64_t most) {
  const std::uint64_t others = parts.bytes() - parts.edges.size() * 4;
  const std::uint64_t room = most > others ? (most - others) / 8 : 0;
  if (parts.edges.size() / 2 <= room) return;
  std::vector<std::uint32_t> kept;
  const double step = static_cast<double>(parts.edges.size() / 2) / static_cast<double>(room + 1);
  for (std::uint64_t i = 0; i < room; ++i) {
    const std::size_t at = 2 * static_cast<std::size_t>(static_cast<double>(i) * step);
    kept.insert(kept.end(), {parts.edges[at], parts.edges[at + 1]});
  }
  parts.edges = std::move(kept);
}

}  // namespace

std::uint64_t Parts::bytes() const noexcept {
  std::uint64_t words = positions.size() + normals.size() + texcoords.size() + sources.size() +
                        triangles.size() + faces.size() + edges.size() + colors.size() / 4;
  for (const Attribute& attribute : attributes) words += attribute.values.size();
  return words * 4;
}

void decimate(Parts& parts, std::uint64_t most) {
  if (parts.bytes() <= most) return;
  const std::size_t vertices = parts.positions.size() / 3;
  if (parts.triangles.empty() && parts.edges.empty()) {
    const std::uint64_t each = 16 + parts.bytes() / vertices;
    const std::uint64_t wanted = std::max<std::uint64_t>(1, most / each);
    std::vector<std::uint32_t> chosen;
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(wanted, vertices); ++i)
      chosen.push_back(
          static_cast<std::uint32_t>(i * vertices / std::min<std::uint64_t>(wanted, vertices)));
    keep_vertices(parts, chosen);
    return;
  }
  parts.attributes.clear();
  // A surface has about six vertices for each square of cells.
  double cells = std::sqrt(static_cast<double>(most) / 40);
  for (int round = 0; round < 12 && parts.bytes() > most && cells >= 2; ++round) {
    join(parts, cells);
    cells *= 0.7;
  }
  thin_edges(parts, most);
}

Json to_json(const Parts& parts) {
  using Floats = std::span<const float>;
  using Words = std::span<const std::uint32_t>;
  Json object = Json::object();
  object["vertices"] = parts.positions.size() / 3;
  object["triangles"] = parts.triangles.size() / 3;
  object["edges"] = parts.edges.size() / 2;
  object["filePositions"] = parts.file_positions;
  object["fileFaces"] = parts.file_faces;
  object["yUp"] = parts.is_y_up;
  object["origin"] = Json(parts.origin);
  object["position"] = pack_words(Floats(parts.positions), 3);
  if (!parts.normals.empty()) object["normal"] = pack_words(Floats(parts.normals), 3);
  if (!parts.texcoords.empty()) object["texcoord"] = pack_words(Floats(parts.texcoords), 2);
  if (!parts.colors.empty())
    object["color"] = pack_bytes(
        std::string_view(reinterpret_cast<const char*>(parts.colors.data()), parts.colors.size()));
  if (!parts.sources.empty()) object["source"] = pack_words(Words(parts.sources), 1);
  if (!parts.triangles.empty()) object["triangle"] = pack_words(Words(parts.triangles), 3);
  if (!parts.faces.empty()) object["face"] = pack_words(Words(parts.faces), 1);
  if (!parts.edges.empty()) object["edge"] = pack_words(Words(parts.edges), 2);
  object["attributes"] = Json::array();
  for (const Attribute& attribute : parts.attributes) {
    Json item = Json::object();
    item["name"] = attribute.name;
    item["values"] = pack_words(Floats(attribute.values), 1);
    object["attributes"].push_back(std::move(item));
  }
  object["layers"] = Json::array();
  for (const Layer& layer : parts.layers) {
    Json item = Json::array();
    for (const std::int64_t label : {layer.object, layer.group, layer.material})
      item.push_back(label);
    item.push_back(layer.first);
    item.push_back(layer.count);
    object["layers"].push_back(std::move(item));
  }
  object["objects"] = names_json(parts.objects);
  object["groups"] = names_json(parts.groups);
  std::vector<std::string> names;
  for (const cli::Material& material : parts.materials) names.push_back(material.name);
  object["materialNames"] = names_json(names);
  return object;
}

}  // namespace polycodec::page
