// SPDX-License-Identifier: MIT
// Loops over many items of an array that decide about layouts once a run instead of once an item.
#pragma once

#include <base/structure.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace polycodec {

/// True for a layout that only chooses or hides items of its children: OPTION_*, INDEXED, CHUNKED.
inline bool is_choice(const polycodec_array& array) noexcept {
  return array.layout >= POLYCODEC_LAYOUT_OPTION_BYTES && array.layout <= POLYCODEC_LAYOUT_CHUNKED;
}

/// The chunk of a CHUNKED array that has item `i`, which becomes its index there: binary search
/// where there are offsets, and of few chunks one by one. Unchecked.
inline std::uint32_t find_chunk(const polycodec_array& array, std::uint64_t& i) noexcept {
  std::uint32_t low = 0;
  if (array.offsets.data == nullptr) {
    while (i >= array.children[low]->length) i -= array.children[low++]->length;
    return low;
  }
  for (std::uint32_t high = array.n_children; high - low > 1;) {
    const std::uint32_t middle = low + (high - low) / 2;
    (static_cast<std::uint64_t>(structure_item(array.offsets, middle)) <= i ? low : high) = middle;
  }
  i -= static_cast<std::uint64_t>(structure_item(array.offsets, low));
  return low;
}

/// `count` items that are rows [at, at + count) of an array that is no choice; `array` null: they
/// are missing.
struct Run {
  const polycodec_array* array;
  std::uint64_t at, count;
};

/// The items of a valid array as runs. Each structure column is read once, so that a whole loop is
/// linear in its items and in the choices that nest; for random access View is faster. Below
/// `levels` choices runs are single items.
class Runs {
 public:
  Runs(const polycodec_array* array, std::uint64_t first) noexcept {
    level_[0] = {array, first, 0};
  }

  /// The next run, of at most `most` items (at least 1, and no more than are left).
  Run next(std::uint64_t most) noexcept {
    Run run{nullptr, 0, most};
    std::size_t depth = 0;
    for (; level_[depth].array != nullptr && is_choice(*level_[depth].array); ++depth) {
      Level& here = level_[depth];
      if (depth == levels) {
        const Run item = single(*here.array, here.at);
        run = {item.array, item.at, 1};
        advance(depth, 1);
        return run;
      }
      if (here.left == 0) {
        const Run first = chosen(*here.array, here.at);
        here.left = length(*here.array, here.at, first, run.count);
        level_[depth + 1] = {first.array, first.at, 0};
      }
      run.count = std::min(run.count, here.left);
    }
    run.array = level_[depth].array;
    run.at = level_[depth].at;
    advance(depth, run.count);
    return run;
  }

 private:
  static constexpr std::size_t levels = 8;
  struct Level {
    const polycodec_array* array;
    std::uint64_t at;
    std::uint64_t left;  ///< items from `at` on that are one run of the next level
  };

  void advance(std::size_t depth, std::uint64_t count) noexcept {
    for (std::size_t i = 0; i <= depth; ++i) {
      level_[i].at += count;
      if (i < depth) level_[i].left -= count;
    }
  }

  /// Item i of a choice as an item of a child.
  static Run chosen(const polycodec_array& array, std::uint64_t i) noexcept {
    if (array.layout == POLYCODEC_LAYOUT_CHUNKED) {
      const std::uint32_t chunk = find_chunk(array, i);
      return {array.children[chunk], i, 1};
    }
    if (!is_present(array, i)) return {nullptr, i, 1};
    if (array.layout == POLYCODEC_LAYOUT_INDEXED)
      i = static_cast<std::uint64_t>(structure_item(array.index, i));
    return {array.children[0], i, 1};
  }
  static Run single(const polycodec_array& array, std::uint64_t i) noexcept {
    Run item{&array, i, 1};
    while (item.array != nullptr && is_choice(*item.array)) item = chosen(*item.array, item.at);
    return item;
  }
  /// How many items from i on, of at most `most`, follow each other where the first one lies.
  static std::uint64_t length(const polycodec_array& array, std::uint64_t i, const Run& first,
                              std::uint64_t most) noexcept {
    std::uint64_t n = 1;
    if (array.layout == POLYCODEC_LAYOUT_CHUNKED)
      return std::min(first.array->length - first.at, most);
    if (array.layout == POLYCODEC_LAYOUT_INDEXED && first.array != nullptr) {
      while (n < most &&
             structure_item(array.index, i + n) == static_cast<std::int64_t>(first.at + n))
        ++n;
      return n;
    }
    while (n < most && is_present(array, i + n) == (first.array != nullptr)) ++n;
    return n;
  }

  std::array<Level, levels + 1> level_;
};

}  // namespace polycodec
