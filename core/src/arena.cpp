// SPDX-License-Identifier: MIT
#include <polycodec/arena.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <new>

namespace polycodec {
namespace {

constexpr std::uint64_t first_chunk = std::uint64_t{16} << 10;
constexpr std::uint64_t largest_chunk = std::uint64_t{64} << 20;
constexpr std::uint64_t huge_page = std::uint64_t{2} << 20;

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

std::uint8_t* allocate_chunk(std::uint64_t size) noexcept {
  const bool huge = size % huge_page == 0;  // near its limit an arena takes less than a whole number of them
  void* p = std::aligned_alloc(huge ? huge_page : 64, size);
  // Huge pages turn 512 page faults into one; where the kernel refuses, nothing is lost.
  if (p != nullptr && huge) ::madvise(p, size, MADV_HUGEPAGE);
  return static_cast<std::uint8_t*>(p);
}

/// Chunks of freed arenas, by size class. Takes no memory of its own, and is deliberately never destroyed: values may
/// die in static destructors.
class ChunkPool {
 public:
  static ChunkPool& instance() noexcept {
    alignas(ChunkPool) static std::byte storage[sizeof(ChunkPool)];
    static ChunkPool* const pool = new (storage) ChunkPool;
    return *pool;
  }

  std::uint8_t* take(std::uint64_t size) noexcept {
    const std::scoped_lock lock(mutex_);
    for (std::size_t i = count_; i-- > 0;) {
      if (chunks_[i].size != size) continue;
      std::uint8_t* data = chunks_[i].data;
      held_ -= size;
      chunks_[i] = chunks_[--count_];
      return data;
    }
    return nullptr;
  }

  bool give(std::uint8_t* data, std::uint64_t size) noexcept {
    if (!pooling) return false;
    const std::scoped_lock lock(mutex_);
    if (held_ + size > keep_ || count_ == chunks_.size()) return false;
    chunks_[count_++] = {data, size};
    held_ += size;
    return true;
  }

  void set_keep(std::uint64_t bytes) noexcept {
    const std::scoped_lock lock(mutex_);
    keep_ = bytes;
    while (held_ > keep_) {
      held_ -= chunks_[--count_].size;
      std::free(chunks_[count_].data);
    }
  }

 private:
  struct Chunk {
    std::uint8_t* data;
    std::uint64_t size;
  };

  std::mutex mutex_;
  std::array<Chunk, 64> chunks_{};
  std::size_t count_ = 0;
  std::uint64_t held_ = 0;
  std::uint64_t keep_ = std::uint64_t{128} << 20;  // the chunks of a document of some two million nodes
};

}  // namespace

Arena::Arena(std::uint64_t max_bytes) noexcept
    : abi_{sizeof(polycodec_arena), 0, inline_, inline_ + sizeof inline_, &Arena::grow, &Arena::adopt_thunk, this},
      max_bytes_(max_bytes) {}

Arena::~Arena() {
  release_adopted();
  for (const Chunk& chunk : chunks_)
    if (!ChunkPool::instance().give(chunk.data, chunk.size)) std::free(chunk.data);
}

void Arena::reset(std::uint64_t max_bytes) noexcept {
  release_adopted();
  next_chunk_ = 0;
  limit_hit_ = false;
  max_bytes_ = max_bytes;
  abi_.cursor = inline_;
  abi_.limit = inline_ + sizeof inline_;
}

void Arena::release_adopted() noexcept {
  while (!adopted_.empty()) {
    const Adopted last = adopted_.back();
    adopted_.pop_back();
    last.release(last.object);
  }
}

std::int32_t Arena::adopt(void* object, void (*release)(void*)) noexcept {
  try {
    adopted_.push_back({object, release});
    return POLYCODEC_OK;
  } catch (const std::bad_alloc&) {
    release(object);
    return POLYCODEC_ERROR_MEMORY;
  }
}

std::int32_t Arena::adopt_thunk(polycodec_arena* arena, void* object, void (*release)(void*)) {
  return static_cast<Arena*>(arena->host_data)->adopt(object, release);
}

void* Arena::grow(polycodec_arena* abi, std::uint64_t size, std::uint64_t align) {
  auto* self = static_cast<Arena*>(abi->host_data);
  std::uint64_t need = 0;
  if (align == 0 || align > 4096 || __builtin_add_overflow(size, align, &need)) return nullptr;
  const auto use = [&](const Chunk& chunk) {
    abi->cursor = chunk.data;
    abi->limit = chunk.data + chunk.size;
    return polycodec_arena_alloc(abi, size, align);
  };
  while (self->next_chunk_ < self->chunks_.size()) {
    const Chunk& chunk = self->chunks_[self->next_chunk_++];
    if (chunk.size >= need) return use(chunk);
  }

  const std::uint64_t wish =
      self->chunks_.empty() ? first_chunk : std::min(self->chunks_.back().size * 4, largest_chunk);
  std::uint64_t chunk_size = std::max(wish, need);
  const std::uint64_t step = chunk_size >= huge_page ? huge_page : 4096;
  if (__builtin_add_overflow(chunk_size, step - 1, &chunk_size)) return nullptr;
  chunk_size &= ~(step - 1);
  const std::uint64_t left = self->max_bytes_ - std::min(self->max_bytes_, self->reserved_);
  if (chunk_size > left) {
    // Near the limit, take just what is asked for rather than a geometric step.
    chunk_size = (need + 63) & ~std::uint64_t{63};
    if (chunk_size < need || chunk_size > left) {
      self->limit_hit_ = true;
      return nullptr;
    }
  }
  try {
    self->chunks_.reserve(self->chunks_.size() + 1);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  std::uint8_t* data = ChunkPool::instance().take(chunk_size);
  if (data == nullptr) data = allocate_chunk(chunk_size);
  if (data == nullptr) return nullptr;
  self->chunks_.push_back({data, chunk_size});
  self->next_chunk_ = self->chunks_.size();
  self->reserved_ += chunk_size;
  return use(self->chunks_.back());
}

void set_arena_pool_bytes(std::uint64_t bytes) noexcept {
  ChunkPool::instance().set_keep(bytes);
}

}  // namespace polycodec
