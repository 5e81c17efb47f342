// SPDX-License-Identifier: MIT
// Facets as a value of the type `mesh`.
#include <polycodec/error.hpp>
#include <polycodec/mesh.hpp>

#include "codec.hpp"
#include "positions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace polycodec::stl {
namespace {

/// How far the parts of a normal may be from those that the vertices give, to follow from them.
constexpr double normal_tolerance = 1e-3;

/// True if every normal is missing or the one that the vertices give.
bool normals_follow(const Call& call, const Facets& facets) {
  Meter meter(call);
  for (std::uint64_t i = 0; i < facets.count; ++i) {
    meter.tick(8);
    const Point given = facets.normals.vector(i);
    if (std::all_of(given.begin(), given.end(), [](double n) { return n == 0 || std::isnan(n); }))
      continue;
    const Point made = normal_of(facets.vertices.vector(i, 0), facets.vertices.vector(i, 1),
                                 facets.vertices.vector(i, 2));
    for (std::size_t k = 0; k < 3; ++k)
      if (!(std::abs(given[k] - made[k]) <= normal_tolerance)) return false;
  }
  return true;
}

template <class T>
using Facet = std::array<Position<T>, 3>;

/// Facets with vertices of type T. Those of a binary file are copied as they are.
template <class T>
class FacetReader {
 public:
  explicit FacetReader(const Points& vertices) noexcept
      : vertices_(vertices),
        is_packed_(dtype_size(vertices.dtype) == sizeof(T) &&
                   vertices.byte_order == host_byte_order && vertices.number_stride == sizeof(T) &&
                   vertices.vector_stride == 3 * sizeof(T)) {}

  Facet<T> operator[](std::uint64_t i) const noexcept {
    Facet<T> to;
    if (is_packed_) {
      std::memcpy(&to, vertices_.data + static_cast<std::int64_t>(i) * vertices_.row_stride,
                  sizeof to);
      return to;
    }
    for (std::size_t v = 0; v < 3; ++v)
      for (std::size_t k = 0; k < 3; ++k) to[v][k] = static_cast<T>(vertices_.number(i, v, k));
    return to;
  }

