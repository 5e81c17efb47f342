// SPDX-License-Identifier: MIT
// Meshes as documents.
#include <polycodec/error.hpp>
#include <polycodec/mesh.hpp>

#include "codec.hpp"
#include "materials.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <vector>

namespace polycodec::gltf {
namespace {

/// How far the length of a normal may be from 1, in glTF.
constexpr double length_tolerance = 1e-4;

constexpr std::int64_t mode_points = 0;
constexpr std::int64_t mode_lines = 1;
constexpr std::int64_t type_uint8 = 5121;
constexpr std::int64_t type_uint16 = 5123;
constexpr std::int64_t type_uint32 = 5125;
constexpr std::int64_t type_float = 5126;

/// A vertex of glTF: a position with its own texture coordinates and normal.
struct Vertex {
  std::int32_t position, texcoord, normal;
  auto operator<=>(const Vertex&) const = default;
};

/// The faces that become one primitive.
struct Part {
  std::int32_t object, material;
  bool texcoords, normals;
  auto operator<=>(const Part&) const = default;
};

std::string counted(std::uint64_t n, const char* what) {
  return std::to_string(n) + " " + what;
}

class Maker {
 public:
  Maker(const Call& call, const Mesh& mesh, Builder& out)
      : call_(call),
        meter_(call),
        m_(mesh),
        out_(out),
        accessors_(out.list()),
        meshes_(out.list()),
        nodes_(out.list()) {}

  Node run() {
    find_numbers();
    std::map<Part, std::vector<std::uint64_t>> parts;
    for (std::uint64_t f = 0; f < m_.face_count(); ++f) {
      meter_.tick(4);
      if (has_place(m_.face(f))) parts[part_of(f)].push_back(f);
    }
    if (are_points()) look_at_points();
    report_losses();
    // The objects in order, those without a name first.
    for (auto from = parts.begin(); from != parts.end();) {
      const std::int32_t object = from->first.object;
      auto primitives = out_.list();
      for (; from != parts.end() && from->first.object == object; ++from)
        primitives.push(triangles(from->first, from->second));
      if (object < 0) add_edges(primitives);
      add_object(primitives,
                 object < 0 ? std::string_view() : m_.objects[static_cast<std::size_t>(object)]);
    }
    if (parts.empty() || parts.begin()->first.object >= 0) {
      auto primitives = out_.list();
      add_edges(primitives);
      if (are_points()) add_points(primitives);
      add_object(primitives, {});
    }
    return document();
  }

 private:
  /// What glTF has no place for in the numbers of one part of the mesh.
  struct Numbers {
    std::uint64_t rounded = 0;     ///< those that float32 rounds
    std::uint64_t not_finite = 0;  ///< rows with one that is not finite as float32
  };

  static bool is_finite(double number) noexcept {
    return std::isfinite(static_cast<float>(number));
  }
  /// Calls bad(row) for rows of `width` numbers with one that is not finite.
  template <class Bad>
  Numbers look_through(const MeshNumbers& all, std::uint64_t width, const Bad& bad) {
    Numbers found;
    if (all.dtype == POLYCODEC_DTYPE_UINT8) return found;
    for (std::uint64_t row = 0; row < all.size / width; ++row) {
      meter_.tick();
      bool finite = true;
      std::uint64_t others = 0;
      for (std::uint64_t k = 0; k < width; ++k) {
        finite = finite && is_finite(all[row * width + k]);
        others += rounded(all[row * width + k]);
      }
      found.rounded += finite ? others : 0;
      if (finite) continue;
      ++found.not_finite;
      bad(row);
    }
    return found;
  }
  void find_numbers() {
    positions_ = look_through(m_.positions, 3, [&](std::uint64_t row) {
      no_place_.resize(static_cast<std::size_t>(m_.position_count()));
      no_place_[static_cast<std::size_t>(row)] = true;
    });
    colors_ = look_through(m_.colors, 3, [](std::uint64_t) {});
    alpha_ = look_through(m_.alpha, 1, [](std::uint64_t) {});
  }
  /// False if one of these positions is not finite.
  bool has_place(std::span<const std::int32_t> positions) const noexcept {
    return no_place_.empty() || std::ranges::none_of(positions, [&](std::int32_t i) {
             return no_place_[static_cast<std::size_t>(i)];
           });
  }

