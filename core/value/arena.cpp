// SPDX-License-Identifier: MIT
#include "core/value/arena.hpp"

#include <polycodec/error.hpp>

#include "core/call/border.hpp"
#include "core/call/budget.hpp"
#include "core/call/chunk_pool.hpp"
#include "core/call/file_memory.hpp"
#include "core/call/pages.hpp"
#include "core/call/thread_end.hpp"
#include "core/value/value.hpp"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <new>
#include <string>
#include <system_error>
#include <utility>

namespace polycodec {
namespace {

constexpr std::uint64_t first_chunk = std::uint64_t{16} << 10;
constexpr std::uint64_t largest_chunk = std::uint64_t{64} << 20;

void give_arena(void* memory) noexcept {
  ::operator delete (memory, std::align_val_t{alignof(Arena)});
}

/// Memory of freed arenas. Other objects of the thread may free theirs when it has ended.
struct FreeArenas : ThreadEnd {
  void* memory[16];
  std::size_t n;
  bool is_known;  // to the end of the thread
  bool has_ended;
};

void free_all(ThreadEnd& self) noexcept {
  auto& kept = static_cast<FreeArenas&>(self);
  kept.has_ended = true;
  while (kept.n != 0) give_arena(kept.memory[--kept.n]);
}

thread_local constinit FreeArenas free_arenas{{&free_all}, {}, 0, false, false};

}  // namespace

void* Arena::operator new(std::size_t size) {
  FreeArenas& kept = free_arenas;
  if (kept.n != 0) return kept.memory[--kept.n];
  return ::operator new (size, std::align_val_t{alignof(Arena)});
}

void Arena::operator delete(void* memory) noexcept {
  FreeArenas& kept = free_arenas;
  if (kept.has_ended || kept.n == std::size(kept.memory)) return give_arena(memory);
  if (!kept.is_known && !(kept.is_known = at_thread_end(kept))) return give_arena(memory);
  kept.memory[kept.n++] = memory;
}

struct Arena::Thunks {
  static Arena& self(polycodec_arena* arena) noexcept {
    return *static_cast<Arena*>(arena->private_data);
  }
  static std::int32_t grow(polycodec_arena* arena, std::uint64_t size, std::uint64_t align,
                           void** memory, polycodec_error* error) {
    return self(arena).grow(size, align, *memory, error);
  }
  static std::int32_t resize(polycodec_arena* arena, void** memory, std::uint64_t old_size,
                             std::uint64_t size, std::uint64_t align, polycodec_error* error) {
    return self(arena).resize(*memory, old_size, size, align, error);
  }
  static std::int32_t adopt(polycodec_arena* arena, void* object, void (*release)(void*),
                            const polycodec_bytes* extents, std::uint64_t n_extents,
                            polycodec_error* error) {
    const auto code = guard(error, [&] {
      Arena& at = self(arena);
      std::uint64_t size = 0;
      for (std::uint64_t i = 0; i < n_extents; ++i)
        if (__builtin_add_overflow(size, extents[i].size, &size)) size = UINT64_MAX;
      at.adopted_.reserve(at.adopted_.size() + 1);
      at.extents_.reserve(at.extents_.size() + n_extents);
      if (!at.charge(size)) {
        auto refused = make_error();
        throw to_error(at.refuse(size, &refused), refused);
      }
      at.adopted_.push_back({object, release});
      for (std::uint64_t i = 0; i < n_extents; ++i)
        at.extents_.push_back(to_string_view(extents[i]));
    });
    if (code != POLYCODEC_OK) give_back([&] { release(object); });
    return code;
  }
};

Arena::Arena(std::uint64_t max_bytes, Budget* budget) noexcept
    : Regions(false),
      abi_{sizeof(polycodec_arena),
           0,
           inline_,
           inline_ + sizeof inline_,
           nullptr,
           nullptr,
           nullptr,
           nullptr},
      max_bytes_(max_bytes),
      budget_(budget) {
  abi_.private_data = this;
  abi_.grow = &Thunks::grow;
  abi_.resize = &Thunks::resize;
  abi_.adopt = &Thunks::adopt;
}

Arena* Arena::of(polycodec_arena* abi) noexcept {
  return abi->grow == &Thunks::grow ? &Thunks::self(abi) : nullptr;
}

Arena::~Arena() {
  release_all();
  for (const Chunk& chunk : chunks_) give(chunk);
}

void Arena::reset(std::uint64_t max_bytes, Budget* budget) noexcept {
  release_all();
  next_chunk_ = 0;
  max_bytes_ = max_bytes;
  budget_ = budget;
  has_origin_ = false;
  abi_.cursor = inline_;
  abi_.limit = inline_ + sizeof inline_;
}

void Arena::release_all() noexcept {
  while (!adopted_.empty()) {
    const Adopted last = adopted_.back();
    adopted_.pop_back();
    give_back([&] { last.release(last.object); });
  }
  for (const auto& extent : extents_) reserved_ -= extent.size();
  extents_.clear();
  parts_.clear();
  // Owners go after what was adopted, which may refer to them.
  owners_.clear();
  for (const Chunk& block : blocks_) {
    give_block(block);
    reserved_ -= block.used;
  }
  blocks_.clear();
  if (budget_ != nullptr) budget_->give_memory(charged_);
  charged_ = 0;
}

void Arena::give(const Chunk& chunk) noexcept {
  if (chunk.is_in_file)
    FileMemory::instance().give(chunk.data);
  else
    ChunkPool::instance().give(chunk.data, chunk.size);
}

/// True if what was charged last is to lie in a file.
bool Arena::is_beyond_machine() const noexcept {
  return budget_ != nullptr && budget_->is_beyond_machine();
}

bool Arena::charge(std::uint64_t bytes) noexcept {
  if (bytes > max_bytes_ - std::min(max_bytes_, reserved_)) return false;
  if (budget_ != nullptr && !budget_->take_memory(bytes)) return false;
  if (budget_ != nullptr) charged_ += bytes;
  reserved_ += bytes;
  return true;
}

std::int32_t Arena::refuse(std::uint64_t size, polycodec_error* error) const noexcept {
  return guard(error, [&] {
    const std::uint64_t most =
        budget_ == nullptr ? max_bytes_ : std::min(max_bytes_, budget_->max_memory());
    throw Error(Status::limit, "the value would take " + std::to_string(size) +
                                   " bytes more than max_memory_bytes (" + std::to_string(most) +
                                   ") allows" +
                                   (budget_ != nullptr && budget_->is_bound_by_machine()
                                        ? "; set max_resident_bytes to keep more in a file"
                                        : ""))
        .detail("limit.max_memory_bytes");
  });
}

std::int32_t Arena::refuse_room(bool is_in_file, polycodec_error* error) noexcept {
  if (!is_in_file)
    return polycodec_fail(error, POLYCODEC_ERROR_MEMORY, POLYCODEC_NO_OFFSET,
                          "the machine has no memory left for the value");
  return guard(error, [reason = errno] {
    throw Error(Status::memory,
                "the part of the value beyond max_resident_bytes has no room in a file of the "
                "directory TMPDIR (without it, /var/tmp): " +
                    std::generic_category().message(reason) +
                    "; set TMPDIR to a directory with more room");
  });
}

void Arena::close_chunk() noexcept {
  if (next_chunk_ == 0) {
    inline_used_ = static_cast<std::uint64_t>(abi_.cursor - inline_);
    return;
  }
  Chunk& chunk = chunks_[next_chunk_ - 1];
  if (abi_.cursor >= chunk.data && abi_.cursor <= chunk.data + chunk.size)
    chunk.used = static_cast<std::uint64_t>(abi_.cursor - chunk.data);
}

std::int32_t Arena::grow(std::uint64_t size, std::uint64_t align, void*& memory,
                         polycodec_error* error) {
  std::uint64_t need = 0;
  if (align == 0 || align > 4096 || (align & (align - 1)) != 0)
    return polycodec_fail(error, POLYCODEC_ERROR_PLUGIN, POLYCODEC_NO_OFFSET,
                          "memory was asked for at an alignment that is not a power of two up to "
                          "4096");
  if (__builtin_add_overflow(size, align, &need)) return refuse(size, error);
  const auto use = [&](const Chunk& chunk) {
    abi_.cursor = chunk.data;
    abi_.limit = chunk.data + chunk.size;
    memory = polycodec_arena_alloc(&abi_, size, align, error);
    return std::int32_t{POLYCODEC_OK};
  };
  close_chunk();
  while (next_chunk_ < chunks_.size()) {
    Chunk& chunk = chunks_[next_chunk_];
    if (budget_ != nullptr) {
      if (!budget_->take_memory(chunk.size)) return refuse(size, error);
      charged_ += chunk.size;
    }
    ++next_chunk_;
    chunk.used = 0;
    if (chunk.size >= need) return use(chunk);
  }

  const std::uint64_t wish =
      chunks_.empty() ? first_chunk : std::min(chunks_.back().size * 4, largest_chunk);
  const std::uint64_t least = std::max(wish, need);
  std::uint64_t chunk_size = round_up(least, least >= huge_page ? huge_page : 4096);
  if (!charge(chunk_size)) {
    // Near the limit, take just what is asked for rather than a geometric step.
    chunk_size = round_up(need, 64);
    if (chunk_size < need || !charge(chunk_size)) return refuse(size, error);
  }
  Chunk chunk{nullptr, chunk_size, 0, is_beyond_machine()};
  chunk.data = chunk.is_in_file ? FileMemory::instance().take(chunk_size)
                                : ChunkPool::instance().take(chunk_size);
  if (chunk.data == nullptr) {
    reserved_ -= chunk_size;
    return refuse_room(chunk.is_in_file, error);
  }
  try {
    chunks_.push_back(chunk);
  } catch (const std::bad_alloc&) {
    give(chunk);
    reserved_ -= chunk_size;
    return refuse_room(false, error);
  }
  next_chunk_ = chunks_.size();
  return use(chunks_.back());
}

void Arena::settle(bool charged) noexcept {
  if (budget_ != nullptr && !charged) budget_->give_memory(charged_);
  budget_ = nullptr;
  charged_ = 0;
}

std::uint64_t Arena::used_bytes() const noexcept {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i + 1 < next_chunk_; ++i) bytes += chunks_[i].used;
  if (next_chunk_ != 0)
    bytes += static_cast<std::uint64_t>(abi_.cursor - chunks_[next_chunk_ - 1].data);
  for (const Chunk& block : blocks_) bytes += block.used;
  for (const auto& extent : extents_) bytes += extent.size();
  for (const Owner& owner : owners_) bytes += owner.bytes.size();
  for (const auto& part : parts_) bytes += part->used_bytes();
  return bytes;
}

