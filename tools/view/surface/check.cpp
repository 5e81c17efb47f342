// SPDX-License-Identifier: MIT
#include "check.hpp"

#include "check_normals.hpp"
#include "edges.hpp"
#include "seeded_table.hpp"

#include <algorithm>
#include <cstdio>
#include <span>
#include <utility>

namespace polycodec::cli {

std::vector<bool> flat_faces(const Surface& s, Meter& meter) {
  std::vector<bool> flat(static_cast<std::size_t>(s.faces()));
  for (std::uint64_t i = 0; i < s.faces(); ++i) {
    meter.tick(8 + 4 * s.face(i).size());
    bool out = s.wrong[static_cast<std::size_t>(i)];
    for (const std::uint32_t corner : s.face(i)) out = out || !is_finite(s.positions[corner]);
    flat[static_cast<std::size_t>(i)] = out || s.is_degenerate(i);
  }
  return flat;
}

std::vector<bool> repeated_faces(const Surface& s, Meter& meter) {
  const SeededHash hash;
  RowTable table(s.faces());
  std::vector<bool> repeated(static_cast<std::size_t>(s.faces()));
  std::vector<std::uint32_t> mine;
  std::vector<std::uint32_t> other;
  const auto sorted = [&](std::uint64_t face, std::vector<std::uint32_t>& to) {
    to.clear();
    for (const std::uint32_t corner : s.face(face)) to.push_back(s.place[corner]);
    std::sort(to.begin(), to.end());
  };
  for (std::uint64_t i = 0; i < s.faces(); ++i) {
    meter.tick(8 + 8 * s.face(i).size());
    if (s.face(i).empty()) continue;
    sorted(i, mine);
    std::uint64_t word = mine.size();
    for (const std::uint32_t corner : mine) word = hash(word, corner);
    const auto row = static_cast<std::uint32_t>(i);
    const std::uint32_t first = table.add(word, row, [&](std::uint32_t face) {
      sorted(face, other);
      return mine == other;
    });
    repeated[static_cast<std::size_t>(i)] = first != row;
  }
  return repeated;
}

std::vector<bool> used_positions(const Mesh& m, const Surface& s,
                                 const std::vector<std::uint64_t>& points) {
  std::vector<bool> used(s.positions.size());
  const auto use = [&](std::uint64_t i) {
    if (i < used.size()) used[static_cast<std::size_t>(i)] = true;
  };
  for (const std::uint32_t corner : s.corners) use(corner);
  for (const std::int32_t end : m.edges) use(static_cast<std::uint64_t>(end));
  for (const std::uint64_t point : points) use(point);
  return used;
}

namespace {

std::string point_text(const Point& p) {
  char text[120];
  std::snprintf(text, sizeof text, "(%.6g %.6g %.6g)", p[0], p[1], p[2]);
  return text;
}

class Checker {
 public:
  Checker(const Mesh& m, const std::vector<std::uint64_t>& points, Meter& meter)
      : m_(m), points_(points), meter_(meter), s_(surface_of(m, meter)) {}

  MeshCheck run(const MeshProblems& problems) {
    if (problems.count != 0)
      found_.push_back(
          {"wrong_indices",
           true,
           problems.count,
           "indices out of range",
           {problems.shown.begin(),
            problems.shown.begin() + static_cast<std::ptrdiff_t>(std::min(
                                         problems.shown.size(), Finding::most_examples))}});
    positions();
    faces();
    edges();
    const std::vector<Point> normals = points_of(m_.normals, meter_);
    for (Finding& finding : check_normals(m_, s_, flat_, normals, meter_))
      found_.push_back(std::move(finding));
    std::erase_if(found_, [](const Finding& finding) { return finding.count == 0; });
    check_.findings = std::move(found_);
    return std::move(check_);
  }

 private:
  template <class Example>
  static void add(Finding& finding, const Example& example) {
    if (finding.count++ < Finding::most_examples) finding.examples.push_back(example());
  }
  std::string vertex(std::uint64_t i) const {
    return "position " + std::to_string(i) + " " +
           point_text(s_.positions[static_cast<std::size_t>(i)]);
  }
  std::string face(std::uint64_t i) const {
    std::string text = "face " + std::to_string(i) + " (";
    const auto row = s_.face(i);
    for (std::size_t k = 0; k < std::min<std::size_t>(row.size(), 8); ++k)
      text += (k == 0 ? "" : " ") + std::to_string(row[k]);
    return text + (row.size() > 8 ? " ..)" : ")");
  }

