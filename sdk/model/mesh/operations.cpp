// SPDX-License-Identifier: MIT
#include <model/mesh/operations.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace polycodec::mesh {

namespace {

/// The cross product of all corners of a face around its first: its direction is the face's normal.
/// Indices must be in range.
std::array<double, 3> face_vector(const Mesh& m, const Lists& lists, std::uint64_t face) {
  const Lists::Row row = lists.row(face);
  std::array<double, 3> sum{};
  if (row.count < 3) return sum;
  const Numbers axes[] = {Numbers(*m.positions[0]), Numbers(*m.positions[1]),
                          Numbers(*m.positions[2])};
  const auto at = [&](std::uint64_t k) {
    const auto i = static_cast<std::uint64_t>(lists.integer(row, k));
    return std::array<double, 3>{axes[0].real(i), axes[1].real(i), axes[2].real(i)};
  };
  const auto origin = at(0);
  const auto from_origin = [&](std::uint64_t k) {
    auto p = at(k);
    for (std::size_t axis = 0; axis < 3; ++axis) p[axis] -= origin[axis];
    return p;
  };
  auto a = from_origin(1);
  for (std::uint64_t k = 2; k < row.count; ++k) {
    const auto b = from_origin(k);
    sum[0] += a[1] * b[2] - a[2] * b[1];
    sum[1] += a[2] * b[0] - a[0] * b[2];
    sum[2] += a[0] * b[1] - a[1] * b[0];
    a = b;
  }
  return sum;
}

/// Cuts one polygon into triangles of its corners, by number. Works in the plane that the polygon's
/// own normal is closest to; polygons without corners that turn the other way become fans, others
/// lose one ear after another.
class Cutter {
 public:
  /// Concave polygons of more corners are refused: each ear costs a look at all corners.
  static constexpr std::size_t most_corners = 4096;

  using Triangle = std::array<std::uint32_t, 3>;

  void cut(const Mesh& m, const Lists& lists, std::uint64_t face, std::vector<Triangle>& out) {
    const Lists::Row row = lists.row(face);
    const auto n = static_cast<std::uint32_t>(row.count);
    if (n < 3) return;
    if (n > 3 && !project(m, lists, face, row)) {
      if (n > most_corners)
        throw Error(Status::limit, "a concave face of " + std::to_string(n) +
                                       " corners: no more than " + std::to_string(most_corners) +
                                       " are made triangles")
            .detail("mesh.limit")
            .path("$.faces[" + std::to_string(face) + "]");
      return cut_ears(out);
    }
    for (std::uint32_t k = 2; k < n; ++k) out.push_back({0, k - 1, k});
  }

 private:
  using Point = std::array<double, 2>;

  static double turn(const Point& a, const Point& b, const Point& c) noexcept {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  }

  // Fills points_, counter-clockwise; true if a fan will do: the polygon is convex, or has no area
  // to speak of.
  bool project(const Mesh& m, const Lists& lists, std::uint64_t face, const Lists::Row& row) {
    const auto normal = face_vector(m, lists, face);
    std::size_t axis = 0;
    for (std::size_t i = 1; i < 3; ++i)
      if (std::abs(normal[i]) > std::abs(normal[axis])) axis = i;
    if (!(std::abs(normal[axis]) > 0) || !std::isfinite(normal[axis])) return true;
    std::size_t u = (axis + 1) % 3;
    std::size_t v = (axis + 2) % 3;
    if (normal[axis] < 0) std::swap(u, v);
    const Numbers axes[] = {Numbers(*m.positions[0]), Numbers(*m.positions[1]),
                            Numbers(*m.positions[2])};
    points_.clear();
    for (std::uint64_t k = 0; k < row.count; ++k) {
      const auto i = static_cast<std::uint64_t>(lists.integer(row, k));
      points_.push_back({axes[u].real(i), axes[v].real(i)});
    }
    bool convex = true;
    for (std::size_t k = 0; k < points_.size(); ++k)
      convex = convex && turn(points_[k], points_[(k + 1) % points_.size()],
                              points_[(k + 2) % points_.size()]) >= 0;
    return convex && !winds_twice();
  }

