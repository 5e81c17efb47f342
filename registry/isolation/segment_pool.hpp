// SPDX-License-Identifier: MIT
// Segments that were used and are used again: their pages are there already.
#pragma once

#include "registry/isolation/window.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace polycodec::isolation {

/// The segments of one plugin under one rule: no other plugin sees what was in them. [thread-safe]
class SegmentPool : public std::enable_shared_from_this<SegmentPool> {
 public:
  /// `clears`: no call learns from a segment what was in another one.
  explicit SegmentPool(bool clears) noexcept : clears_(clears) {}
  /// A segment of at least `least` bytes, which comes back when its last user is gone. `is_small`:
  /// rather one that has no pages, which would all be cleared afterwards. Throws Status::memory.
  std::shared_ptr<Segment> take(Writer writer, std::uint64_t least, bool is_small = false);
  /// Segments are made in this directory from now on; see Segment.
  void use_directory(FileHandle directory) noexcept;
  /// True if so many segments are in use that each should be as small as it can be.
  bool is_crowded() const noexcept;

 private:
  void give(std::unique_ptr<Segment> segment) noexcept;

  const bool clears_;
  mutable std::mutex mutex_;
  std::size_t used_ = 0;
  FileHandle directory_;
  std::uint64_t held_ = 0;  // bytes with pages
  std::vector<std::unique_ptr<Segment>> free_;
};

}  // namespace polycodec::isolation
