// SPDX-License-Identifier: MIT
#include <model/mesh/measure.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace polycodec::mesh {

std::optional<Bounds> bounds(const Mesh& m) {
  if (m.position_count() == 0) return std::nullopt;
  Bounds box;
  bool any = false;
  const Numbers axes[] = {Numbers(*m.positions[0]), Numbers(*m.positions[1]),
                          Numbers(*m.positions[2])};
  for (std::uint64_t i = 0; i < m.position_count(); ++i) {
    const std::array<double, 3> p{axes[0].real(i), axes[1].real(i), axes[2].real(i)};
    if (!std::isfinite(p[0]) || !std::isfinite(p[1]) || !std::isfinite(p[2])) continue;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (!any || p[axis] < box.least[axis]) box.least[axis] = p[axis];
      if (!any || p[axis] > box.greatest[axis]) box.greatest[axis] = p[axis];
    }
    any = true;
  }
  return any ? std::optional(box) : std::nullopt;
}

std::map<std::uint64_t, std::uint64_t> face_sizes(const Mesh& m) {
  std::map<std::uint64_t, std::uint64_t> sizes;
  if (m.face_positions == nullptr) return sizes;
  const Lists lists(*m.face_positions);
  std::uint64_t last = UINT64_MAX;
  std::uint64_t* count = nullptr;
  for (std::uint64_t i = 0; i < m.faces; ++i) {
    const std::uint64_t n = lists.row(i).count;
    if (n != last) count = &sizes[last = n];
    ++*count;
  }
  return sizes;
}

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

std::vector<double> areas(const Mesh& m) {
  std::vector<double> all;
  if (m.face_positions == nullptr) return all;
  const Lists lists(*m.face_positions);
  all.reserve(static_cast<std::size_t>(m.faces));
  for (std::uint64_t i = 0; i < m.faces; ++i) {
    const auto v = face_vector(m, lists, i);
    all.push_back(std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2);
  }
  return all;
}

}  // namespace polycodec::mesh
