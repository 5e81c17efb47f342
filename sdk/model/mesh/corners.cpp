// SPDX-License-Identifier: MIT
#include <model/mesh/corners.hpp>

#include <array>
#include <cstddef>
#include <map>

namespace polycodec::mesh {
namespace {

constexpr std::int32_t unset = -2;

class Splitter {
 public:
  Splitter(std::uint64_t positions, SplitVertices& to) : to_(to), next_(size_of(positions), -1) {
    to_.position.resize(next_.size());
    for (std::size_t i = 0; i < next_.size(); ++i) to_.position[i] = static_cast<std::int32_t>(i);
    to_.texcoord.assign(next_.size(), unset);
    to_.normal.assign(next_.size(), unset);
  }

  static std::size_t size_of(std::uint64_t n) { return static_cast<std::size_t>(n); }

  std::int32_t vertex(std::int32_t position, std::int32_t texcoord, std::int32_t normal) {
    auto at = static_cast<std::size_t>(position);
    if (to_.texcoord[at] == unset) {
      to_.texcoord[at] = texcoord;
      to_.normal[at] = normal;
      return position;
    }
    for (int steps = 0; steps < most_steps; ++steps) {
      if (to_.texcoord[at] == texcoord && to_.normal[at] == normal)
        return static_cast<std::int32_t>(at);
      if (next_[at] < 0) return next_[at] = add(position, texcoord, normal);
      at = static_cast<std::size_t>(next_[at]);
    }
    // A position with many combinations, such as the tip of a cone, is not a reason for long walks.
    const auto [found, added] = others_.try_emplace({position, texcoord, normal}, 0);
    if (added) found->second = add(position, texcoord, normal);
    return found->second;
  }

  // What vertices without a corner have.
  void fill(std::vector<std::int32_t>& column, std::uint64_t count) const {
    std::vector<bool> used(size_of(count), false);
    for (const std::int32_t index : column)
      if (index >= 0) used[static_cast<std::size_t>(index)] = true;
    for (std::size_t i = 0; i < column.size(); ++i)
      if (column[i] == unset)
        column[i] = i < used.size() && !used[i] ? static_cast<std::int32_t>(i) : -1;
  }

 private:
  static constexpr int most_steps = 16;

  std::int32_t add(std::int32_t position, std::int32_t texcoord, std::int32_t normal) {
    to_.position.push_back(position);
    to_.texcoord.push_back(texcoord);
    to_.normal.push_back(normal);
    next_.push_back(-1);
    return static_cast<std::int32_t>(to_.position.size() - 1);
  }

  SplitVertices& to_;
  std::vector<std::int32_t> next_;  // another vertex of the same position, or -1
  std::map<std::array<std::int32_t, 3>, std::int32_t> others_;
};

bool counts_up(const std::vector<std::int32_t>& column, std::uint64_t count) {
  if (column.size() != count) return false;
  for (std::size_t i = 0; i < column.size(); ++i)
    if (column[i] != static_cast<std::int32_t>(i)) return false;
  return true;
}

}  // namespace

SplitVertices split_corners(std::uint64_t faces, const polycodec_array* positions,
                            const polycodec_array* texcoords, const polycodec_array* normals,
                            std::uint64_t position_count, std::uint64_t texcoord_count,
                            std::uint64_t normal_count) {
  SplitVertices made;
  Splitter splitter(position_count, made);
  if (faces != 0 && texcoord_count + normal_count != 0) {
    const Lists v(*positions);
    const Lists vt(texcoords != nullptr ? *texcoords : *positions);
    const Lists vn(normals != nullptr ? *normals : *positions);
    made.corners.reserve(static_cast<std::size_t>(v.total()));
    for (std::uint64_t i = 0; i < faces; ++i) {
      const Lists::Row row = v.row(i);
      const Lists::Row textures = texcoords != nullptr ? vt.row(i) : Lists::Row{nullptr, 0};
      const Lists::Row directions = normals != nullptr ? vn.row(i) : Lists::Row{nullptr, 0};
      const auto index = [](const Lists& lists, const Lists::Row& from, std::uint64_t k) {
        return k < from.count ? static_cast<std::int32_t>(lists.integer(from, k)) : -1;
      };
      for (std::uint64_t k = 0; k < row.count; ++k)
        made.corners.push_back(splitter.vertex(static_cast<std::int32_t>(v.integer(row, k)),
                                               index(vt, textures, k), index(vn, directions, k)));
    }
  }
  splitter.fill(made.texcoord, texcoord_count);
  splitter.fill(made.normal, normal_count);
  if (made.size() == position_count) made.corners = {};
  made.all_texcoords = texcoord_count == 0 || counts_up(made.texcoord, texcoord_count);
  made.all_normals = normal_count == 0 || counts_up(made.normal, normal_count);
  return made;
}

}  // namespace polycodec::mesh
