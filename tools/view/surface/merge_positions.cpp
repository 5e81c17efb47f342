// SPDX-License-Identifier: MIT
// Positions that are the same, or close to each other, become one.
#include "check.hpp"
#include "check_normals.hpp"
#include "repair.hpp"
#include "rows_of_mesh.hpp"
#include "seeded_table.hpp"

#include <bit>
#include <numeric>

namespace polycodec::cli {
namespace {

/// Finds for each position an earlier one that it may become. Only positions with the same
/// attributes do.
class Merger {
  struct Attribute {
    MeshNumbers numbers;
    std::uint64_t width;
  };

  // Positions of one cell with the attributes of `row`.
  auto same_cell(const Point& cell, std::uint32_t row) const {
    return [this, cell, row](std::uint32_t other) {
      const Point& q = points_[other];
      return std::floor(q[0] / distance_) == cell[0] && std::floor(q[1] / distance_) == cell[1] &&
             std::floor(q[2] / distance_) == cell[2] && same_attributes(m_, other, row);
    };
  }

 public:
  Merger(const Mesh& m, const std::vector<Point>& points, double distance, Meter& meter)
      : m_(m), points_(points), distance_(distance), meter_(meter), table_(points.size()) {
    const auto watch = [&](const MeshNumbers& numbers, std::uint64_t width) {
      if (!numbers.empty()) attributes_.push_back({numbers, width});
    };
    watch(m.alpha, 1);
    watch(m.colors, 3);
    if (is_of_positions(m, m.normal_count(), m.corner_normals)) watch(m.normals, 3);
    if (is_of_positions(m, m.texcoord_count(), m.corner_texcoords)) watch(m.texcoords, 2);
    for (const Attribute& attribute : attributes_) width_ += attribute.width;
    if (distance > 0) next_.assign(points.size(), RowTable::none);
  }

  std::uint32_t find(std::uint32_t i) {
    const Point& p = points_[i];
    if (!is_finite(p)) return i;
    if (distance_ == 0) {
      meter_.tick(8 + 4 * width_);
      return table_.add(hash_of(p, i), i, [&](std::uint32_t other) {
        return points_[other] == p && same_attributes(m_, other, i);
      });
    }
    // Cells are as wide as the distance, so what is near lies in one of 27 cells. Within a cell
    // few positions stay apart from each other.
    const Point cell{std::floor(p[0] / distance_), std::floor(p[1] / distance_),
                     std::floor(p[2] / distance_)};
    std::uint32_t best = i;
    double best_square = distance_ * distance_;
    for (int at = 0; at < 27; ++at) {
      meter_.tick(8 + 4 * width_);
      const Point near{cell[0] + at % 3 - 1, cell[1] + at / 3 % 3 - 1, cell[2] + at / 9 - 1.0};
      std::uint32_t other = first_in(near, i);
      for (; other != RowTable::none; other = next_[other]) {
        meter_.tick(4);
        const Point apart = points_[other] - p;
        const double square = dot(apart, apart);
        if (square > best_square || (square == best_square && best != i)) continue;
        best = other;
        best_square = square;
      }
    }
    if (best != i) return best;
    const std::uint32_t head = table_.add(hash_of(cell, i), i, same_cell(cell, i));
    if (head != i) {
      next_[i] = next_[head];
      next_[head] = i;
    }
    return i;
  }

 private:
  std::uint64_t hash_of(const Point& p, std::uint64_t row) const {
    const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x == 0 ? 0.0 : x); };
    std::uint64_t word = hash_(hash_(hash_(0, bits(p[0])), bits(p[1])), bits(p[2]));
    for (const Attribute& attribute : attributes_)
      for (std::uint64_t k = 0; k < attribute.width; ++k)
        word = hash_(word, bits(attribute.numbers[attribute.width * row + k]));
    return word;
  }
  std::uint32_t first_in(const Point& cell, std::uint32_t row) const {
    return table_.find(hash_of(cell, row), same_cell(cell, row));
  }

  const Mesh& m_;
  const std::vector<Point>& points_;
  const double distance_;
  Meter& meter_;
  const SeededHash hash_;
  RowTable table_;
  std::vector<Attribute> attributes_;
  std::uint64_t width_ = 0;  // of all attributes of a position
  std::vector<std::uint32_t> next_;
};

}  // namespace

std::vector<Change> merge_positions(Mesh& m, double distance, Builder& out, Meter& meter) {
  Change merged{"merge", "positions became an earlier one"};
  Change apart{"merge", "positions stay apart from an equal one, because their attributes differ"};
  Change flat{"merge", "faces have now two corners at one position"};
  const Surface before = surface_of(m, meter);
  const std::vector<Point>& points = before.positions;
  Merger merger(m, points, distance, meter);
  std::vector<std::uint32_t> kept;
  std::vector<std::uint32_t> now(points.size());
  for (std::uint32_t i = 0; i < points.size(); ++i) {
    const std::uint32_t to = merger.find(i);
    if (to == i) {
      now[i] = static_cast<std::uint32_t>(kept.size());
      kept.push_back(i);
      if (before.place[i] != i)
        apart.add([&] { return std::to_string(i) + " from " + std::to_string(before.place[i]); });
    } else {
      now[i] = now[to];
      merged.add([&] { return std::to_string(i) + " became " + std::to_string(to); });
    }
  }
  for (std::uint64_t face = 0; face < before.faces(); ++face) {
    const auto row = before.face(face);
    meter.tick(2 * row.size());
    bool now_flat = false;
    bool was_flat = false;
    for (std::size_t k = 0; k < row.size(); ++k) {
      const std::uint32_t a = row[k];
      const std::uint32_t b = row[(k + 1) % row.size()];
      now_flat = now_flat || now[a] == now[b];
      was_flat = was_flat || a == b;
    }
    if (now_flat && !was_flat) flat.add([&] { return "face " + std::to_string(face); });
  }
  if (merged.count != 0) keep_positions(m, out, kept, now);
  return {merged, apart, flat};
}

}  // namespace polycodec::cli
