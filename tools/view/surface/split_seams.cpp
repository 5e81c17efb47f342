// SPDX-License-Identifier: MIT
// Positions with several normals or texture coordinates become several positions with one of each.
#include "check_normals.hpp"
#include "repair.hpp"
#include "rows_of_mesh.hpp"
#include "seeded_table.hpp"

#include <numeric>

namespace polycodec::cli {
namespace {

using mesh::Lists;
using mesh::Mesh;

constexpr std::int64_t unset = -2;

/// What a corner uses.
struct Use {
  std::uint32_t position = 0;
  std::int64_t texcoord = unset, normal = unset;
  bool operator==(const Use&) const = default;
};

/// The index at a corner; -1 where a face has none.
std::int64_t index_at(const Lists* lists, std::uint64_t face, std::uint64_t corner) {
  if (lists == nullptr) return -1;
  const Lists::Row row = lists->row(face);
  return corner < row.count ? lists->integer(row, corner) : -1;
}

/// The attribute of each new position, and the corners' indices of it: those of the positions,
/// unless some corners lack it.
template <std::size_t N, class Get>
void spread(std::array<Mesh::Column, N>& columns, Mesh::Column& lists, const std::vector<Use>& all,
            Mesh::Column corners, Builder& out, const Get& get) {
  if (columns[0] == nullptr || lists == nullptr) return;
  bool lacking = false;
  std::vector<std::uint32_t> rows;
  rows.reserve(all.size());
  for (const Use& use : all) {
    lacking = lacking || get(use) == -1;
    rows.push_back(get(use) < 0 ? 0 : static_cast<std::uint32_t>(get(use)));
  }
  for (Mesh::Column& column : columns) column = select(out, column, rows);
  lists = corners;
  if (!lacking) return;
  const Lists from(*corners);
  auto* offsets = out.allocate<std::uint64_t>(from.size() + 1);
  auto* values = out.allocate<std::int32_t>(from.total());
  offsets[0] = 0;
  std::int32_t* to = values;
  for (std::uint64_t i = 0; i < from.size(); ++i) {
    const Lists::Row row = from.row(i);
    for (std::uint64_t k = 0; k < row.count; ++k) {
      const std::int64_t index = from.integer(row, k);
      *to++ = get(all[static_cast<std::size_t>(index)]) < 0 ? -1 : static_cast<std::int32_t>(index);
    }
    offsets[i + 1] = offsets[i] + row.count;
  }
  lists = mesh::detail::list_column(out, from.size(), offsets, values);
}

}  // namespace

Change split_seams(Mesh& m, Builder& out, HostMeter& meter) {
  Change change{"split-seams", "positions were added"};
  if (m.faces == 0) return change;
  const Lists positions(*m.face_positions);
  const std::optional<Lists> texcoords =
      m.face_texcoords != nullptr ? std::optional<Lists>(*m.face_texcoords) : std::nullopt;
  const std::optional<Lists> normals =
      m.face_normals != nullptr ? std::optional<Lists>(*m.face_normals) : std::nullopt;
  const std::uint64_t corners = positions.total();
  if (corners + m.position_count() >= static_cast<std::uint64_t>(INT32_MAX))
    throw Error(Status::limit, "a mesh of " + std::to_string(corners) +
                                   " corners: seams of no more than 2^31 are split")
        .detail("mesh.limit");
  std::vector<Use> all(static_cast<std::size_t>(m.position_count()));
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i].position = i;
  const SeededHash hash;
  RowTable table(corners);
  auto* offsets = out.allocate<std::uint64_t>(m.faces + 1);
  auto* values = out.allocate<std::int32_t>(corners);
  offsets[0] = 0;
  std::int32_t* to = values;
  for (std::uint64_t i = 0; i < m.faces; ++i) {
    const Lists::Row row = positions.row(i);
    for (std::uint64_t k = 0; k < row.count; ++k) {
      meter.tick(8);
      const Use use{static_cast<std::uint32_t>(positions.integer(row, k)),
                    index_at(texcoords ? &*texcoords : nullptr, i, k),
                    index_at(normals ? &*normals : nullptr, i, k)};
      Use& own = all[use.position];
      if (own.texcoord == unset) own = use;
      std::uint32_t at = use.position;
      if (!(own == use)) {
        const auto word =
            hash(hash(hash(0, use.position), static_cast<std::uint64_t>(use.texcoord)),
                 static_cast<std::uint64_t>(use.normal));
        const auto added = static_cast<std::uint32_t>(all.size());
        at = table.add(word, added, [&](std::uint32_t other) { return all[other] == use; });
        if (at == added) {
          all.push_back(use);
          change.add([&] {
            return std::to_string(added) + " is " + std::to_string(use.position) + " at face " +
                   std::to_string(i);
          });
        }
      }
      *to++ = static_cast<std::int32_t>(at);
    }
    offsets[i + 1] = offsets[i] + row.count;
  }
  std::vector<std::uint32_t> rows;
  rows.reserve(all.size());
  for (const Use& use : all) rows.push_back(use.position);
  for (Mesh::Column& column : m.positions) column = select(out, column, rows);
  for (Mesh::Column& column : m.colors) column = select(out, column, rows);
  m.alpha = select(out, m.alpha, rows);
  m.face_positions = mesh::detail::list_column(out, m.faces, offsets, values);
  spread(m.texcoords, m.face_texcoords, all, m.face_positions, out,
         [](const Use& use) { return use.texcoord; });
  spread(m.normals, m.face_normals, all, m.face_positions, out,
         [](const Use& use) { return use.normal; });
  return change;
}

}  // namespace polycodec::cli