  bool are_points() const noexcept { return m_.face_count() == 0 && m_.edges.empty(); }

  void lose(MeshPart part, const std::string& what, LossClass loss = LossClass::data) {
    call_.report_loss(loss, m_.paths[part], what);
  }
  void report_losses() {
    if (positions_.not_finite != 0)
      lose(MeshPart::positions, counted(positions_.not_finite,
                                        "positions that are not finite, and "
                                        "faces and edges there"));
    if (colors_.not_finite + alpha_.not_finite != 0)
      lose(colors_.not_finite != 0 ? MeshPart::colors : MeshPart::alpha,
           counted(colors_.not_finite + alpha_.not_finite,
                   "colors that are not finite: they become white"));
    if (faces_without_texcoords_ != 0)
      lose(MeshPart::texcoords,
           "texture coordinates of " +
               counted(faces_without_texcoords_, "faces: a corner has none that is finite"));
    if (faces_without_normals_ != 0)
      lose(MeshPart::normals, "normals of " + counted(faces_without_normals_,
                                                      "faces: a corner has none with a direction"));
    if (are_points() && m_.texcoord_count() == m_.position_count() && !points_have_texcoords_ &&
        !m_.texcoords.empty())
      lose(MeshPart::texcoords, "texture coordinates of points: one is not finite");
    if (are_points() && m_.normal_count() == m_.position_count() && !points_have_normals_ &&
        !m_.normals.empty())
      lose(MeshPart::normals, "normals of points: one has no direction");
    if (lengths_ != 0)
      lose(MeshPart::normals,
           "lengths of normals at " + counted(lengths_, "corners: they become 1"), LossClass::note);
    for (const auto& [part, rounded] : {std::pair{MeshPart::positions, positions_.rounded},
                                        {MeshPart::normals, normals_rounded_},
                                        {MeshPart::texcoords, texcoords_rounded_},
                                        {MeshPart::colors, colors_.rounded},
                                        {MeshPart::alpha, alpha_.rounded}})
      if (rounded != 0)
        lose(part, counted(rounded, "numbers that float32 rounds"), LossClass::note);
  }
  std::array<double, 3> normal_at(std::int32_t i) const noexcept {
    const auto k = 3 * static_cast<std::uint64_t>(i);
    return {m_.normals[k], m_.normals[k + 1], m_.normals[k + 2]};
  }
  bool has_length(std::int32_t i) const noexcept {
    const auto [x, y, z] = normal_at(i);
    return std::abs(std::hypot(x, y, z) - 1) <= length_tolerance;
  }
  /// False for the normals that no length makes one.
  bool has_direction(std::int32_t i) const noexcept {
    const auto [x, y, z] = normal_at(i);
    const double length = std::hypot(x, y, z);
    return length > 0 && std::isfinite(length);
  }
  bool has_texcoord(std::int32_t i) const noexcept {
    const auto k = 2 * static_cast<std::uint64_t>(i);
    return is_finite(m_.texcoords[k]) && is_finite(m_.texcoords[k + 1]);
  }
  static std::uint64_t rounded(double number) noexcept {
    return static_cast<double>(static_cast<float>(number)) != number ? 1 : 0;
  }
  /// Counts what becomes of a normal that is written.
  void count_normal(std::int32_t i) noexcept {
    if (!has_length(i)) {
      ++lengths_;
      return;
    }
    for (const double number : normal_at(i)) normals_rounded_ += rounded(number);
  }
  /// v is written as 1 - v, which is read back as v unless float32 rounds it.
  void count_texcoord(std::int32_t i) noexcept {
    const auto k = 2 * static_cast<std::uint64_t>(i);
    texcoords_rounded_ += rounded(m_.texcoords[k]);
    const auto flipped = static_cast<float>(1 - m_.texcoords[k + 1]);
    texcoords_rounded_ += 1 - static_cast<double>(flipped) != m_.texcoords[k + 1] ? 1 : 0;
  }

