// SPDX-License-Identifier: MIT
// Long text in chunks of whole lines, to read them at the same time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace polycodec {

/// Where the first lines from `begin` on end that have at least `bytes` bytes, or the text does. A
/// line that ends with `continued` (0: none) continues in the next one.
inline const char* cut_lines(const char* begin, const char* end, std::uint64_t bytes,
                             char continued = 0) noexcept {
  if (static_cast<std::uint64_t>(end - begin) <= bytes) return end;
  for (const char* at = begin + bytes - 1;;) {
    const auto* const newline =
        static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    if (newline == nullptr) return end;
    at = newline + 1;
    const char* last = newline;
    if (last != begin && last[-1] == '\r') --last;
    if (continued == 0 || last == begin || last[-1] != continued) return at;
  }
}

/// Where chunks of `text` begin, and where the last one ends: at most `most` of them, each of at
/// least `bytes` bytes up to the end of a line, or of the text. Takes time linear in the chunks.
inline std::vector<const char*> cut_lines(std::string_view text, std::uint64_t bytes,
                                          std::size_t most) {
  const char* const end = text.data() + text.size();
  std::vector<const char*> cuts{text.data()};
  while (cuts.back() != end && cuts.size() <= most)
    cuts.push_back(cut_lines(cuts.back(), end, bytes));
  return cuts;
}

/// How many newlines `text` has. In runs that counters of one byte can hold, so that compilers take
/// as many bytes at once as the processor can.
inline std::uint64_t count_newlines(std::string_view text) noexcept {
  constexpr std::size_t lanes = 64;
  const char* p = text.data();
  const char* const end = p + text.size();
  std::uint64_t all = 0;
  while (static_cast<std::size_t>(end - p) >= lanes) {
    const std::size_t rounds =
        std::min<std::size_t>(static_cast<std::size_t>(end - p) / lanes, 255);
    std::uint8_t counts[lanes] = {};
    for (std::size_t i = 0; i < rounds; ++i, p += lanes)
      for (std::size_t k = 0; k < lanes; ++k)
        counts[k] = static_cast<std::uint8_t>(counts[k] + (p[k] == '\n' ? 1 : 0));
    for (const std::uint8_t count : counts) all += count;
  }
  for (; p != end; ++p) all += *p == '\n' ? 1u : 0u;
  return all;
}

}  // namespace polycodec
