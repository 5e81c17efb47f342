// SPDX-License-Identifier: MIT
#include "edges.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace polycodec::cli {
namespace {

// Calls visit(low, high, backward) for each side of a face.
template <class Visit>
void each_side(const Surface& s, std::uint64_t face, const Visit& visit) {
  const auto row = s.face(face);
  for (std::size_t k = 0; k < row.size(); ++k) {
    const std::uint32_t a = s.place[row[k]];
    const std::uint32_t b = s.place[row[(k + 1) % row.size()]];
    if (a != b) visit(std::min(a, b), std::max(a, b), a > b);
  }
}

}  // namespace

Edges::Edges(const Surface& surface, const std::vector<bool>& skipped, Meter& meter)
    : starts_(surface.positions.size() + 2) {
  // A counting sort by the low end; what shares it is sorted by the high end.
  for (std::uint64_t i = 0; i < surface.faces(); ++i) {
    if (skipped[static_cast<std::size_t>(i)]) continue;
    meter.tick(4 * surface.face(i).size());
    each_side(surface, i, [&](std::uint32_t low, std::uint32_t, bool) { ++starts_[low + 2]; });
  }
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  uses_.resize(static_cast<std::size_t>(starts_.back()));
  for (std::uint64_t i = 0; i < surface.faces(); ++i) {
    if (skipped[static_cast<std::size_t>(i)]) continue;
    meter.tick(4 * surface.face(i).size());
    each_side(surface, i, [&](std::uint32_t low, std::uint32_t high, bool backward) {
      uses_[static_cast<std::size_t>(starts_[low + 1]++)] = {
          high, static_cast<std::uint32_t>(i) & 0x7fffffff, backward ? 1u : 0u};
    });
  }
  starts_.pop_back();
  for (std::size_t low = 0; low + 1 < starts_.size(); ++low) {
    const auto begin = uses_.begin() + static_cast<std::ptrdiff_t>(starts_[low]);
    const auto end = uses_.begin() + static_cast<std::ptrdiff_t>(starts_[low + 1]);
    meter.tick(static_cast<std::uint64_t>(end - begin) * 8);
    std::sort(begin, end, [](const EdgeUse& a, const EdgeUse& b) {
      return a.high != b.high ? a.high < b.high : a.face < b.face;
    });
  }
}

namespace {

/// Sets of faces that know for each face whether it must be turned to agree with its root.
class Agreement {
 public:
  explicit Agreement(std::size_t faces) : up_(faces), size_(faces, 1), turned_(faces) {
    std::iota(up_.begin(), up_.end(), 0u);
  }
  struct Place {
    std::uint32_t root;
    bool turned;
  };
  Place find(std::uint32_t face) {
    std::uint32_t root = face;
    bool turned = false;
    while (up_[root] != root) {
      turned = turned != turned_[root];
      root = up_[root];
    }
    for (bool of_face = turned; up_[face] != face;) {  // hang all of the path on the root
      const std::uint32_t next = up_[face];
      const bool of_next = of_face != turned_[face];
      up_[face] = root;
      turned_[face] = of_face;
      face = next;
      of_face = of_next;
    }
    return {root, turned};
  }
  // False if the two cannot agree any more.
  bool join(std::uint32_t a, std::uint32_t b, bool opposite) {
    Place x = find(a);
    Place y = find(b);
    const bool turned = (x.turned != y.turned) != opposite;
    if (x.root == y.root) return !turned;
    if (size_[x.root] < size_[y.root]) std::swap(x, y);
    up_[y.root] = x.root;
    turned_[y.root] = turned;
    size_[x.root] += size_[y.root];
    return true;
  }

 private:
  std::vector<std::uint32_t> up_, size_;
  std::vector<bool> turned_;
};

bool is_within(const Shell& inner, const Shell& outer) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (inner.least[axis] <= outer.least[axis] || inner.greatest[axis] >= outer.greatest[axis])
      return false;
  return true;
}

