// SPDX-License-Identifier: MIT
// Memory of the system for chunks and blocks.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>

namespace polycodec {

inline constexpr std::uint64_t huge_page = std::uint64_t{2} << 20;

/// `step`: a power of two. UINT64_MAX where the result would be larger.
constexpr std::uint64_t round_up(std::uint64_t size, std::uint64_t step) noexcept {
  return size > UINT64_MAX - step ? UINT64_MAX : (size + step - 1) & ~(step - 1);
}

/// Fresh memory, or null. Whole huge pages begin at one: others would be made of small pages, with
/// a fault for each, and so would those that move. Where the kernel refuses, nothing is lost.
inline std::uint8_t* map_pages(std::uint64_t bytes) noexcept {
  const bool huge = bytes % huge_page == 0 && bytes <= UINT64_MAX - huge_page;
  const auto all = static_cast<std::size_t>(huge ? bytes + huge_page : bytes);
  void* const mapped =
      ::mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  auto* const begin = static_cast<std::uint8_t*>(mapped);
  if (!huge) return begin;
  const std::uint64_t before = -reinterpret_cast<std::uintptr_t>(begin) % huge_page;
  if (before != 0) ::munmap(begin, static_cast<std::size_t>(before));
  ::munmap(begin + before + bytes, static_cast<std::size_t>(huge_page - before));
  ::madvise(begin + before, static_cast<std::size_t>(bytes), MADV_HUGEPAGE);
  return begin + before;
}

/// Gives pages back.
inline void unmap_pages(void* pages, std::uint64_t bytes) noexcept {
  ::munmap(pages, static_cast<std::size_t>(bytes));
}

/// Pages of another size with the same bytes: the system moves them. Null: they are as they were.
inline void* remap_pages(void* pages, std::uint64_t old_bytes, std::uint64_t bytes) noexcept {
  const auto from = static_cast<std::size_t>(old_bytes);
  const auto to = static_cast<std::size_t>(bytes);
  if (::mremap(pages, from, to, 0) != MAP_FAILED) return pages;
  if (bytes % huge_page != 0) {
    void* const moved = ::mremap(pages, from, to, MREMAP_MAYMOVE);
    return moved == MAP_FAILED ? nullptr : moved;
  }
  void* const place = map_pages(bytes);
  if (place == nullptr) return nullptr;
  void* const moved = ::mremap(pages, from, to, MREMAP_MAYMOVE | MREMAP_FIXED, place);
  if (moved == MAP_FAILED) {
    ::munmap(place, to);
    return nullptr;
  }
  ::madvise(moved, to, MADV_HUGEPAGE);
  return moved;
}

}  // namespace polycodec
