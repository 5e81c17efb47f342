// SPDX-License-Identifier: MIT
#include "registry/isolation/segment_pool.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

namespace polycodec::isolation {
namespace {

constexpr std::uint64_t least_segment = std::uint64_t{64} << 20;
constexpr std::size_t most_used = 32;
constexpr std::size_t most_free = 8;
/// As much as arenas of the host keep, for what is read and what is written.
constexpr std::uint64_t most_held = std::uint64_t{256} << 20;

}  // namespace

std::shared_ptr<Segment> SegmentPool::take(Writer writer, std::uint64_t least, bool is_small) {
  const std::uint64_t size =
      std::bit_ceil(std::max(least, std::min(least_segment, largest_segment())));
  std::unique_ptr<Segment> segment;
  int directory = -1;
  {
    const std::scoped_lock lock(mutex_);
    // The last one that came back: the worker may still have it mapped.
    const auto fits = [&](const auto& one) {
      return one->writer() == writer && one->size() >= size;
    };
    auto found = std::find_if(free_.rbegin(), free_.rend(), [&](const auto& one) {
      return fits(one) && (one->arena_touched == 0) == is_small;
    });
    if (found == free_.rend()) found = std::find_if(free_.rbegin(), free_.rend(), fits);
    if (found != free_.rend()) {
      segment = std::move(*found);
      free_.erase(std::next(found).base());
      held_ -= segment->touched;
    }
    free_.reserve(most_free);  // giving back needs no memory
    ++used_;
    directory = directory_.get();
  }
  try {
    if (segment == nullptr) segment = std::make_unique<Segment>(writer, size, directory);
    return {segment.release(), [pool = weak_from_this()](Segment* used) {
              std::unique_ptr<Segment> back(used);
              if (const auto still = pool.lock()) still->give(std::move(back));
            }};
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    --used_;
    throw;
  }
}

void SegmentPool::use_directory(FileHandle directory) noexcept {
  const std::scoped_lock lock(mutex_);
  if (!directory_.is_open()) directory_ = std::move(directory);
}

bool SegmentPool::is_crowded() const noexcept {
  const std::scoped_lock lock(mutex_);
  return used_ > most_used;
}

void SegmentPool::give(std::unique_ptr<Segment> segment) noexcept {
  std::unique_ptr<Segment> oldest;
  const bool is_clear = !clears_ || (segment->is_whole() && segment->clear());
  const std::scoped_lock lock(mutex_);
  --used_;
  if (!is_clear || !segment->is_whole() || segment->touched > most_held) return;
  if (free_.size() == most_free || held_ + segment->touched > most_held) {
    if (free_.empty()) return;
    oldest = std::move(free_.front());
    free_.erase(free_.begin());
    held_ -= oldest->touched;
    if (held_ + segment->touched > most_held) return;
  }
  held_ += segment->touched;
  free_.push_back(std::move(segment));
}

}  // namespace polycodec::isolation
