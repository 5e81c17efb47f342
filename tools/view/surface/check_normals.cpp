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

bool is_of_positions(const Mesh& m, std::uint64_t rows, std::span<const std::int32_t> items) {
  return rows != 0 && rows == m.position_count() &&
         (items.data() == m.corners.data() || m.face_count() == 0);
}

bool same_attributes(const Mesh& m, std::uint64_t a, std::uint64_t b) {
  const auto same = [&](const MeshNumbers& numbers, std::uint64_t width) {
    for (std::uint64_t k = 0; k < width && !numbers.empty(); ++k)
      if (numbers[width * a + k] != numbers[width * b + k]) return false;
    return true;
  };
  return same(m.alpha, 1) && same(m.colors, 3) &&
         (!is_of_positions(m, m.normal_count(), m.corner_normals) || same(m.normals, 3)) &&
         (!is_of_positions(m, m.texcoord_count(), m.corner_texcoords) || same(m.texcoords, 2));
}

std::vector<Finding> check_normals(const Mesh& m, const Surface& s, const std::vector<bool>& flat,
                                   const std::vector<Point>& normals, Meter& meter) {
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
  if (m.face_count() != 0 && (m.corner_normals.empty() || normals.empty())) {
    none.count = 1;
  } else {
    for (std::uint64_t i = 0; i < m.face_count(); ++i) {
      const auto row = m.of_face(m.corner_normals, i);
      meter.tick(4 + 2 * row.size());
      const auto face = [&] { return "face " + std::to_string(i); };
      bool lacks = row.empty();
      const Point direction = s.face_vector(i);
      for (std::size_t k = 0; k < row.size(); ++k) {
        const std::int32_t index = row[k];
        lacks = lacks || index == -1;
        if (index < 0 || static_cast<std::size_t>(index) >= normals.size() ||
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
