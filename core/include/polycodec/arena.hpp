// SPDX-License-Identifier: MIT
// The memory of a value: one bump allocator, freed or reused as a whole.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/export.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace polycodec {

/// Host side of polycodec_arena. Chunks grow geometrically and come from a process-wide pool, because touching fresh
/// pages costs several times more than decoding into them. For one thread; not movable (plugins hold its address).
class POLYCODEC_API Arena {
 public:
  /// `max_bytes`: the most memory that all chunks together may take.
  explicit Arena(std::uint64_t max_bytes = UINT64_MAX) noexcept;
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// What is handed to plugins and builders; valid as long as the arena.
  polycodec_arena* abi() noexcept { return &abi_; }

  /// Forgets all that was allocated and releases adopted objects; keeps the chunks for the next value.
  void reset(std::uint64_t max_bytes) noexcept;

  /// Bytes of all chunks that this arena holds.
  std::uint64_t reserved_bytes() const noexcept { return reserved_; }
  /// True if an allocation was refused because of max_bytes since the last reset.
  bool limit_hit() const noexcept { return limit_hit_; }

  /// Calls release(object) when the arena is freed or reset; at once if there is no memory to remember it.
  std::int32_t adopt(void* object, void (*release)(void*)) noexcept;

 private:
  struct Chunk {
    std::uint8_t* data;
    std::uint64_t size;
  };
  struct Adopted {
    void* object;
    void (*release)(void*);
  };
  static void* grow(polycodec_arena* arena, std::uint64_t size, std::uint64_t align);
  static std::int32_t adopt_thunk(polycodec_arena* arena, void* object, void (*release)(void*));
  void release_adopted() noexcept;

  polycodec_arena abi_;
  std::vector<Chunk> chunks_;
  std::vector<Adopted> adopted_;
  std::size_t next_chunk_ = 0;  // chunks before this one are in use; later ones are left from before a reset
  std::uint64_t max_bytes_;
  std::uint64_t reserved_ = 0;
  bool limit_hit_ = false;
  alignas(64) std::uint8_t inline_[832];  // most small messages need no chunk at all
};

/// How much memory of freed arenas the process keeps for the next ones (default 128 MiB; 0: none). [thread-safe]
POLYCODEC_API void set_arena_pool_bytes(std::uint64_t bytes) noexcept;

}  // namespace polycodec