// Compares with the largest shells only, so that many shells take linear time.
void find_inner_shells(std::vector<Shell>& shells) {
  constexpr std::size_t most = 64;
  std::vector<std::size_t> outer;
  for (std::size_t i = 0; i < shells.size(); ++i)
    if (shells[i].volume > 0) outer.push_back(i);
  const auto middle = outer.begin() + static_cast<std::ptrdiff_t>(std::min(most, outer.size()));
  std::partial_sort(outer.begin(), middle, outer.end(), [&](std::size_t a, std::size_t b) {
    return shells[a].volume > shells[b].volume;
  });
  outer.erase(middle, outer.end());
  for (Shell& shell : shells)
    for (const std::size_t i : outer)
      shell.inside = shell.inside || (&shell != &shells[i] && is_within(shell, shells[i]));
}

}  // namespace

Shells shells_of(const Surface& s, const Edges& edges, const std::vector<bool>& skipped, bool turn,
                 Meter& meter) {
  constexpr auto no_shell = UINT32_MAX;
  const auto n = static_cast<std::size_t>(s.faces());
  Agreement sets(n);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> disagreeing;
  std::vector<std::uint32_t> open;
  edges.each([&](std::uint32_t, std::uint32_t, std::span<const EdgeUse> uses) {
    meter.tick(8);
    if (uses.size() != 2) {
      for (const EdgeUse& use : uses) open.push_back(use.face);
      return;
    }
    if (!sets.join(uses[0].face, uses[1].face, uses[0].backward == uses[1].backward))
      disagreeing.emplace_back(uses[0].face, uses[1].face);
  });

  Shells out;
  out.of_face.assign(n, no_shell);
  out.turned.assign(n, false);
  std::vector<std::uint32_t> of_root(n, no_shell);
  std::vector<std::uint64_t> to_turn;
  for (std::uint32_t i = 0; i < n; ++i) {
    if (skipped[i]) continue;
    meter.tick(4);
    const auto [root, turned] = sets.find(i);
    if (of_root[root] == no_shell) {
      of_root[root] = static_cast<std::uint32_t>(out.all.size());
      Shell& made = out.all.emplace_back();
      made.first_face = i;
      constexpr double huge = std::numeric_limits<double>::infinity();
      made.least = {huge, huge, huge};
      made.greatest = {-huge, -huge, -huge};
      to_turn.push_back(0);
    }
    const std::uint32_t shell = out.of_face[i] = of_root[root];
    ++out.all[shell].faces;
    to_turn[shell] += turned ? 1 : 0;
    out.turned[i] = turned;
    for (const std::uint32_t corner : s.face(i)) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        Shell& made = out.all[shell];
        made.least[axis] = std::min(made.least[axis], s.positions[corner][axis]);
        made.greatest[axis] = std::max(made.greatest[axis], s.positions[corner][axis]);
      }
    }
  }
  for (const std::uint32_t face : open) out.all[out.of_face[face]].closed = false;
  for (const auto& [a, b] : disagreeing) {
    out.all[out.of_face[a]].oriented = false;
    out.all[out.of_face[a]].one_sided = true;
  }
  for (std::size_t i = 0; i < out.all.size(); ++i)
    if (!turn && to_turn[i] != 0 && to_turn[i] != out.all[i].faces) out.all[i].oriented = false;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t shell = out.of_face[i];
    if (shell == no_shell) continue;
    meter.tick(4 + s.face(i).size());
    // Of two halves that disagree the smaller one turns.
    const std::uint64_t count = to_turn[shell];
    const std::uint64_t faces = out.all[shell].faces;
    out.turned[i] = out.turned[i] != (2 * count > faces || count == faces);
    if (out.all[shell].one_sided) out.turned[i] = false;
    Shell& whole = out.all[shell];
    if (!whole.closed || !whole.oriented) continue;
    // The volume of the pyramid from the middle of the shell's box to the face.
    const Point middle = (whole.least + whole.greatest) * 0.5;
    const double volume = dot(s.positions[s.face(i)[0]] - middle, s.face_vector(i)) / 6;
    whole.volume += turn && out.turned[i] ? -volume : volume;
  }
  find_inner_shells(out.all);
  return out;
}

}  // namespace polycodec::cli
