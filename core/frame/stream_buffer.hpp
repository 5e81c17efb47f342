// SPDX-License-Identifier: MIT
// Bytes that arrive piece by piece and leave as whole messages or values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace polycodec {

/// A queue of bytes in one piece of memory: bytes are appended, looked at in place, and dropped
/// from the front. Memory grows with the bytes that are held, to at most twice the most that were
/// held at a time (and 64 KiB at least), never with a size that somebody announces. Each byte is
/// moved a bounded number of times on average. For one thread; what pin() gives may be released in
/// any thread.
class StreamBuffer {
 public:
  StreamBuffer() noexcept = default;
  StreamBuffer(const StreamBuffer&) = delete;
  StreamBuffer& operator=(const StreamBuffer&) = delete;

  /// The bytes that are held. Valid until the next call of window(), append() or consume(), or
  /// longer with pin().
  std::string_view view() const noexcept { return {memory_.get() + begin_, end_ - begin_}; }
  /// How many bytes were dropped from the front so far: the offset of view() in the stream.
  std::uint64_t position() const noexcept { return position_; }

  /// Room for at least `least` bytes (not 0) after the held ones, to be filled by read(2) or the
  /// like; then call commit(). Throws Status::memory.
  std::span<char> window(std::size_t least);
  /// Says that the first `bytes` of the window are filled.
  void commit(std::size_t bytes) noexcept { end_ += bytes; }
  /// Appends a copy of `bytes`. Throws Status::memory.
  void append(std::string_view bytes);
  /// Drops `bytes` held bytes from the front.
  void consume(std::size_t bytes) noexcept;

  /// Keeps the memory behind what view() gave since the last window() or append() alive and
  /// unchanged as long as it lives, so that values may view it. The buffer continues in other
  /// memory when it needs room.
  std::shared_ptr<const void> pin() const noexcept { return memory_; }

 private:
  std::shared_ptr<char[]> memory_;
  std::size_t capacity_ = 0, begin_ = 0, end_ = 0;
  std::uint64_t position_ = 0;
};

}  // namespace polycodec