  Part part_of(std::uint64_t face) {
    const auto of = [&](std::span<const std::int32_t> column) {
      return column.empty() ? -1 : column[face];
    };
    Part part{of(m_.face_objects), of(m_.face_materials), !m_.corner_texcoords.empty(),
              !m_.corner_normals.empty()};
    const auto all = [&](std::span<const std::int32_t> list, const auto& fits) {
      return std::ranges::all_of(m_.of_face(list, face),
                                 [&](std::int32_t i) { return i >= 0 && fits(i); });
    };
    const auto any = [&](std::span<const std::int32_t> list) {
      return std::ranges::any_of(m_.of_face(list, face), [](std::int32_t i) { return i >= 0; });
    };
    part.texcoords =
        part.texcoords && all(m_.corner_texcoords, [&](std::int32_t i) { return has_texcoord(i); });
    part.normals =
        part.normals && all(m_.corner_normals, [&](std::int32_t i) { return has_direction(i); });
    faces_without_texcoords_ += !part.texcoords && any(m_.corner_texcoords) ? 1 : 0;
    faces_without_normals_ += !part.normals && any(m_.corner_normals) ? 1 : 0;
    if (part.texcoords)
      for (const std::int32_t i : m_.of_face(m_.corner_texcoords, face)) count_texcoord(i);
    if (part.normals)
      for (const std::int32_t i : m_.of_face(m_.corner_normals, face)) count_normal(i);
    return part;
  }

  /// Adds an accessor of `rows` elements, and returns its number.
  Node accessor(const polycodec_array* values, std::int64_t type, const char* shape,
                bool normalized = false) {
    auto made = out_.object();
    made.push("componentType", Builder::integer(type));
    made.push("count", Builder::integer(static_cast<std::int64_t>(values->length)));
    made.push("type", Builder::string_view(shape));
    if (normalized) made.push("normalized", Builder::boolean(true));
    made.push("values", Builder::array(values));
    accessors_.push(made);
    return Builder::integer(static_cast<std::int64_t>(accessors_.size()) - 1);
  }
  template <class T>
  const polycodec_array* rows(const T* numbers, std::uint64_t count, std::int64_t width) {
    const std::int64_t shape[] = {static_cast<std::int64_t>(count), width};
    return out_.ndarray(
        to_string_view(numbers, count * static_cast<std::uint64_t>(width) * sizeof(T)), dtype_of<T>,
        sizeof(T), std::span(shape, width == 1 ? 1 : 2));
  }
  /// An attribute with the numbers of each vertex.
  template <class T, class Number>
  Node attribute(std::span<const Vertex> vertices, std::int64_t width, const Number& number,
                 bool bytes = false) {
    auto* to = out_.allocate<T>(vertices.size() * static_cast<std::uint64_t>(width));
    auto* at = to;
    for (const Vertex& vertex : vertices) {
      meter_.tick();
      for (std::int64_t k = 0; k < width; ++k)
        *at++ = static_cast<T>(number(vertex, static_cast<std::uint64_t>(k)));
    }
    static constexpr const char* shapes[] = {"", "SCALAR", "VEC2", "VEC3", "VEC4"};
    return accessor(rows(to, vertices.size(), width), bytes ? type_uint8 : type_float,
                    shapes[width], bytes);
  }

