// SPDX-License-Identifier: MIT
// Room for the open levels of a walk through a value.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

namespace polycodec {

/// An array of frames that are not initialized. Most values are shallow: the first 32 levels need
/// no allocation, which would take as long as all else does for a small value. For one thread; not
/// movable.
template <class Frame>
class FrameRoom {
  static_assert(std::is_trivially_copyable_v<Frame> &&
                std::is_trivially_default_constructible_v<Frame>);

 public:
  FrameRoom() noexcept {}  // NOLINT: the frames are not initialized
  FrameRoom(const FrameRoom&) = delete;
  FrameRoom& operator=(const FrameRoom&) = delete;

  Frame& operator[](std::size_t level) noexcept { return frames_[level]; }
  const Frame& operator[](std::size_t level) const noexcept { return frames_[level]; }
  Frame* data() noexcept { return frames_; }
  std::size_t size() const noexcept { return size_; }
  /// Twice as many levels. References to frames end. Throws std::bad_alloc.
  [[gnu::cold, gnu::noinline]] void grow() {
    std::vector<Frame> larger(frames_, frames_ + size_);
    larger.resize(size_ * 2);
    heap_.swap(larger);
    frames_ = heap_.data();
    size_ = heap_.size();
  }

 private:
  Frame inline_[32];
  std::vector<Frame> heap_;
  Frame* frames_ = inline_;
  std::size_t size_ = std::size_t{32};
};

}  // namespace polycodec
