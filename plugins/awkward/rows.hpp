// SPDX-License-Identifier: MIT
// Which rows of an array are written.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace polycodec::awkward {

/// Rows that follow each other.
struct Run {
  std::uint64_t begin;
  std::uint64_t count;
};

/// Rows of an array in the order in which they are to be written, as runs that are as long as
/// possible.
class Rows {
 public:
  Rows() = default;
  Rows(std::uint64_t begin, std::uint64_t count) { add(begin, count); }

  /// Appends rows; those that go on where the last run ends become part of it.
  void add(std::uint64_t begin, std::uint64_t count = 1) {
    if (count == 0) return;
    count_ += count;
    if (!runs_.empty() && runs_.back().begin + runs_.back().count == begin) {
      runs_.back().count += count;
    } else {
      runs_.push_back({begin, count});
    }
  }

  std::uint64_t count() const noexcept { return count_; }
  std::span<const Run> runs() const noexcept { return runs_; }
  /// True if these are the first `length` rows, in order.
  bool is_all(std::uint64_t length) const noexcept {
    return count_ == length && (length == 0 || (runs_.size() == 1 && runs_[0].begin == 0));
  }

 private:
  std::vector<Run> runs_;
  std::uint64_t count_ = 0;
};

/// The rows of a content that an index picks, each once and in the order of the content.
struct Picked {
  Rows rows;
  std::vector<std::int64_t> index;  ///< the place of each picked row in `rows`; -1 stays
  bool in_order = true;             ///< `index` is 0, 1, 2, ..: no index is needed

  /// `index` has items below `length`, or -1 for none. Takes memory in proportion to the smaller of
  /// both.
  static Picked from(std::vector<std::int64_t> index, std::uint64_t length);
};

template <class Visit>
void for_each_row(const Rows& rows, Visit visit) {
  for (const Run& run : rows.runs())
    for (std::uint64_t i = run.begin; i < run.begin + run.count; ++i) visit(i);
}

}  // namespace polycodec::awkward
