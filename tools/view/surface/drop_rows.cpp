// SPDX-License-Identifier: MIT
// Faces and rows that are left out.
#include "check.hpp"
#include "check_normals.hpp"
#include "repair.hpp"
#include "rows_of_mesh.hpp"

#include <numeric>

namespace polycodec::cli {
namespace {

void drop_faces(Mesh& m, Builder& out, const std::vector<bool>& dropped, Change& change) {
  std::vector<std::uint32_t> kept;
  for (std::uint32_t i = 0; i < dropped.size(); ++i) {
    if (!dropped[i])
      kept.push_back(i);
    else
      change.add([&] { return "face " + std::to_string(i); });
  }
  if (change.count != 0) keep_faces(m, out, kept);
}

/// Rows that some face uses, and their new numbers.
struct UsedRows {
  std::vector<std::uint32_t> kept, now;
};

UsedRows used_rows(const std::vector<bool>& used, Change& change) {
  UsedRows rows;
  rows.now.resize(used.size());
  for (std::uint32_t i = 0; i < used.size(); ++i) {
    rows.now[i] = static_cast<std::uint32_t>(rows.kept.size());
    if (used[i])
      rows.kept.push_back(i);
    else
      change.add([&] { return "row " + std::to_string(i); });
  }
  return rows;
}

void drop_unused(MeshNumbers& numbers, std::uint64_t width, std::span<const std::int32_t>& items,
                 Builder& out, Change& change, Meter& meter) {
  std::vector<bool> used(static_cast<std::size_t>(numbers.size / width));
  for (const std::int32_t index : items) {
    meter.tick(2);
    if (index >= 0) used[static_cast<std::size_t>(index)] = true;
  }
  const UsedRows rows = used_rows(used, change);
  if (change.count == 0) return;
  numbers = rows.kept.empty() ? MeshNumbers() : select(out, numbers, width, rows.kept);
  if (!items.empty()) items = renumber(out, items, rows.now);
}

}  // namespace

Change drop_degenerate_faces(Mesh& m, Builder& out, Meter& meter) {
  Change change{"drop degenerate", "faces without area were dropped"};
  const Surface s = surface_of(m, meter);
  std::vector<bool> dropped(static_cast<std::size_t>(s.faces()));
  for (std::uint64_t i = 0; i < s.faces(); ++i) {
    meter.tick(8 + 4 * s.face(i).size());
    dropped[static_cast<std::size_t>(i)] = s.is_degenerate(i);
  }
  drop_faces(m, out, dropped, change);
  return change;
}

Change drop_duplicate_faces(Mesh& m, Builder& out, Meter& meter) {
  Change change{"drop duplicate-faces", "faces with the corners of an earlier one were dropped"};
  drop_faces(m, out, repeated_faces(surface_of(m, meter), meter), change);
  return change;
}

std::vector<Change> drop_unreferenced_rows(Mesh& m, const std::vector<std::uint64_t>& points,
                                           Builder& out, Meter& meter) {
  Change positions{"drop unreferenced", "positions that nothing uses were dropped"};
  Change texcoords{"drop unreferenced", "texture coordinates that no face uses were dropped"};
  Change normals{"drop unreferenced", "normals that no face uses were dropped"};
  if (m.face_count() == 0 && m.edge_count() == 0) return {positions};  // a point cloud
  if (!is_of_positions(m, m.texcoord_count(), m.corner_texcoords))
    drop_unused(m.texcoords, 2, m.corner_texcoords, out, texcoords, meter);
  if (!is_of_positions(m, m.normal_count(), m.corner_normals))
    drop_unused(m.normals, 3, m.corner_normals, out, normals, meter);
  const UsedRows rows = used_rows(used_positions(m, surface_of(m, meter), points), positions);
  if (positions.count != 0) keep_positions(m, out, rows.kept, rows.now);
  return {positions, texcoords, normals};
}

}  // namespace polycodec::cli
