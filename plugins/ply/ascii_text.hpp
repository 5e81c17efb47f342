// SPDX-License-Identifier: MIT
// Words of ascii bodies.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace polycodec::ply {

inline constexpr bool is_space(char c) noexcept {
  constexpr std::uint64_t spaces = std::uint64_t{1} << ' ' | std::uint64_t{1} << '\n' |
                                   std::uint64_t{1} << '\r' | std::uint64_t{1} << '\t';
  return static_cast<unsigned char>(c) <= ' ' && (spaces >> static_cast<unsigned char>(c) & 1) != 0;
}

/// The end of the word at `at`: eight bytes a step, of a machine with the lowest byte first.
inline const char* word_end(const char* at, const char* end) noexcept {
  constexpr std::uint64_t each = 0x0101010101010101;
  while (end - at >= 8) {
    std::uint64_t bytes;
    std::memcpy(&bytes, at, sizeof bytes);
    // Marks the first byte up to ' '. A borrow may mark later ones, too.
    const std::uint64_t found = (bytes - each * (' ' + 1)) & ~bytes & each * 0x80;
    if (found == 0) {
      at += 8;
      continue;
    }
    at += std::countr_zero(found) / 8;
    if (is_space(*at)) return at;
    ++at;
  }
  while (at != end && !is_space(*at)) ++at;
  return at;
}

}  // namespace polycodec::ply
