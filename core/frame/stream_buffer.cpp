// SPDX-License-Identifier: MIT
#include "core/frame/stream_buffer.hpp"

#include <polycodec/error.hpp>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>

namespace polycodec {

namespace {

constexpr std::size_t least_capacity = std::size_t{64} << 10;

}  // namespace

std::span<char> StreamBuffer::window(std::size_t least) {
  if (capacity_ - end_ >= least) return {memory_.get() + end_, capacity_ - end_};
  const std::size_t held = end_ - begin_;
  if (least > SIZE_MAX / 4 - held)
    throw Error(Status::memory, "out of memory: a stream would hold too many bytes");
  bool pinned = memory_.use_count() > 1;
  // Who released the last pin in another thread has finished reading before this. ThreadSanitizer
  // does not see fences, and g++ warns of that; there is no other way to order what comes after
  // use_count().
#if defined(__SANITIZE_THREAD__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtsan"
#endif
  std::atomic_thread_fence(std::memory_order_acquire);
#if defined(__SANITIZE_THREAD__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
  // Moving to the front is paid for by the bytes that were dropped: there are at least as many.
  if (!pinned && begin_ >= held && capacity_ - held >= least) {
    if (held != 0) std::memmove(memory_.get(), memory_.get() + begin_, held);
  } else {
    // Twice what is held, so that growing costs each byte a bounded number of copies.
    const std::size_t wanted = std::max({least_capacity, held + least, 2 * held});
    std::shared_ptr<char[]> bigger;
    try {
      bigger = std::make_shared_for_overwrite<char[]>(wanted);
    } catch (const std::bad_alloc&) {
      throw Error(Status::memory,
                  "out of memory: a stream would hold " + std::to_string(wanted) + " bytes");
    }
    if (held != 0) std::memcpy(bigger.get(), memory_.get() + begin_, held);
    memory_ = std::move(bigger);
    capacity_ = wanted;
  }
  begin_ = 0;
  end_ = held;
  return {memory_.get() + end_, capacity_ - end_};
}

void StreamBuffer::append(std::string_view bytes) {
  if (bytes.empty()) return;
  std::memcpy(window(bytes.size()).data(), bytes.data(), bytes.size());
  commit(bytes.size());
}

void StreamBuffer::consume(std::size_t bytes) noexcept {
  begin_ += bytes;
  position_ += bytes;
}

}  // namespace polycodec
