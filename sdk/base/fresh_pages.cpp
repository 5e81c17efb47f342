// SPDX-License-Identifier: MIT
#include "fresh_pages.hpp"

#ifndef __wasm__
#include <sys/mman.h>
#endif

namespace polycodec {

void touch(const FreshPages::Piece& piece) noexcept {
#ifdef MADV_POPULATE_WRITE
  constexpr std::uintptr_t alignment = 65536;  // of the small pages of any machine
  const auto begin = reinterpret_cast<std::uintptr_t>(piece.data);
  const std::uintptr_t before = begin % alignment;
  auto* const from = const_cast<std::byte*>(static_cast<const std::byte*>(piece.data)) - before;
  if (piece.size != 0)
    ::madvise(from, static_cast<std::size_t>(piece.size + before), MADV_POPULATE_WRITE);
#else
  static_cast<void>(piece);
#endif
}

}  // namespace polycodec
