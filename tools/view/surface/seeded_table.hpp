// SPDX-License-Identifier: MIT
// A hash table of row numbers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace polycodec::cli {

/// Mixes words into a hash whose seed differs from run to run, so that no file can be made to
/// collide.
class SeededHash {
 public:
  SeededHash() {
    std::random_device random;
    for (std::uint64_t& seed : seeds_)
      seed = (static_cast<std::uint64_t>(random()) << 32 | random()) | 1;
  }
  std::uint64_t operator()(std::uint64_t state, std::uint64_t word) const noexcept {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(word ^ seeds_[0] ^ state) * (seeds_[1] + (state | 1));
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }

 private:
  std::uint64_t seeds_[2];
};

/// A set of rows (numbers below 2^32 - 1) by a hash and an equality that the caller brings.
class RowTable {
 public:
  static constexpr std::uint32_t none = UINT32_MAX;

  explicit RowTable(std::uint64_t rows)
      : slots_(static_cast<std::size_t>(std::bit_ceil(rows + rows / 2 + 2)), none) {}

  /// The row that equals `row` and was added before; adds `row` and returns it if there is none.
  template <class Equal>
  std::uint32_t add(std::uint64_t hash, std::uint32_t row, const Equal& equal) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = static_cast<std::size_t>(hash >> 7) & mask;; at = (at + 1) & mask) {
      if (slots_[at] == none) return slots_[at] = row;
      if (equal(slots_[at])) return slots_[at];
    }
  }

  /// The row that equals what the caller looks for, or `none`.
  template <class Equal>
  std::uint32_t find(std::uint64_t hash, const Equal& equal) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = static_cast<std::size_t>(hash >> 7) & mask;; at = (at + 1) & mask)
      if (slots_[at] == none || equal(slots_[at])) return slots_[at];
  }

 private:
  std::vector<std::uint32_t> slots_;
};

}  // namespace polycodec::cli