  // A star turns the same way at every corner, too; but a convex polygon turns around just once.
  bool winds_twice() const noexcept {
    int rises = 0;
    const std::size_t n = points_.size();
    for (std::size_t k = 0; k < n; ++k) {
      const double before = points_[(k + 1) % n][1] - points_[k][1];
      const double after = points_[(k + 2) % n][1] - points_[(k + 1) % n][1];
      rises += before <= 0 && after > 0 ? 1 : 0;
    }
    return rises > 1;
  }

  bool is_ear(std::size_t at) const noexcept {
    const std::size_t n = left_.size();
    const Point& a = points_[left_[(at + n - 1) % n]];
    const Point& b = points_[left_[at]];
    const Point& c = points_[left_[(at + 1) % n]];
    if (turn(a, b, c) <= 0) return false;
    for (std::size_t k = 0; k < n; ++k) {
      if (k == at || k == (at + n - 1) % n || k == (at + 1) % n) continue;
      const Point& p = points_[left_[k]];
      if (p == a || p == b || p == c) continue;
      if (turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0) return false;
    }
    return true;
  }

  void cut_ears(std::vector<Triangle>& out) {
    left_.resize(points_.size());
    for (std::size_t k = 0; k < left_.size(); ++k) left_[k] = static_cast<std::uint32_t>(k);
    std::size_t at = 0;
    std::size_t misses = 0;
    while (left_.size() > 3) {
      const std::size_t n = left_.size();
      at %= n;
      // A polygon that crosses itself may have no ear: then any corner is as good as another.
      if (is_ear(at) || misses > n) {
        out.push_back({left_[(at + n - 1) % n], left_[at], left_[(at + 1) % n]});
        left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(at));
        misses = 0;
      } else {
        ++at;
        ++misses;
      }
    }
    out.push_back({left_[0], left_[1], left_[2]});
  }

  std::vector<Point> points_;
  std::vector<std::uint32_t> left_;
};

}  // namespace

void triangulate(Mesh& m, Builder& out, const std::function<void()>& check) {
  if (m.face_positions == nullptr) return;
  const Lists positions(*m.face_positions);
  Cutter cutter;
  std::vector<Cutter::Triangle> triangles;
  std::vector<std::uint64_t> of_face;
  std::uint64_t corners = 0;
  for (std::uint64_t i = 0; i < m.faces; ++i) {
    corners += positions.row(i).count;
    if (corners >= 16384) {
      check();
      corners = 0;
    }
    cutter.cut(m, positions, i, triangles);
    of_face.resize(triangles.size(), i);
  }
  const std::size_t n = triangles.size();
  const std::int64_t shape[] = {static_cast<std::int64_t>(n), 3};
  const auto corners_of = [&](Mesh::Column column) -> Mesh::Column {
    if (column == nullptr) return nullptr;
    const Lists lists(*column);
    auto* to = out.allocate<std::int32_t>(3 * n);
    for (std::size_t i = 0; i < n; ++i) {
      const Lists::Row row = lists.row(of_face[i]);
      for (std::size_t k = 0; k < 3; ++k)
        to[3 * i + k] =
            row.count == 0 ? -1 : static_cast<std::int32_t>(lists.integer(row, triangles[i][k]));
    }
    return out.ndarray(bytes_of(std::span(to, 3 * n)), POLYCODEC_DTYPE_INT32, 4, shape);
  };
  const auto of_faces = [&](Mesh::Column column) -> Mesh::Column {
    if (column == nullptr) return nullptr;
    return detail::make_column<std::int32_t>(out, n, [&](std::uint64_t i) {
      return Numbers(*column).integer(of_face[static_cast<std::size_t>(i)]);
    });
  };
  const bool same_texcoords = m.face_texcoords == m.face_positions;
  const bool same_normals = m.face_normals == m.face_positions;
  const Mesh::Column made = corners_of(m.face_positions);
  m.face_texcoords = same_texcoords ? made : corners_of(m.face_texcoords);
  m.face_normals = same_normals ? made : corners_of(m.face_normals);
  m.face_positions = made;
  m.face_materials = of_faces(m.face_materials);
  m.face_groups = of_faces(m.face_groups);
  m.face_objects = of_faces(m.face_objects);
  m.faces = n;
}

}  // namespace polycodec::mesh
