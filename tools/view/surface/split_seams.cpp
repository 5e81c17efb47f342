// SPDX-License-Identifier: MIT
// Positions with several normals or texture coordinates become several positions with one of each.
#include "check_normals.hpp"
#include "repair.hpp"
#include "rows_of_mesh.hpp"
#include "seeded_table.hpp"

#include <numeric>

namespace polycodec::cli {
namespace {

using Items = std::span<const std::int32_t>;

constexpr std::int64_t unset = -2;

/// What a corner uses.
struct Use {
  std::uint32_t position = 0;
  std::int64_t texcoord = unset, normal = unset;
  bool operator==(const Use&) const = default;
};

/// The attribute of each new position, and the corners' indices of it: those of the positions,
/// unless some corners lack it.
template <class Get>
void spread(MeshNumbers& numbers, std::uint64_t width, Items& items, const std::vector<Use>& all,
            Items corners, Builder& out, const Get& get) {
  if (numbers.empty() || items.empty()) return;
  bool lacking = false;
  std::vector<std::uint32_t> rows;
  rows.reserve(all.size());
  for (const Use& use : all) {
    lacking = lacking || get(use) == -1;
    rows.push_back(get(use) < 0 ? 0 : static_cast<std::uint32_t>(get(use)));
  }
  numbers = select(out, numbers, width, rows);
  items = corners;
  if (!lacking) return;
  auto* const to = out.allocate<std::int32_t>(corners.size());
  for (std::size_t i = 0; i < corners.size(); ++i)
    to[i] = get(all[static_cast<std::size_t>(corners[i])]) < 0 ? -1 : corners[i];
  items = {to, corners.size()};
}

}  // namespace

Change split_seams(Mesh& m, Builder& out, Meter& meter) {
  Change change{"split-seams", "positions were added"};
  const std::uint64_t corners = m.corners.size();
  if (m.face_count() == 0) return change;
  if (corners + m.position_count() >= static_cast<std::uint64_t>(INT32_MAX))
    throw Error(Status::limit, "a mesh of " + std::to_string(corners) +
                                   " corners: seams of no more than 2^31 are split")
        .detail("mesh.limit");
  std::vector<Use> all(static_cast<std::size_t>(m.position_count()));
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i].position = i;
  const SeededHash hash;
  RowTable table(corners);
  auto* const split = out.allocate<std::int32_t>(corners);
  for (std::uint64_t i = 0; i < m.face_count(); ++i) {
    for (auto k = static_cast<std::size_t>(m.faces[static_cast<std::size_t>(i)]);
         k < m.faces[static_cast<std::size_t>(i) + 1]; ++k) {
      meter.tick(8);
      const auto index_at = [k](Items items) { return items.empty() ? -1 : items[k]; };
      const Use use{static_cast<std::uint32_t>(m.corners[k]), index_at(m.corner_texcoords),
                    index_at(m.corner_normals)};
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
      split[k] = static_cast<std::int32_t>(at);
    }
  }
  std::vector<std::uint32_t> rows;
  rows.reserve(all.size());
  for (const Use& use : all) rows.push_back(use.position);
  m.positions = select(out, m.positions, 3, rows);
  m.colors = select(out, m.colors, 3, rows);
  m.alpha = select(out, m.alpha, 1, rows);
  m.corners = {split, static_cast<std::size_t>(corners)};
  spread(m.texcoords, 2, m.corner_texcoords, all, m.corners, out,
         [](const Use& use) { return use.texcoord; });
  spread(m.normals, 3, m.corner_normals, all, m.corners, out,
         [](const Use& use) { return use.normal; });
  return change;
}

}  // namespace polycodec::cli
