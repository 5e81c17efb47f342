// SPDX-License-Identifier: MIT
// Memory for values that a plugin makes on its way, such as the columns of another form of the
// value it encodes.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/error.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

namespace polycodec {

/// An arena of a plugin's own: what a Builder makes in it lives as long as the arena. For one
/// thread; not movable, because builders keep its address.
class ScratchArena {
 public:
  /// Gives out no more than `max_bytes`: take the call's limits().max_memory_bytes.
  explicit ScratchArena(std::uint64_t max_bytes) noexcept : left_(max_bytes) {
    arena_.struct_size = sizeof arena_;
    arena_.grow = &grow;
    arena_.resize = &resize;
    arena_.adopt = &adopt;
    arena_.private_data = this;
  }
  ScratchArena(const ScratchArena&) = delete;
  ScratchArena& operator=(const ScratchArena&) = delete;
  ~ScratchArena() {
    for (auto at = adopted_.rbegin(); at != adopted_.rend(); ++at) at->release(at->object);
    for (void* chunk : chunks_) std::free(chunk);
  }

  polycodec_arena* abi() noexcept { return &arena_; }

 private:
  struct Adopted {
    void* object;
    void (*release)(void*);
  };

  static std::int32_t grow(polycodec_arena* arena, std::uint64_t size, std::uint64_t align,
                           void** memory, polycodec_error* error) {
    constexpr std::uint64_t chunk_size = 65536;
    auto& self = *static_cast<ScratchArena*>(arena->private_data);
    align = std::max<std::uint64_t>(align, alignof(std::max_align_t));
    if (size > self.left_ || size > UINT64_MAX / 2)
      return fill_error(error, Status::limit, "the value needs more memory than the limits allow");
    const std::uint64_t own =
        size > chunk_size / 4 ? size : chunk_size;  // large pieces do not end the chunk in use
    const std::uint64_t rounded = (std::max<std::uint64_t>(own, 1) + align - 1) / align * align;
    return guard(error, [&] {
      std::unique_ptr<void, void (*)(void*)> chunk(
          std::aligned_alloc(static_cast<std::size_t>(align), static_cast<std::size_t>(rounded)),
          [](void* p) { std::free(p); });
      if (chunk == nullptr) throw std::bad_alloc();
      self.chunks_.push_back(chunk.get());
      *memory = chunk.release();
      self.left_ -= std::min(self.left_, rounded);
      if (own == chunk_size) {
        arena->cursor = static_cast<std::uint8_t*>(*memory) + size;
        arena->limit = static_cast<std::uint8_t*>(*memory) + rounded;
      }
    });
  }

  static std::int32_t resize(polycodec_arena* arena, void** memory, std::uint64_t old_size,
                             std::uint64_t size, std::uint64_t align, polycodec_error* error) {
    auto* const old = static_cast<std::uint8_t*>(*memory);
    if (old != nullptr && old + old_size == arena->cursor &&
        size <= static_cast<std::uint64_t>(arena->limit - old)) {
      arena->cursor = old + size;
      return POLYCODEC_OK;
    }
    void* const made = polycodec_arena_alloc(arena, size, align, error);
    if (made == nullptr) return error->code;
    if (old_size != 0) std::memcpy(made, old, static_cast<std::size_t>(std::min(old_size, size)));
    *memory = made;
    return POLYCODEC_OK;
  }

  static std::int32_t adopt(polycodec_arena* arena, void* object, void (*release)(void*),
                            const polycodec_bytes*, std::uint64_t, polycodec_error* error) {
    const std::int32_t code = guard(error, [&] {
      static_cast<ScratchArena*>(arena->private_data)->adopted_.push_back({object, release});
    });
    if (code != POLYCODEC_OK) release(object);
    return code;
  }

  polycodec_arena arena_{};
  std::uint64_t left_;
  std::vector<void*> chunks_;
  std::vector<Adopted> adopted_;
};

}  // namespace polycodec
