// SPDX-License-Identifier: MIT
// Blocks of an arena: single allocations that grow.
#include <polycodec/error.hpp>

#include "core/call/border.hpp"
#include "core/call/budget.hpp"
#include "core/call/chunk_pool.hpp"
#include "core/call/file_memory.hpp"
#include "core/call/pages.hpp"
#include "core/value/arena.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace polycodec {
namespace {

/// Blocks that plugins resize are mapped from this size on: the system then moves pages instead of
/// bytes.
constexpr std::uint64_t least_block = ChunkPool::least_mapped;

}  // namespace

void Arena::give_block(const Chunk& block) noexcept {
  if (block.is_in_file || block.size >= ChunkPool::least_mapped) return give(block);
  unmap_pages(block.data, block.size);  // it has shrunk
}

std::int32_t Arena::map_block(std::uint64_t size, void*& memory, polycodec_error* error) {
  std::uint64_t bytes = round_up(size, huge_page);
  if (!charge(bytes)) {
    bytes = round_up(size, 4096);  // near the limit
    if (!charge(bytes)) return refuse(size, error);
  }
  Chunk block{nullptr, bytes, bytes, is_beyond_machine()};
  if (block.is_in_file) {
    block.data = FileMemory::instance().take(bytes);
  } else {
    block.data = ChunkPool::instance().take_kept(block.size);
    if (block.data == nullptr) block.data = map_pages(bytes);
  }
  if (block.data == nullptr) {
    reserved_ -= bytes;
    return refuse_room(block.is_in_file, error);
  }
  if (const auto code = guard(error, [&] { blocks_.push_back(block); }); code != POLYCODEC_OK) {
    give_block(block);
    reserved_ -= bytes;
    return code;
  }
  memory = block.data;
  return POLYCODEC_OK;
}

std::int32_t Arena::resize_block(Chunk& block, void*& memory, std::uint64_t old_size,
                                 std::uint64_t size, polycodec_error* error) {
  if (size > old_size && size <= block.used) return POLYCODEC_OK;
  const bool grows = size > block.used;
  std::uint64_t bytes = round_up(std::max<std::uint64_t>(size, 1), grows ? huge_page : 4096);
  if (grows && !charge(bytes - block.used)) {
    bytes = round_up(size, 4096);  // near the limit
    if (!charge(bytes - block.used)) return refuse(size, error);
  }
  const std::uint64_t before = std::exchange(block.used, bytes);
  if (grows && bytes <= block.size) return POLYCODEC_OK;
  std::uint64_t held = bytes;
  const bool is_in_file = block.is_in_file || (grows && is_beyond_machine());
  std::uint8_t* const other = !grows       ? nullptr
                              : is_in_file ? FileMemory::instance().take(bytes)
                                           : ChunkPool::instance().take_kept(held);
  if (!grows && is_in_file) {
    held = block.size;  // pages of a file stay
  } else if (other != nullptr) {
    std::memcpy(other, block.data, static_cast<std::size_t>(std::min(old_size, block.size)));
    give_block(block);
    block.data = other;
    block.is_in_file = is_in_file;
  } else if (void* const moved = is_in_file ? nullptr : remap_pages(block.data, block.size, bytes);
             moved != nullptr) {
    block.data = static_cast<std::uint8_t*>(moved);
  } else {
    if (grows) reserved_ -= bytes - before;
    block.used = before;
    return refuse_room(is_in_file, error);
  }
  block.size = held;
  if (!grows) {
    reserved_ -= before - bytes;
    if (budget_ != nullptr) budget_->give_memory(before - bytes), charged_ -= before - bytes;
  }
  memory = block.data;
  return POLYCODEC_OK;
}

std::int32_t Arena::resize(void*& memory, std::uint64_t old_size, std::uint64_t size,
                           std::uint64_t align, polycodec_error* error) {
  auto* const block = static_cast<std::uint8_t*>(memory);
  if (block != nullptr && size <= old_size && old_size < least_block) return POLYCODEC_OK;
  // The block at the end of a chunk grows in place.
  if (block != nullptr && block + old_size == abi_.cursor &&
      size - old_size <= static_cast<std::uint64_t>(abi_.limit - abi_.cursor)) {
    abi_.cursor = block + size;
    return POLYCODEC_OK;
  }
  const auto mapped = std::find_if(blocks_.begin(), blocks_.end(),
                                   [&](const Chunk& chunk) { return chunk.data == block; });
  if (block != nullptr && mapped != blocks_.end())
    return resize_block(*mapped, memory, old_size, size, error);
  if (block != nullptr && size <= old_size) return POLYCODEC_OK;
  void* fresh = nullptr;
  if (size >= least_block) {
    if (const auto code = map_block(size, fresh, error); code != POLYCODEC_OK) return code;
  } else {
    fresh = polycodec_arena_alloc(&abi_, size, align, error);
    if (fresh == nullptr) return error->code;
  }
  if (block != nullptr && old_size != 0)
    std::memcpy(fresh, block, static_cast<std::size_t>(std::min(old_size, size)));
  memory = fresh;
  return POLYCODEC_OK;
}

}  // namespace polycodec
