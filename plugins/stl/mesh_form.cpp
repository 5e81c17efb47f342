// SPDX-License-Identifier: MIT
// Facets as a value of the type `mesh`, and meshes as facets.
#include <polycodec/error.hpp>
#include <polycodec/mesh.hpp>

#include "codec.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace polycodec::stl {
namespace {

/// How far the parts of a normal may be from those that the vertices give, to follow from them.
constexpr double normal_tolerance = 1e-3;

/// The numbers of the vertices, each position once (`merge`) or for each facet.
template <class T>
class Positions {
 public:
  Positions(std::uint64_t vertices, bool merge, Builder& out)
      : merge_(merge),
        numbers_(out.allocate<T>(vertices * 3)),
        table_(merge ? std::bit_ceil(vertices * 2 + 1) : 0, -1) {}

  std::int32_t add(const Point& point) {
    const T key[] = {static_cast<T>(point[0]), static_cast<T>(point[1]), static_cast<T>(point[2])};
    if (!merge_) return append(key);
    for (std::size_t i = hash(key) & (table_.size() - 1);; i = (i + 1) & (table_.size() - 1)) {
      if (table_[i] < 0) return table_[i] = append(key);
      if (same(key, numbers_ + 3 * static_cast<std::size_t>(table_[i]))) return table_[i];
    }
  }
  std::span<const T> numbers() const noexcept { return {numbers_, 3 * count_}; }

 private:
  std::int32_t append(const T (&key)[3]) {
    std::copy(std::begin(key), std::end(key), numbers_ + 3 * count_);
    return static_cast<std::int32_t>(count_++);
  }
  // Numbers that are not equal to themselves are the same by their bits; zeros of both signs are.
  static std::uint64_t bits(T number) noexcept {
    return std::bit_cast<std::uint64_t>(static_cast<double>(number == 0 ? T{} : number));
  }
  static bool same(const T* a, const T* b) noexcept {
    return bits(a[0]) == bits(b[0]) && bits(a[1]) == bits(b[1]) && bits(a[2]) == bits(b[2]);
  }
  static std::size_t hash(const T* key) noexcept {
    std::uint64_t h = 0;
    for (int k = 0; k < 3; ++k) {
      h = (h ^ bits(key[k])) * 0x9e3779b97f4a7c15u;
      h ^= h >> 29;
    }
    return static_cast<std::size_t>(h);
  }

  const bool merge_;
  T* const numbers_;
  std::size_t count_ = 0;
  std::vector<std::int32_t> table_;
};

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
MeshNumbers fill(const Call& call, const Facets& facets, bool merge, std::int32_t* corners,
                 Builder& out) {
  Positions<T> positions(facets.count * 3, merge, out);
  Meter meter(call);
  for (std::uint64_t i = 0; i < facets.count; ++i) {
    meter.tick(merge ? 12 : 3);
    for (std::uint64_t v = 0; v < 3; ++v) *corners++ = positions.add(facets.vertices.vector(i, v));
  }
  return positions.numbers();
}

template <class T>
MeshNumbers normals_of(const Facets& facets, Builder& out) {
  auto* to = out.allocate<T>(facets.count * 3);
  for (std::uint64_t i = 0; i < facets.count * 3; ++i)
    to[i] = static_cast<T>(facets.normals.number(i / 3, 0, i % 3));
  return std::span<const T>(to, static_cast<std::size_t>(facets.count * 3));
}

/// The header of a binary file as a comment; empty if it is no text.
std::string_view comment_of(std::string_view header) noexcept {
  while (!header.empty() && (header.back() == '\0' || header.back() == ' '))
    header.remove_suffix(1);
  const bool text =
      std::all_of(header.begin(), header.end(), [](char c) { return c >= ' ' && c <= '~'; });
  return text ? header : std::string_view();
}

std::string count_of(std::uint64_t n, const char* what) {
  return std::to_string(n) + " " + what;
}

/// Reports everything of a mesh that STL has no place for.
void report_losses(const Call& call, const Mesh& m) {
  const auto lost = [&](const char* path, const std::string& what,
                        LossClass loss = LossClass::data) { call.report_loss(loss, path, what); };
  if (m.texcoords.size != 0) lost("$.texcoords", "coordinates of textures");
  if (m.colors.size != 0) lost("$.colors", "colors of positions");
  if (m.alpha.size != 0) lost("$.alpha", "opacity of positions");
  if (!m.edges.empty()) lost("$.edges", count_of(m.edges.size() / 2, "edges"));
  const auto named = [](std::span<const std::int32_t> column) {
    return std::any_of(column.begin(), column.end(), [](std::int32_t i) { return i >= 0; });
  };
  if (!m.materials.empty() || named(m.face_materials))
    lost("$.materials", count_of(m.materials.size(), "materials"));
  if (!m.groups.empty() || named(m.face_groups))
    lost("$.groups", count_of(m.groups.size(), "groups"));
  if (!m.material_libraries.empty())
    lost("$", count_of(m.material_libraries.size(), "names of material libraries"));
  if (m.comments.size() > 1) lost("$", "comments", LossClass::note);
  std::vector<bool> used(static_cast<std::size_t>(m.positions.size / 3));
  for (const std::int32_t corner : m.corners) used[static_cast<std::size_t>(corner)] = true;
  if (const auto unused = std::count(used.begin(), used.end(), false); unused != 0)
    lost("$.positions", count_of(static_cast<std::uint64_t>(unused), "positions of no face"));
}

std::uint64_t polygons(const Mesh& m) {
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < m.face_count(); ++i)
    count += m.faces[i + 1] - m.faces[i] != 3 ? 1 : 0;
  return count;
}