  void positions() {
    Finding infinite{"positions_not_finite", true, 0, "positions that are not finite"};
    Finding repeated{"duplicate_positions", true, 0,
                     "positions that repeat another one, with its attributes"};
    Finding seams{"seam_positions", false, 0,
                  "positions that repeat another one, with other attributes (seams)"};
    Finding unused{"unreferenced_positions", true, 0, "positions that no face or edge uses"};
    const std::vector<bool> used = used_positions(m_, s_, points_);
    const bool is_cloud = m_.face_count() == 0 && m_.edge_count() == 0 && points_.empty();
    for (std::size_t i = 0; i < s_.positions.size(); ++i) {
      meter_.tick(4);
      if (!is_finite(s_.positions[i])) add(infinite, [&] { return vertex(i); });
      if (const std::size_t first = s_.place[i]; first != i)
        add(same_attributes(m_, first, i) ? repeated : seams,
            [&] { return vertex(i) + " is " + std::to_string(first); });
      if (!used[i] && !is_cloud) add(unused, [&] { return vertex(i); });
    }
    for (Finding* finding : {&infinite, &repeated, &seams, &unused})
      found_.push_back(std::move(*finding));
    if (m_.corner_texcoords.data() != m_.corners.data())
      unused_rows("unreferenced_texcoords", "texture coordinates that no face uses",
                  m_.texcoord_count(), m_.corner_texcoords);
    if (m_.corner_normals.data() != m_.corners.data())
      unused_rows("unreferenced_normals", "normals that no face uses", m_.normal_count(),
                  m_.corner_normals);
  }

  void unused_rows(std::string_view name, std::string_view text, std::uint64_t rows,
                   std::span<const std::int32_t> items) {
    if (m_.face_count() == 0) return;
    std::vector<bool> used(static_cast<std::size_t>(rows));
    for (const std::int32_t index : items) {
      meter_.tick(2);
      if (const auto at = static_cast<std::uint64_t>(index); at < rows)
        used[static_cast<std::size_t>(at)] = true;
    }
    Finding unused{name, true, 0, text};
    for (std::size_t i = 0; i < used.size(); ++i)
      if (!used[i]) add(unused, [&] { return "row " + std::to_string(i); });
    found_.push_back(std::move(unused));
  }

  void faces() {
    Finding small{"small_faces", true, 0, "faces of fewer than three corners"};
    Finding flat{"degenerate_faces", true, 0, "faces with two corners at one place, or no area"};
    Finding repeated{"duplicate_faces", true, 0, "faces with the corners of an earlier one"};
    flat_ = flat_faces(s_, meter_);
    const std::vector<bool> again = repeated_faces(s_, meter_);
    for (std::uint64_t i = 0; i < s_.faces(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      if (s_.wrong[at]) continue;
      if (s_.face(i).size() < 3)
        add(small, [&] { return face(i); });
      else if (flat_[at] && s_.is_degenerate(i))
        add(flat, [&] { return face(i); });
      if (again[at]) add(repeated, [&] { return face(i); });
    }
    for (Finding* finding : {&small, &flat, &repeated}) found_.push_back(std::move(*finding));
  }

  void edges() {
    if (m_.face_count() == 0) return;
    const Edges edges(s_, flat_, meter_);
    Finding crowded{"non_manifold_edges", true, 0, "edges of more than two faces"};
    Finding open{"boundary_edges", false, 0, "edges of one face: the surface is open there"};
    Finding against{"inconsistent_winding", true, 0,
                    "edges whose two faces disagree which side is outside"};
    const auto text = [&](std::uint32_t low, std::uint32_t high, std::span<const EdgeUse> uses) {
      std::string line = "edge " + std::to_string(low) + "-" + std::to_string(high) + " of ";
      for (std::size_t k = 0; k < std::min<std::size_t>(uses.size(), 4); ++k)
        line += (k == 0 ? "face " : ", ") + std::to_string(uses[k].face);
      return line + (uses.size() > 4 ? ", .." : "");
    };
    edges.each([&](std::uint32_t low, std::uint32_t high, std::span<const EdgeUse> uses) {
      meter_.tick(4);
      Finding* const finding = uses.size() > 2                        ? &crowded
                               : uses.size() == 1                     ? &open
                               : uses[0].backward == uses[1].backward ? &against
                                                                      : nullptr;
      if (finding != nullptr) add(*finding, [&] { return text(low, high, uses); });
    });
    for (Finding* finding : {&crowded, &open, &against}) found_.push_back(std::move(*finding));

    Finding inverted{"inside_out_shells", true, 0, "closed shells that are inside out"};
    Finding cavities{"cavities", false, 0,
                     "closed shells that are inside out within another one: cavities, it seems"};
    Finding twisted{"one_sided_shells", true, 0, "shells that no winding orients"};
    const Shells shells = shells_of(s_, edges, flat_, false, meter_);
    check_.shells = shells.all.size();
    for (const Shell& shell : shells.all) {
      meter_.tick(4);
      const auto line = [&] {
        return "the shell of face " + std::to_string(shell.first_face) + ": " +
               std::to_string(shell.faces) + " faces";
      };
      check_.closed_shells += shell.closed ? 1 : 0;
      if (shell.is_inside_out()) add(shell.inside ? cavities : inverted, line);
      if (shell.one_sided) add(twisted, line);
    }
    for (Finding* finding : {&inverted, &cavities, &twisted}) found_.push_back(std::move(*finding));
  }

  const Mesh& m_;
  const std::vector<std::uint64_t>& points_;
  Meter& meter_;
  const Surface s_;
  std::vector<bool> flat_;
  std::vector<Finding> found_;
  MeshCheck check_;
};

}  // namespace

MeshCheck check_mesh(const Mesh& m, const MeshProblems& problems,
                     const std::vector<std::uint64_t>& points, Meter& meter) {
  return Checker(m, points, meter).run(problems);
}

}  // namespace polycodec::cli
