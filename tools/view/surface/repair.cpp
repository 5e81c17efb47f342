// SPDX-License-Identifier: MIT
#include "repair.hpp"

#include <iterator>
#include <utility>

namespace polycodec::cli {
namespace {

Change make_triangles(Mesh& m, Builder& out, Meter& meter) {
  Change change{"triangulate", "faces of more than three corners became triangles"};
  bool small = false;
  for (std::uint64_t i = 0; i < m.face_count(); ++i) {
    const std::size_t corners = m.face(i).size();
    meter.tick(2 + corners);
    small = small || corners < 3;
    if (corners > 3)
      change.add([&] {
        return "face " + std::to_string(i) + " of " + std::to_string(corners) + " corners";
      });
  }
  if (change.count == 0) return change;
  if (small)
    throw Error(Status::invalid,
                "faces of fewer than three corners cannot become triangles: use --drop degenerate")
        .detail("mesh.small_face");
  m = triangulate(m, out, [&meter](std::uint64_t units) { meter.tick(units); });
  return change;
}

}  // namespace

std::vector<Change> repair(Mesh& m, const Repairs& wanted, const std::vector<std::uint64_t>& points,
                           Builder& out, Meter& meter) {
  std::vector<Change> all;
  const auto add = [&](std::vector<Change> changes) {
    std::move(changes.begin(), changes.end(), std::back_inserter(all));
  };
  if (wanted.merge) add(merge_positions(m, *wanted.merge, out, meter));
  if (wanted.drop_degenerate) add({drop_degenerate_faces(m, out, meter)});
  if (wanted.drop_duplicate_faces) add({drop_duplicate_faces(m, out, meter)});
  if (wanted.drop_unreferenced) add(drop_unreferenced_rows(m, points, out, meter));
  if (wanted.orient) add(orient_faces(m, out, meter));
  if (wanted.triangulate) add({make_triangles(m, out, meter)});
  if (wanted.normals) add(make_normals(m, *wanted.normals, out, meter));
  if (wanted.split_seams) add({split_seams(m, out, meter)});
  return all;
}

}  // namespace polycodec::cli
