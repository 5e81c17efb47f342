// SPDX-License-Identifier: MIT
// The memory that a value consists of, each byte once.
#pragma once

#include <polycodec/error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace polycodec::wire {

/// A run of memory, and where it is in the frames: its address, or the index of its first node.
struct Extent {
  std::uintptr_t begin, end;
  std::uint64_t at = 0;

  std::uint64_t size() const noexcept { return end - begin; }
};

inline std::uintptr_t number(const void* pointer) noexcept {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

/// Distinct memory: extents that overlap or touch are one.
class Extents {
 public:
  void add(const void* data, std::uint64_t size) {
    const auto begin = number(data);
    if (size == 0) return;
    if (!all_.empty() && begin >= all_.back().begin && begin <= all_.back().end) {
      all_.back().end = std::max<std::uintptr_t>(all_.back().end, begin + size);
      return;
    }
    all_.push_back({begin, begin + size});
  }
  /// Ends adding. `step`: what lies in one extent is whole multiples of this away from its begin.
  void merge(std::uint64_t step = 1) {
    std::ranges::sort(all_, {}, &Extent::begin);
    std::size_t kept = 0;
    for (const Extent& next : all_) {
      if (kept == 0 || next.begin > all_[kept - 1].end) {
        all_[kept++] = next;
        continue;
      }
      Extent& last = all_[kept - 1];
      if ((next.begin - last.begin) % step != 0)
        throw Error(Status::invalid, "nodes of the value overlap");
      last.end = std::max(last.end, next.end);
    }
    all_.resize(kept);
  }
  std::vector<Extent>& all() noexcept { return all_; }
  /// The extent that holds what was added at `data`.
  const Extent& find(const void* data) const noexcept {
    const auto at = number(data);
    if (last_ < all_.size() && at >= all_[last_].begin && at < all_[last_].end) return all_[last_];
    last_ = static_cast<std::size_t>(std::ranges::upper_bound(all_, at, {}, &Extent::begin) -
                                     all_.begin()) -
            1;
    return all_[last_];
  }

 private:
  std::vector<Extent> all_;
  mutable std::size_t last_ = 0;
};

}  // namespace polycodec::wire
