// SPDX-License-Identifier: MIT
#include <base/growing.hpp>
#include <model/mesh/corners.hpp>

#include <array>
#include <cstddef>
#include <map>
#include <numeric>
#include <span>
#include <vector>

namespace polycodec::mesh {
namespace {

constexpr std::int32_t unset = -2;

using IndexColumn = Growing<std::int32_t>;

class Splitter {
 public:
  Splitter(std::uint64_t positions, Builder& out)
      : position_(out), texcoord_(out), normal_(out), next_(out) {
    std::int32_t* const numbers = position_.extend(positions);
    std::iota(numbers, numbers + positions, 0);
    texcoord_.fill(positions, unset);
    normal_.fill(positions, unset);
    next_.fill(positions, -1);
  }

  std::int32_t vertex(std::int32_t position, std::int32_t texcoord, std::int32_t normal) {
    auto at = static_cast<std::uint64_t>(position);
    if (texcoord_[at] == unset) {
      texcoord_[at] = texcoord;
      normal_[at] = normal;
      return position;
    }
    for (int steps = 0; steps < most_steps; ++steps) {
      if (texcoord_[at] == texcoord && normal_[at] == normal) return static_cast<std::int32_t>(at);
      if (next_[at] < 0) {
        const std::int32_t added = add(position, texcoord, normal);
        return next_[at] = added;
      }
      at = static_cast<std::uint64_t>(next_[at]);
    }
    // A position with many combinations, such as the tip of a cone, is not a reason for long walks.
    const auto [found, added] = others_.try_emplace({position, texcoord, normal}, 0);
    if (added) found->second = add(position, texcoord, normal);
    return found->second;
  }

  /// All vertices. What those without a corner have depends on how many of each there are.
  SplitVertices finish(std::uint64_t positions, std::uint64_t texcoords, std::uint64_t normals) {
    SplitVertices made;
    made.size = position_.size();
    if (made.size != positions) made.position = position_.take();
    made.all_texcoords = finish(texcoord_, texcoords);
    if (!made.all_texcoords) made.texcoord = texcoord_.take();
    made.all_normals = finish(normal_, normals);
    if (!made.all_normals) made.normal = normal_.take();
    return made;
  }

 private:
  static constexpr int most_steps = 16;

  std::int32_t add(std::int32_t position, std::int32_t texcoord, std::int32_t normal) {
    position_.push(position);
    texcoord_.push(texcoord);
    normal_.push(normal);
    next_.push(-1);
    return static_cast<std::int32_t>(position_.size() - 1);
  }

  /// True if the column counts up to `count`.
  static bool finish(IndexColumn& column, std::uint64_t count) {
    if (count == 0) return true;
    std::vector<bool> used(static_cast<std::size_t>(count), false);
    for (std::uint64_t i = 0; i < column.size(); ++i)
      if (column[i] >= 0) used[static_cast<std::size_t>(column[i])] = true;
    bool counts_up = column.size() == count;
    for (std::uint64_t i = 0; i < column.size(); ++i) {
      if (column[i] == unset)
        column[i] =
            i < count && !used[static_cast<std::size_t>(i)] ? static_cast<std::int32_t>(i) : -1;
      counts_up = counts_up && column[i] == static_cast<std::int32_t>(i);
    }
    return counts_up;
  }

  IndexColumn position_, texcoord_, normal_;
  IndexColumn next_;  // another vertex of the same position, or -1
  std::map<std::array<std::int32_t, 3>, std::int32_t> others_;
};

}  // namespace

SplitVertices split_corners(std::uint64_t faces, const polycodec_array* positions,
                            const polycodec_array* texcoords, const polycodec_array* normals,
                            std::uint64_t position_count, std::uint64_t texcoord_count,
                            std::uint64_t normal_count, Builder& out) {
  if (texcoord_count + normal_count == 0) {
    SplitVertices made;
    made.size = position_count;
    return made;
  }
  Splitter splitter(position_count, out);
  IndexColumn corners(out);
  if (faces != 0) {
    const Lists v(*positions);
    const Lists vt(texcoords != nullptr ? *texcoords : *positions);
    const Lists vn(normals != nullptr ? *normals : *positions);
    corners.reserve(v.total());
    for (std::uint64_t i = 0; i < faces; ++i) {
      const Lists::Row row = v.row(i);
      const Lists::Row textures = texcoords != nullptr ? vt.row(i) : Lists::Row{nullptr, 0};
      const Lists::Row directions = normals != nullptr ? vn.row(i) : Lists::Row{nullptr, 0};
      const auto index = [](const Lists& lists, const Lists::Row& from, std::uint64_t k) {
        return k < from.count ? static_cast<std::int32_t>(lists.integer(from, k)) : -1;
      };
      for (std::uint64_t k = 0; k < row.count; ++k)
        corners.push(splitter.vertex(static_cast<std::int32_t>(v.integer(row, k)),
                                     index(vt, textures, k), index(vn, directions, k)));
    }
  }
  SplitVertices made = splitter.finish(position_count, texcoord_count, normal_count);
  if (made.size != position_count) made.corners = corners.take();
  return made;
}

}  // namespace polycodec::mesh