 private:
  const Points& vertices_;
  const bool is_packed_;
};

template <class T>
MeshNumbers merged(const Call& call, const FacetReader<T>& facets, std::uint64_t count,
                   std::int32_t* corners, Builder& out) {
  struct Row {
    Position<T> key;
  };
  constexpr std::uint64_t batch = 16;
  Meter meter(call);
  auto* const rows = out.allocate<Row>(count * 3);
  PositionTable<T, Row> table(rows, out, meter);
  Facet<T> loaded[batch];
  std::uint64_t hashes[batch][3];
  for (std::uint64_t i = 0; i < count; i += batch) {
    const std::uint64_t n = std::min(batch, count - i);
    meter.tick(12 * n);
    for (std::uint64_t f = 0; f < n; ++f) {
      loaded[f] = facets[i + f];
      for (std::size_t v = 0; v < 3; ++v) table.prefetch(hashes[f][v] = hash_of(loaded[f][v]));
    }
    for (std::uint64_t f = 0; f < n; ++f)
      for (std::size_t v = 0; v < 3; ++v) *corners++ = table.add({loaded[f][v]}, hashes[f][v]);
  }
  table.finish();
  return std::span<const T>(reinterpret_cast<const T*>(rows), 3 * table.size());
}

template <class T>
MeshNumbers merged_by_parts(const Call& call, const FacetReader<T>& facets, std::uint64_t count,
                            std::int32_t* corners, Builder& out) {
  Meter meter(call);
  // Calls use() for each position that is not that of a corner just before.
  const auto each = [&](std::int32_t* numbers, const auto& use) {
    RecentPositions<T> recent;
    for (std::uint64_t i = 0; i < count; ++i) {
      meter.tick(8);
      for (const Position<T>& key : facets[i]) {
        const std::int32_t number =
            recent.find(key, [&](std::uint64_t hash) { return use(key, hash); });
        if (numbers != nullptr) *numbers++ = number;
      }
    }
  };
  PartedPositions<T> positions(3 * count, out);
  each(nullptr, [&](const Position<T>&, std::uint64_t hash) {
    positions.count(hash);
    return 0;
  });
  positions.begin_parts();
  each(nullptr, [&](const Position<T>& key, std::uint64_t hash) {
    positions.divide(key, hash);
    return 0;
  });
  positions.merge(meter);
  each(corners, [&](const Position<T>& key, std::uint64_t) { return positions.take(key); });
  return positions.finish();
}

template <class T>
MeshNumbers fill(const Call& call, const Facets& facets, bool merge, std::int32_t* corners,
                 Builder& out) {
  const FacetReader<T> reader(facets.vertices);
  const std::uint64_t n = facets.count;
  if (merge)
    return 3 * n < least_parted_corners ? merged(call, reader, n, corners, out)
                                        : merged_by_parts(call, reader, n, corners, out);
  Meter meter(call);
  auto* const numbers = out.allocate<T>(n * 9);
  for (std::uint64_t i = 0; i < n; ++i) {
    meter.tick(3);
    const Facet<T> facet = reader[i];
    std::memcpy(numbers + 9 * i, &facet, sizeof facet);
  }
  std::iota(corners, corners + 3 * n, 0);
  return std::span<const T>(numbers, static_cast<std::size_t>(9 * n));
}

template <class T>
MeshNumbers normals_of(const Facets& facets, Builder& out) {
  auto* to = out.allocate<T>(facets.count * 3);
  for (std::uint64_t i = 0; i < facets.count * 3; ++i)
    to[i] = static_cast<T>(facets.normals.number(i / 3, 0, i % 3));
  return std::span<const T>(to, static_cast<std::size_t>(facets.count * 3));
}

/// The header of a binary file as a comment; empty if it is not a text.
std::string_view comment_of(std::string_view header) noexcept {
  while (!header.empty() && (header.back() == '\0' || header.back() == ' '))
    header.remove_suffix(1);
  const bool text =
      std::all_of(header.begin(), header.end(), [](char c) { return c >= ' ' && c <= '~'; });
  return text ? header : std::string_view();
}

/// The color of the whole object, which Magics writes to the header: red, green, blue, alpha.
std::optional<std::array<double, 4>> object_color(std::string_view header) noexcept {
  constexpr std::string_view word = "COLOR=";
  const auto at = header.find(word);
  if (at == std::string_view::npos || at + word.size() + 4 > header.size()) return std::nullopt;
  std::array<double, 4> color{};
  for (std::size_t k = 0; k < 4; ++k)
    color[k] = static_cast<unsigned char>(header[at + word.size() + k]) / 255.0;
  return color;
}

/// Reports a header that is neither empty, a comment nor a color.
void report_header(const Call& call, std::string_view header) {
  const bool is_empty =
      std::all_of(header.begin(), header.end(), [](char c) { return c == '\0' || c == ' '; });
  if (is_empty || (!comment_of(header).empty() && !object_color(header))) return;
  const bool has_material = header.find("MATERIAL=") != std::string_view::npos;
  if (has_material || !object_color(header))
    call.report_loss(has_material ? LossClass::data : LossClass::note, "$",
                     has_material ? "the material of the object in the header"
                                  : "the header, which is not text");
}

/// The colors of facets as materials, each once.
class FacetColors {
 public:
  FacetColors(const Call& call, const Facets& facets, Builder& out)
      : call_(call), facets_(facets), out_(out), object_(object_color(facets.header)) {}

