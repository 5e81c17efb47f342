// SPDX-License-Identifier: MIT
#include "rows.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace polycodec::awkward {

Picked Picked::from(std::vector<std::int64_t> index, std::uint64_t length) {
  Picked picked;
  picked.index = std::move(index);
  const bool rising =
      std::ranges::adjacent_find(picked.index, std::greater_equal<>()) == picked.index.end() &&
      (picked.index.empty() || picked.index.front() >= 0);
  if (rising) {
    for (std::size_t i = 0; i < picked.index.size(); ++i) {
      picked.rows.add(static_cast<std::uint64_t>(picked.index[i]));
      picked.index[i] = static_cast<std::int64_t>(i);
    }
    return picked;
  }
  picked.in_order = false;
  if (length / 4 <= picked.index.size()) {
    // Most rows may be picked: a place for each of them tells the new number.
    std::vector<std::int64_t> place(static_cast<std::size_t>(length), -1);
    for (const std::int64_t row : picked.index)
      if (row >= 0) place[static_cast<std::size_t>(row)] = 0;
    std::int64_t next = 0;
    for (std::size_t row = 0; row < place.size(); ++row) {
      if (place[row] < 0) continue;
      place[row] = next++;
      picked.rows.add(row);
    }
    for (std::int64_t& row : picked.index)
      if (row >= 0) row = place[static_cast<std::size_t>(row)];
    return picked;
  }
  std::vector<std::int64_t> used(picked.index);
  std::ranges::sort(used);
  used.erase(std::unique(used.begin(), used.end()), used.end());
  if (!used.empty() && used.front() < 0) used.erase(used.begin());
  for (const std::int64_t row : used) picked.rows.add(static_cast<std::uint64_t>(row));
  for (std::int64_t& row : picked.index)
    if (row >= 0) row = std::ranges::lower_bound(used, row) - used.begin();
  return picked;
}

}  // namespace polycodec::awkward