void Arena::keep(std::shared_ptr<const void> owner, std::string_view bytes, const Regions* regions,
                 bool stable) {
  if (!owners_.empty() && owner != nullptr && owners_.back().owner == owner &&
      owners_.back().bytes.data() == bytes.data() && owners_.back().regions == regions)
    return;
  if (owners_.capacity() == 0) owners_.reserve(2);  // the input, and the codec
  owners_.push_back({std::move(owner), bytes, regions, stable});
}

void Arena::join(std::unique_ptr<Arena> part) {
  charged_ += part->charged_;
  part->charged_ = 0;
  part->settle();
  parts_.push_back(std::move(part));
}

std::string_view Arena::own_region(const void* data, std::uint64_t size) const noexcept {
  std::string_view found;
  const auto in = [&](const std::uint8_t* begin, std::uint64_t used, std::uint64_t most) {
    found = region_around(to_string_view(begin, std::min(used, most)), data, size);
    return !found.empty();
  };
  const auto used_of = [&](const std::uint8_t* begin) {
    return static_cast<std::uint64_t>(abi_.cursor - begin);
  };
  for (std::size_t i = next_chunk_; i-- > 0;) {
    const Chunk& chunk = chunks_[i];
    if (in(chunk.data, i + 1 == next_chunk_ ? used_of(chunk.data) : chunk.used, chunk.size))
      return found;
  }
  if (in(inline_, next_chunk_ == 0 ? used_of(inline_) : inline_used_, sizeof inline_)) return found;
  for (const Chunk& block : blocks_)
    if (in(block.data, block.used, block.used)) return found;
  for (const auto& part : parts_)
    if (found = part->own_region(data, size); !found.empty()) break;
  return found;
}

