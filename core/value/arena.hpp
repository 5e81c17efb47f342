// SPDX-License-Identifier: MIT
// The memory of a value: one bump allocator, freed or reused as a whole, with what it keeps alive.
#pragma once

#include <polycodec/abi.h>
#include <polycodec/bytes.hpp>

#include "core/call/limits.hpp"
#include "core/value/regions.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace polycodec {

class Budget;

/// What a decoded value comes from: the limits of the call, and the bytes that it was given. Walks
/// over the value may take what this earns.
struct Origin {
  Limits limits;
  std::uint64_t input = 0;
  std::uint64_t filtered = 0;
};

/// Host side of polycodec_arena. Chunks grow geometrically and come from a process-wide pool,
/// because touching fresh pages costs several times more than decoding into them. For one thread;
/// not movable (plugins hold its address).
class Arena final : public Regions {
 public:
  /// `max_bytes`: the most memory that all chunks together may take. `budget` (or null) is charged
  /// for it as well and must live until settle() or destruction, which gives the memory back.
  explicit Arena(std::uint64_t max_bytes = UINT64_MAX, Budget* budget = nullptr) noexcept;
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  /// The memory of a few arenas that this thread has freed is for the next ones: of this size and
  /// alignment, malloc takes a tenth of a small call.
  static void* operator new(std::size_t size);
  static void operator delete(void* memory) noexcept;

  /// What is handed to plugins and builders; valid as long as the arena.
  polycodec_arena* abi() noexcept { return &abi_; }

  /// Forgets all that was allocated, releases adopted objects and owners; keeps the chunks for the
  /// next value.
  void reset(std::uint64_t max_bytes, Budget* budget = nullptr) noexcept;
  /// A call begins that adds to what is there.
  void use(std::uint64_t max_bytes, Budget* budget) noexcept {
    max_bytes_ = max_bytes;
    budget_ = budget;
  }
  /// The call is over: no more is charged to its budget. What was stays charged, if `charged`.
  void settle(bool charged = true) noexcept;

  /// The arena behind what builders have, or null for an arena of another kind.
  static Arena* of(polycodec_arena* abi) noexcept;
  /// Charges `budget` until settle(), if nothing is charged for it yet. False if something is.
  bool charge_to(Budget& budget) noexcept {
    if (budget_ != nullptr) return false;
    budget_ = &budget;
    return true;
  }

  /// Bytes that a call on the value may take for granted as its input: what was allocated, adopted
  /// and kept.
  std::uint64_t used_bytes() const noexcept;
  /// Until reset(): where the value comes from, or null if that is not known.
  const Origin* origin() const noexcept { return has_origin_ ? &origin_ : nullptr; }
  void set_origin(const Origin& origin) noexcept {
    origin_ = origin;
    has_origin_ = true;
  }
  /// Bytes of all chunks that this arena holds.
  std::uint64_t reserved_bytes() const noexcept { return reserved_; }

  /// Keeps `owner` (may be null) as long as what is in the arena; what is in it may point to
  /// `bytes` and to `regions` (or null), which live as long as the owner. `stable`: nobody else can
  /// change the bytes. Throws std::bad_alloc.
  void keep(std::shared_ptr<const void> owner, std::string_view bytes = {},
            const Regions* regions = nullptr, bool stable = true);
  /// Makes the other arena, of a part of the same call, a part of this one.
  void join(std::unique_ptr<Arena> part);

  /// Memory of the arena that was handed out, adopted extents, and what the owners keep.
  std::string_view region_of(const void* data, std::uint64_t size) const noexcept override;
  bool may_change(const void* data, std::uint64_t size) const noexcept override;
  /// Where most of a value lies: its nodes in the last chunk, its bytes in the input.
  std::string_view last_region() const noexcept {
    const std::uint8_t* const begin = next_chunk_ == 0 ? inline_ : chunks_[next_chunk_ - 1].data;
    return abi_.cursor < begin || abi_.cursor > abi_.limit
               ? std::string_view()
               : to_string_view(begin, static_cast<std::uint64_t>(abi_.cursor - begin));
  }
  std::string_view first_bytes() const noexcept {
    return owners_.empty() ? std::string_view() : owners_.front().bytes;
  }
  /// True for memory that was handed out by this arena or one that has joined it.
  bool owns(const void* data, std::uint64_t size) const noexcept {
    return !own_region(data, size).empty();
  }

 private:
  struct Chunk {
    std::uint8_t* data;
    std::uint64_t size;
    std::uint64_t used;  // of a chunk: when the next one was begun; of a block: what is charged
    bool is_in_file = false;
  };
  struct Adopted {
    void* object;
    void (*release)(void*);
  };
  struct Owner {
    std::shared_ptr<const void> owner;
    std::string_view bytes;
    const Regions* regions;
    bool stable;
  };
  struct Thunks;
  bool do_is_stable() const noexcept override;
  std::string_view own_region(const void* data, std::uint64_t size) const noexcept;
  std::int32_t grow(std::uint64_t size, std::uint64_t align, void*& memory, polycodec_error* error);
  std::int32_t resize(void*& memory, std::uint64_t old_size, std::uint64_t size,
                      std::uint64_t align, polycodec_error* error);
  std::int32_t map_block(std::uint64_t size, void*& memory, polycodec_error* error);
  std::int32_t resize_block(Chunk& block, void*& memory, std::uint64_t old_size, std::uint64_t size,
                            polycodec_error* error);
  static void give(const Chunk& chunk) noexcept;
  static void give_block(const Chunk& block) noexcept;
  bool is_beyond_machine() const noexcept;
  static std::int32_t refuse_room(bool is_in_file, polycodec_error* error) noexcept;
  bool charge(std::uint64_t bytes) noexcept;
  std::int32_t refuse(std::uint64_t size, polycodec_error* error) const noexcept;
  void close_chunk() noexcept;
  void release_all() noexcept;

  polycodec_arena abi_;
  std::vector<Chunk> chunks_, blocks_;  // blocks: one allocation each, which may grow
  std::vector<Adopted> adopted_;
  std::vector<Owner> owners_;
  std::vector<std::unique_ptr<Arena>> parts_;  // that have joined
  std::vector<std::string_view> extents_;      // of what was adopted
  std::size_t next_chunk_ =
      0;  // chunks before this one are in use; later ones are left from before a reset
  std::uint64_t max_bytes_;
  std::uint64_t reserved_ = 0;  // of chunks and blocks, and what was adopted
  std::uint64_t charged_ = 0;   // to the budget
  Budget* budget_;
  Origin origin_;
  bool has_origin_ = false;
  std::uint64_t inline_used_ = 0;         // when the first chunk was begun
  alignas(64) std::uint8_t inline_[832];  // most small messages need no chunk at all
};

/// Ends the charges of an arena to its budget, which is gone before the arena.
class Settling {
 public:
  explicit Settling(Arena& arena) noexcept : arena_(arena) {}
  Settling(const Settling&) = delete;
  Settling& operator=(const Settling&) = delete;
  ~Settling() { arena_.settle(); }

 private:
  Arena& arena_;
};

}  // namespace polycodec