/// The vectors of rows, `width` numbers each, that `numbers` has one after another.
Points rows_of(const double* numbers, std::uint64_t rows, std::int64_t width) {
  return {.data = reinterpret_cast<const std::byte*>(numbers),
          .rows = rows,
          .row_stride = 8 * width,
          .vector_stride = 24,
          .number_stride = 8,
          .dtype = POLYCODEC_DTYPE_FLOAT64,
          .byte_order = host_byte_order};
}

Point point_of(const MeshNumbers& numbers, std::int32_t row) noexcept {
  const auto at = 3 * static_cast<std::uint64_t>(row);
  return {numbers[at], numbers[at + 1], numbers[at + 2]};
}

/// The normal of a triangle: the one that its corners share, or else the one that they give. Sets
/// `differs` if the corners have several.
Point facet_normal(const Mesh& m, std::uint64_t first, bool& differs) {
  const Point a = point_of(m.positions, m.corners[first]);
  const Point b = point_of(m.positions, m.corners[first + 1]);
  const Point c = point_of(m.positions, m.corners[first + 2]);
  Point made = normal_of(a, b, c);
  for (double& n : made) {
    // volatile: GCC 12 leaves the rounding of two neighbors out where it makes them one vector.
    const volatile float single = static_cast<float>(n);
    n = static_cast<double>(single);
  }
  if (m.corner_normals.empty()) return made;
  const std::int32_t normal = m.corner_normals[first];
  bool same = true;
  bool any = normal >= 0;
  for (const std::uint64_t k : {first + 1, first + 2}) {
    const std::int32_t other = m.corner_normals[k];
    any = any || other >= 0;
    same = same && (other == normal || (other >= 0 && normal >= 0 &&
                                        point_of(m.normals, other) == point_of(m.normals, normal)));
  }
  differs = differs || !same;
  return any && same ? point_of(m.normals, normal) : made;
}

}  // namespace

Node to_mesh(const Call& call, const Facets& facets, bool merge, Builder& out) {
  if (facets.count > INT32_MAX / 3)
    throw Error(Status::limit, "a mesh has no more than 2^31 - 1 positions").detail("stl.limit");
  std::uint64_t attributes = 0;
  if (facets.attributes.data != nullptr)
    for (std::uint64_t i = 0; i < facets.count; ++i) attributes += facets.attribute(i) != 0 ? 1 : 0;
  if (attributes != 0)
    call.report_loss(LossClass::data, "$.facets.attribute",
                     count_of(attributes, "attributes of facets"));
  Mesh m;
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
  const std::string_view comment = comment_of(facets.header);
  if (!comment.empty()) m.comments = std::span(&comment, 1);
  return make_mesh(m, out);
}

Facets from_mesh(const Call& call, View value, const Settings& settings, Builder& out) {
  MeshRequest request{.holder = "STL", .detail = "stl.lossy"};
  Mesh m = as_mesh(call, value, request, out);
  report_losses(call, m);
  if (const std::uint64_t count = polygons(m); count != 0) {
    if (!settings.triangulate)
      call.report_loss(LossClass::data, "$.faces.position",
                       count_of(count,
                                "faces that are not triangles: the option 'triangulate' cuts "
                                "them"));
    request.triangles = true;
    m = as_mesh(call, View(out.root(make_mesh(m, out))), request, out);
  }
  Facets facets;
  facets.count = m.face_count();
  if (facets.count > UINT32_MAX)
    throw Error(Status::limit, "a binary STL file has at most 2^32 - 1 facets").detail("stl.limit");
  auto* vertices = out.allocate<double>(9 * facets.count + 1);
  auto* normals = out.allocate<double>(3 * facets.count + 1);
  Meter meter(call);
  std::uint64_t mixed = 0;
  for (std::uint64_t i = 0; i < facets.count; ++i) {
    meter.tick(8);
    for (std::uint64_t k = 0; k < 3; ++k) {
      const Point point = point_of(m.positions, m.corners[3 * i + k]);
      std::copy(point.begin(), point.end(), vertices + 9 * i + 3 * k);
    }
    bool differs = false;
    const Point normal = facet_normal(m, 3 * i, differs);
    mixed += differs ? 1 : 0;
    std::copy(normal.begin(), normal.end(), normals + 3 * i);
  }
  if (mixed != 0)
    call.report_loss(LossClass::data, "$.normals",
                     "normals of corners, which differ in " + count_of(mixed, "faces"));
  facets.vertices = rows_of(vertices, facets.count, 9);
  facets.normals = rows_of(normals, facets.count, 3);
  for (std::uint64_t i = 0; i < facets.count && !m.face_objects.empty(); ++i) {
    const std::int32_t object = m.face_objects[i];
    if (i == 0 || object != m.face_objects[i - 1])
      facets.solids.push_back(
          {object < 0 ? std::string_view() : m.objects[static_cast<std::size_t>(object)], 0});
    ++facets.solids.back().facets;
  }
  if (m.comments.size() == 1 && m.comments[0].size() <= comment_size &&
      !is_ascii(m.comments[0], UINT64_MAX))
    facets.header = m.comments[0];
  return facets;
}

}  // namespace polycodec::stl