std::string_view Arena::region_of(const void* data, std::uint64_t size) const noexcept {
  for (const Owner& owner : owners_)
    if (const auto found = region_around(owner.bytes, data, size); !found.empty()) return found;
  std::string_view found = own_region(data, size);
  if (!found.empty()) return found;
  for (const auto& extent : extents_)
    if (found = region_around(extent, data, size); !found.empty()) return found;
  for (const auto& part : parts_)
    if (found = part->region_of(data, size); !found.empty()) return found;
  for (const Owner& owner : owners_) {
    if (owner.regions != nullptr) found = owner.regions->region_of(data, size);
    if (!found.empty()) break;
  }
  return found;
}

bool Arena::do_is_stable() const noexcept {
  return std::ranges::all_of(owners_, [](const Owner& owner) {
    return owner.stable && (owner.regions == nullptr || owner.regions->is_stable());
  });
}

bool Arena::may_change(const void* data, std::uint64_t size) const noexcept {
  return std::ranges::any_of(owners_, [&](const Owner& owner) {
    return (!owner.stable && !region_around(owner.bytes, data, size).empty()) ||
           (owner.regions != nullptr && owner.regions->may_change(data, size));
  });
}

void set_arena_pool_bytes(std::uint64_t bytes) noexcept {
  ChunkPool::instance().set_keep(bytes);
}

void trim() noexcept {
  ChunkPool::instance().trim();
}

}  // namespace polycodec