  Node attributes(std::span<const Vertex> vertices, bool texcoords, bool normals) {
    const auto at = [](std::int32_t row, std::uint64_t width, std::uint64_t k) {
      return static_cast<std::uint64_t>(row) * width + k;
    };
    auto made = out_.object();
    made.push("POSITION", attribute<float>(vertices, 3, [&](const Vertex& v, std::uint64_t k) {
                return m_.positions[at(v.position, 3, k)];
              }));
    if (normals)
      made.push("NORMAL", attribute<float>(vertices, 3, [&](const Vertex& v, std::uint64_t k) {
                  const auto n = normal_at(v.normal);
                  if (has_length(v.normal)) return n[k];
                  return n[k] / std::hypot(n[0], n[1], n[2]);
                }));
    if (texcoords)
      made.push("TEXCOORD_0", attribute<float>(vertices, 2, [&](const Vertex& v, std::uint64_t k) {
                  const double number = m_.texcoords[at(v.texcoord, 2, k)];
                  return k == 0 ? number : 1 - number;
                }));
    if (m_.colors.size == 0 && m_.alpha.size == 0) return made;
    const auto color = [&](const Vertex& v, std::uint64_t k) {
      const MeshNumbers& from = k < 3 ? m_.colors : m_.alpha;
      if (from.size == 0) return is_byte() ? 255.0 : 1.0;
      const double number = from[k < 3 ? at(v.position, 3, k) : at(v.position, 1, 0)];
      if (!is_finite(number)) return 1.0;
      return from.dtype == POLYCODEC_DTYPE_UINT8 && !is_byte() ? number / 255 : number;
    };
    const std::int64_t width = m_.alpha.size != 0 ? 4 : 3;
    made.push("COLOR_0", is_byte() ? attribute<std::uint8_t>(vertices, width, color, true)
                                   : attribute<float>(vertices, width, color));
    return made;
  }
  /// True if all parts of colors are bytes.
  bool is_byte() const noexcept {
    return (m_.colors.size == 0 || m_.colors.dtype == POLYCODEC_DTYPE_UINT8) &&
           (m_.alpha.size == 0 || m_.alpha.dtype == POLYCODEC_DTYPE_UINT8);
  }

  /// A primitive of these vertices; each corner is one of them, and the vertices are in the order
  /// of their positions.
  Node primitive(const std::vector<Vertex>& corners, bool texcoords, bool normals,
                 std::int64_t mode, std::int32_t material) {
    std::vector<Vertex> vertices = corners;
    meter_.tick(corners.size() * 16);
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    auto* indices = out_.allocate<std::uint32_t>(corners.size());
    for (std::size_t i = 0; i < corners.size(); ++i)
      indices[i] = static_cast<std::uint32_t>(
          std::lower_bound(vertices.begin(), vertices.end(), corners[i]) - vertices.begin());
    auto made = out_.object();
    made.push("attributes", attributes(vertices, texcoords, normals));
    if (mode != mode_points)
      made.push("indices",
                accessor(rows(indices, corners.size(), 1),
                         vertices.size() < UINT16_MAX ? type_uint16 : type_uint32, "SCALAR"));
    if (mode >= 0) made.push("mode", Builder::integer(mode));
    if (material >= 0) made.push("material", Builder::integer(material));
    return made;
  }
  Node triangles(const Part& part, const std::vector<std::uint64_t>& faces) {
    std::vector<Vertex> corners;
    corners.reserve(3 * faces.size());
    for (const std::uint64_t f : faces)
      for (std::uint64_t c = m_.faces[f]; c < m_.faces[f + 1]; ++c)
        corners.push_back({m_.corners[c], part.texcoords ? m_.corner_texcoords[c] : -1,
                           part.normals ? m_.corner_normals[c] : -1});
    return primitive(corners, part.texcoords, part.normals, -1, part.material);
  }
  void add_edges(ListBuilder& primitives) {
    if (m_.edges.empty()) return;
    std::vector<Vertex> ends;
    for (std::size_t i = 0; i < m_.edges.size(); i += 2) {
      const auto edge = m_.edges.subspan(i, 2);
      if (!has_place(edge)) continue;
      for (const std::int32_t end : edge) ends.push_back({end, -1, -1});
    }
    if (ends.empty()) return;
    primitives.push(primitive(ends, false, false, mode_lines, -1));
  }
  void add_points(ListBuilder& primitives) {
    std::vector<Vertex> all;
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(m_.position_count()); ++i)
      if (has_place({&i, 1})) all.push_back({i, i, i});
    if (all.empty()) return;
    primitives.push(primitive(all, points_have_texcoords_, points_have_normals_, mode_points, -1));
  }
  /// Counts what becomes of normals and texture coordinates of points, which are all of them or
  /// none.
  void look_at_points() {
    const auto rows = static_cast<std::int32_t>(m_.position_count());
    points_have_texcoords_ = !m_.texcoords.empty() && m_.texcoord_count() == m_.position_count();
    points_have_normals_ = !m_.normals.empty() && m_.normal_count() == m_.position_count();
    for (std::int32_t i = 0; i < rows; ++i) {
      points_have_texcoords_ = points_have_texcoords_ && has_texcoord(i);
      points_have_normals_ = points_have_normals_ && has_direction(i);
    }
    for (std::int32_t i = 0; i < rows; ++i) {
      if (points_have_texcoords_) count_texcoord(i);
      if (points_have_normals_) count_normal(i);
    }
  }
  void add_object(const ListBuilder& primitives, std::string_view name) {
    if (primitives.size() == 0) return;
    auto mesh = out_.object();
    auto node = out_.object();
    if (!name.empty()) {
      mesh.push("name", out_.string_copy(name));
      node.push("name", out_.string_copy(name));
    }
    mesh.push("primitives", primitives);
    node.push("mesh", Builder::integer(static_cast<std::int64_t>(meshes_.size())));
    meshes_.push(mesh);
    nodes_.push(node);
  }

