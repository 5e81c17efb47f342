// SPDX-License-Identifier: MIT
#include "check_normals.hpp"

#include <cstdio>
#include <utility>

namespace polycodec::cli {
namespace {

template <class Example>
void add(Finding& finding, const Example& example) {
  if (finding.count++ < Finding::most_examples) finding.examples.push_back(example());
}

std::string row_text(std::size_t row, const Point& n) {
  char text[140];
  std::snprintf(text, sizeof text, "normal %zu (%.6g %.6g %.6g) of length %.6g", row, n[0], n[1],
                n[2], length(n));
  return text;
}

}  // namespace

bool is_of_positions(const mesh::Mesh& m, mesh::Mesh::Column rows, mesh::Mesh::Column lists) {
  return rows != nullptr && rows->length == m.position_count() &&
         (lists == m.face_positions || m.faces == 0);
}

bool same_attributes(const mesh::Mesh& m, std::uint64_t a, std::uint64_t b) {
  const auto same = [&](mesh::Mesh::Column column) {
    if (column == nullptr) return true;
    const mesh::Numbers numbers(*column);
    return numbers.real(a) == numbers.real(b);
  };
  bool all = same(m.alpha);
  for (const mesh::Mesh::Column column : m.colors) all = all && same(column);
  if (is_of_positions(m, m.normals[0], m.face_normals))
    for (const mesh::Mesh::Column column : m.normals) all = all && same(column);
  if (is_of_positions(m, m.texcoords[0], m.face_texcoords))
    for (const mesh::Mesh::Column column : m.texcoords) all = all && same(column);
  return all;
}

std::vector<Finding> check_normals(const mesh::Mesh& m, const Surface& s,
                                   const std::vector<bool>& flat, const std::vector<Point>& normals,
                                   HostMeter& meter) {
  // Files have few digits.
  constexpr double tolerance = 0.01;
  Finding zero{"zero_normals", true, 0, "normals that are zero or not finite"};
  Finding long_or_short{"normals_not_unit", true, 0, "normals whose length is not 1 (by over 1 %)"};
  Finding missing{"missing_normals", true, 0, "faces without normals, where others have them"};
  Finding against{"normals_against_winding", true, 0,
                  "corners whose normal points to the other side than the face"};
  Finding none{"no_normals", false, 0, "meshes of faces without normals"};
  for (std::size_t i = 0; i < normals.size(); ++i) {
    meter.tick(2);
    const double size = length(normals[i]);
    if (!(size > 0) || !std::isfinite(size))
      add(zero, [&] { return row_text(i, normals[i]); });
    else if (std::fabs(size - 1) > tolerance)
      add(long_or_short, [&] { return row_text(i, normals[i]); });
  }
  if (m.faces != 0 && (m.face_normals == nullptr || normals.empty())) {
    none.count = 1;
  } else if (m.faces != 0) {
    const mesh::Lists lists(*m.face_normals);
    for (std::uint64_t i = 0; i < m.faces; ++i) {
      const mesh::Lists::Row row = lists.row(i);
      meter.tick(4 + 2 * row.count);
      const auto face = [&] { return "face " + std::to_string(i); };
      bool lacks = row.count == 0;
      const Point direction = s.face_vector(i);
      for (std::uint64_t k = 0; k < row.count; ++k) {
        const std::int64_t index = lists.integer(row, k);
        lacks = lacks || index == -1;
        if (static_cast<std::uint64_t>(index) >= normals.size() ||
            flat[static_cast<std::size_t>(i)])
          continue;
        if (dot(direction, normals[static_cast<std::size_t>(index)]) < 0)
          add(against, [&] { return face() + ", corner " + std::to_string(k); });
      }
      if (lacks) add(missing, face);
    }
  }
  std::vector<Finding> all;
  for (Finding* finding : {&none, &missing, &zero, &long_or_short, &against})
    all.push_back(std::move(*finding));
  return all;
}

}  // namespace polycodec::cli
