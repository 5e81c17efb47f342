// SPDX-License-Identifier: MIT
// Memory for values that a plugin makes on its way, such as the columns of another form of the value it encodes.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/writer.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

namespace polycodec {

/// An arena of a plugin's own: what a Builder makes in it lives as long as the arena. For one thread; not movable,
/// because builders keep its address.
class ScratchArena {
 public:
  /// Gives out no more than `max_bytes`: take the call's limits().max_memory_bytes.
  explicit ScratchArena(std::uint64_t max_bytes) noexcept : left_(max_bytes) {
    arena_.struct_size = sizeof arena_;
    arena_.grow = &grow;
    arena_.adopt = &adopt;
    arena_.host_data = this;
  }
  ScratchArena(const ScratchArena&) = delete;
  ScratchArena& operator=(const ScratchArena&) = delete;
  ~ScratchArena() {
    for (auto at = adopted_.rbegin(); at != adopted_.rend(); ++at) at->release(at->object);
    for (void* chunk : chunks_) std::free(chunk);
  }

  /// A new arena that lives until the host has written what the encoder wrote, so that it may be referenced.
  static ScratchArena& owned_by(Writer& out, std::uint64_t max_bytes) {
    auto arena = std::make_unique<ScratchArena>(max_bytes);
    ScratchArena& made = *arena;
    out.adopt(arena.release(), [](void* object) { delete static_cast<ScratchArena*>(object); });
    return made;
  }

  polycodec_arena* abi() noexcept { return &arena_; }

 private:
  struct Adopted {
    void* object;
    void(POLYCODEC_ABI* release)(void*);
  };

  static void* POLYCODEC_ABI grow(polycodec_arena* arena, std::uint64_t size, std::uint64_t align) {
    constexpr std::uint64_t chunk_size = 65536;
    auto& self = *static_cast<ScratchArena*>(arena->host_data);
    align = std::max<std::uint64_t>(align, alignof(std::max_align_t));
    if (size > self.left_ || size > UINT64_MAX / 2) return nullptr;
    const std::uint64_t own = size > chunk_size / 4 ? size : chunk_size;  // large pieces do not end the chunk in use
    const std::uint64_t rounded = (std::max<std::uint64_t>(own, 1) + align - 1) / align * align;
    void* const memory = std::aligned_alloc(static_cast<std::size_t>(align), static_cast<std::size_t>(rounded));
    if (memory == nullptr) return nullptr;
    try {
      self.chunks_.push_back(memory);
    } catch (const std::bad_alloc&) {
      std::free(memory);
      return nullptr;
    }
    self.left_ -= std::min(self.left_, rounded);
    if (own == chunk_size) {
      arena->cursor = static_cast<std::uint8_t*>(memory) + size;
      arena->limit = static_cast<std::uint8_t*>(memory) + rounded;
    }
    return memory;
  }

  static std::int32_t POLYCODEC_ABI adopt(polycodec_arena* arena, void* object, void(POLYCODEC_ABI* release)(void*)) {
    try {
      static_cast<ScratchArena*>(arena->host_data)->adopted_.push_back({object, release});
      return POLYCODEC_OK;
    } catch (const std::bad_alloc&) {
      release(object);
      return POLYCODEC_ERROR_MEMORY;
    }
  }

  polycodec_arena arena_{};
  std::uint64_t left_;
  std::vector<void*> chunks_;
  std::vector<Adopted> adopted_;
};

}  // namespace polycodec