  Node document() {
    auto made = out_.object();
    made.push("asset", out_.object({{"version", Builder::string_view("2.0")},
                                    {"generator", Builder::string_view("polycodec")}}));
    if (nodes_.size() != 0) {
      auto roots = out_.list();
      for (std::uint64_t i = 0; i < nodes_.size(); ++i)
        roots.push(Builder::integer(static_cast<std::int64_t>(i)));
      made.push("scene", Builder::integer(0));
      made.push("scenes", out_.list({out_.object({{"nodes", roots}})}));
      made.push("nodes", nodes_);
      made.push("meshes", meshes_);
      made.push("accessors", accessors_);
    }
    add_materials(
        m_,
        [&](LossClass loss, const std::string& path, const std::string& what) {
          call_.report_loss(loss, path, what);
        },
        made, out_);
    return made;
  }

  const Call& call_;
  Meter meter_;
  const Mesh& m_;
  Builder& out_;
  ListBuilder accessors_, meshes_, nodes_;
  std::vector<bool> no_place_;  // positions that are not finite; empty if all are
  Numbers positions_, colors_, alpha_;
  std::uint64_t faces_without_texcoords_ = 0, faces_without_normals_ = 0;
  std::uint64_t texcoords_rounded_ = 0, normals_rounded_ = 0, lengths_ = 0;
  bool points_have_texcoords_ = false, points_have_normals_ = false;
};

}  // namespace

Node from_mesh(const Call& call, View value, bool triangulate, Builder& out) {
  const MeshRequest request{.holder = "glTF", .detail = "gltf.lossy"};
  const Mesh given = as_mesh(call, value, request, out);
  report_lost_parts(
      call, given, request,
      {MeshPart::positions, MeshPart::normals, MeshPart::texcoords, MeshPart::colors,
       MeshPart::alpha, MeshPart::edges, MeshPart::materials, MeshPart::objects, MeshPart::looks});
  const Mesh mesh = polycodec::triangulate(call, given, triangulate, out);
  return Maker(call, mesh, out).run();
}

}  // namespace polycodec::gltf