  void run(Mesh& m) {
    std::uint64_t others = 0;
    bool is_any_set = false;
    for (std::uint64_t i = 0; i < facets_.count && !is_any_set; ++i)
      is_any_set = facets_.attribute(i) != 0;
    if (!is_any_set && !object_) return;
    auto* const of_faces = out_.allocate<std::int32_t>(facets_.count);
    std::vector<std::int32_t> known(has_color + 1, -1);
    Meter meter(call_);
    for (std::uint64_t i = 0; i < facets_.count; ++i) {
      meter.tick();
      std::uint16_t bits = facets_.attribute(i);
      of_faces[i] = -1;
      if (object_) {
        // Magics: red is in the lowest bits, and the highest one is of facets without a color.
        bits = !is_any_set || (bits & has_color) != 0
                   ? has_color
                   : static_cast<std::uint16_t>((bits & 31u) << 10 | (bits & 0x3e0u) | bits >> 10);
      } else if ((bits & has_color) == 0) {
        others += bits != 0 ? 1 : 0;
        continue;
      } else {
        bits = static_cast<std::uint16_t>(bits & ~has_color);
      }
      if (known[bits] < 0) {
        known[bits] = static_cast<std::int32_t>(looks_.size());
        add(bits);
      }
      of_faces[i] = known[bits];
    }
    if (others != 0)
      call_.report_loss(LossClass::data, "$.facets.attribute",
                        std::to_string(others) + " attributes of facets that are not colors");
    if (looks_.empty()) return;
    m.face_materials = {of_faces, static_cast<std::size_t>(facets_.count)};
    m.materials = names_;
    m.looks = looks_;
  }

 private:
  void add(std::uint16_t bits) {
    MeshMaterial look;
    look.is_known = true;
    if (bits == has_color) {
      std::copy_n(object_->begin(), 3, look.base_color.begin());
      look.opacity = (*object_)[3];
      if (look.opacity < 1) look.alpha = MeshAlpha::blend;
      names_.push_back("object");
    } else {
      for (std::size_t k = 0; k < 3; ++k) look.base_color[k] = ((bits >> (10 - 5 * k)) & 31) / 31.0;
      names_.push_back(out_.copy_text(detail::color_name(look.base_color)));
    }
    looks_.push_back(look);
  }

  const Call& call_;
  const Facets& facets_;
  Builder& out_;
  const std::optional<std::array<double, 4>> object_;
  std::vector<std::string_view> names_;
  std::vector<MeshMaterial> looks_;
};

}  // namespace

Node to_mesh(const Call& call, const Facets& facets, bool merge, Builder& out) {
  if (facets.count > INT32_MAX / 3)
    throw Error(Status::limit, "a mesh has no more than 2^31 - 1 positions").detail("stl.limit");
  report_header(call, facets.header);
  Mesh m;
  FacetColors colors(call, facets, out);
  colors.run(m);
  const std::uint64_t n = facets.count;
  auto* corners = out.allocate<std::int32_t>(3 * n);
  auto* faces = out.allocate<std::uint64_t>(n + 1);
  for (std::uint64_t i = 0; i <= n; ++i) faces[i] = 3 * i;
  const bool narrow = facets.vertices.dtype == POLYCODEC_DTYPE_FLOAT32;
  m.positions = narrow ? fill<float>(call, facets, merge, corners, out)
                       : fill<double>(call, facets, merge, corners, out);
  m.faces = {faces, static_cast<std::size_t>(n + 1)};
  m.corners = {corners, static_cast<std::size_t>(3 * n)};
  if (!normals_follow(call, facets)) {
    m.normals = narrow ? normals_of<float>(facets, out) : normals_of<double>(facets, out);
    auto* normals = out.allocate<std::int32_t>(3 * n);
    for (std::uint64_t i = 0; i < 3 * n; ++i) normals[i] = static_cast<std::int32_t>(i / 3);
    m.corner_normals = {normals, static_cast<std::size_t>(3 * n)};
  }
  std::vector<std::string_view> objects;
  if (facets.solids.size() > 1 || (facets.solids.size() == 1 && !facets.solids[0].name.empty())) {
    auto* of_faces = out.allocate<std::int32_t>(n);
    std::uint64_t i = 0;
    for (const Solid& solid : facets.solids) {
      std::fill_n(of_faces + i, solid.facets, static_cast<std::int32_t>(objects.size()));
      i += solid.facets;
      objects.push_back(solid.name);
    }
    m.face_objects = {of_faces, static_cast<std::size_t>(n)};
    m.objects = objects;
  }
  const std::string_view comment =
      object_color(facets.header) ? std::string_view() : comment_of(facets.header);
  if (!comment.empty()) m.comments = std::span(&comment, 1);
  return make_mesh(m, out);
}

}  // namespace polycodec::stl
