// SPDX-License-Identifier: MIT
#include "core/call/chunk_pool.hpp"

#include "core/call/blocked_signals.hpp"
#include "core/call/pages.hpp"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <new>
#include <utility>

namespace polycodec {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool pooling = false;  // reuse would hide a use after free from the sanitizer
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool pooling = false;
#else
constexpr bool pooling = true;
#endif
#else
constexpr bool pooling = true;
#endif

/// Small ones are of the heap, which would keep large ones when they are freed.
std::uint8_t* allocate_chunk(std::uint64_t size) noexcept {
  if (size < ChunkPool::least_mapped)
    return static_cast<std::uint8_t*>(std::aligned_alloc(64, size));
  return map_pages(size);
}

void free_chunk(std::uint8_t* data, std::uint64_t size) noexcept {
  if (size < ChunkPool::least_mapped)
    std::free(data);
  else
    ::munmap(data, static_cast<std::size_t>(size));
}

}  // namespace

/// Chunks that are given back when nobody waits for the lock.
struct ChunkPool::Released {
  Released() = default;
  ~Released() {
    for (std::size_t i = 0; i < count; ++i) free_chunk(chunks[i].data, chunks[i].size);
  }
  Released(const Released&) = delete;
  Released& operator=(const Released&) = delete;

  std::array<Chunk, 64> chunks;
  std::size_t count = 0;
};

/// Ends the thread before its code can go, with the process or with the library.
struct ChunkPool::AtEnd {
  AtEnd() = default;
  ~AtEnd() {
    ChunkPool& pool = instance();
    std::unique_lock lock(pool.mutex_);
    pool.may_watch_ = false;
    pool.end_watch(lock);
  }
  AtEnd(const AtEnd&) = delete;
  AtEnd& operator=(const AtEnd&) = delete;
};

ChunkPool& ChunkPool::instance() noexcept {
  alignas(ChunkPool) static std::byte storage[sizeof(ChunkPool)];
  static ChunkPool* const pool = new (storage) ChunkPool;
  return *pool;
}

namespace {
/// Made with the library, as the key in thread_end.cpp is.
[[maybe_unused]] const ChunkPool& first_pool = ChunkPool::instance();
}  // namespace

ChunkPool::ChunkPool() noexcept {
  const auto before = [] {
    ChunkPool& pool = instance();
    Released released;
    std::unique_lock lock(pool.mutex_);
    pool.end_watch(lock);
    if (pool.held_ > calm_bytes) pool.release(calm_bytes, released);
    static_cast<void>(lock.release());  // held until the fork is over
  };
  const auto after = [] { instance().mutex_.unlock(); };
  may_watch_ = ::pthread_atfork(before, after, after) == 0;
}

std::uint8_t* ChunkPool::take(std::uint64_t size) noexcept {
  {
    const std::scoped_lock lock(mutex_);
    ++uses_;
    for (std::size_t i = count_; i-- > 0;)
      if (chunks_[i].size == size) return take_out(i);
  }
  return allocate_chunk(size);
}

std::uint8_t* ChunkPool::take_kept(std::uint64_t& size) noexcept {
  // A block that grows soon needs more; one that does not shall not keep much from others.
  const std::uint64_t most = size > UINT64_MAX / 8 ? UINT64_MAX : size * 8;
  const std::scoped_lock lock(mutex_);
  ++uses_;
  std::size_t best = count_;
  for (std::size_t i = 0; i < count_; ++i) {
    const std::uint64_t held = chunks_[i].size;
    if (held >= std::max(size, least_mapped) && held <= most &&
        (best == count_ || held < chunks_[best].size))
      best = i;
  }
  if (best == count_) return nullptr;
  size = chunks_[best].size;
  return take_out(best);
}

std::uint8_t* ChunkPool::take_out(std::size_t i) noexcept {
  const Chunk chunk = chunks_[i];
  held_ -= chunk.size;
  chunks_[i] = chunks_[--count_];
  return chunk.data;
}

void ChunkPool::give(std::uint8_t* data, std::uint64_t size) noexcept {
  {
    const std::scoped_lock lock(mutex_);
    ++uses_;
    const bool has_room = held_ <= keep_ && size <= keep_ - held_ && count_ != chunks_.size();
    if (pooling && has_room && (held_ + size <= calm_bytes || begin_watch())) {
      chunks_[count_++] = {data, size};
      held_ += size;
      return;
    }
  }
  free_chunk(data, size);
}

void ChunkPool::set_keep(std::uint64_t bytes) noexcept {
  Released released;
  const std::scoped_lock lock(mutex_);
  keep_ = bytes;
  release(bytes, released);
}

void ChunkPool::trim() noexcept {
  Released released;
  const std::scoped_lock lock(mutex_);
  release(0, released);
}

std::uint64_t ChunkPool::held_bytes() noexcept {
  const std::scoped_lock lock(mutex_);
  return held_;
}

bool ChunkPool::is_watched() noexcept {
  const std::scoped_lock lock(mutex_);
  return is_watched_;
}

void ChunkPool::release(std::uint64_t bytes, Released& to) noexcept {
  while (held_ > bytes) {
    const Chunk chunk = chunks_[--count_];
    held_ -= chunk.size;
    to.chunks[to.count++] = chunk;
  }
}

bool ChunkPool::begin_watch() noexcept {
  if (is_watched_ && !ends_) return true;
  if (ends_ || !may_watch_) return false;
  static const AtEnd at_end;
  if (watcher_.joinable()) watcher_.join();  // it has given up the lock for good
  const BlockedSignals blocked;
  try {
    watcher_ = std::thread([this] { watch(); });
    is_watched_ = true;
  } catch (const std::exception&) {
    // Then there is less to keep.
  }
  return is_watched_;
}

void ChunkPool::end_watch(std::unique_lock<std::mutex>& lock) noexcept {
  wake_.wait(lock, [this] { return !ends_; });  // another thread ends it
  if (!watcher_.joinable()) return;
  ends_ = true;
  wake_.notify_all();
  lock.unlock();
  watcher_.join();
  lock.lock();
  is_watched_ = ends_ = false;
  wake_.notify_all();
}

void ChunkPool::watch() noexcept {
  ::pthread_setname_np(::pthread_self(), "polycodec");
  Released released;
  std::unique_lock lock(mutex_);
  for (std::uint64_t seen = uses_ - 1; seen != uses_;) {
    seen = uses_;
    const auto idle = std::chrono::milliseconds(idle_milliseconds);
    if (wake_.wait_for(lock, idle, [this] { return ends_; })) return;
  }
  release(calm_bytes, released);
  is_watched_ = false;
}

}  // namespace polycodec
