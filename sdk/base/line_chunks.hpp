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

/// Where chunks of `text` begin, and where the last one ends: at most `most` of them, each of at
/// least `bytes` bytes up to the end of a line, or of the text. A line that ends with `continued`
/// (0: none) continues in the next one. Takes time linear in the chunks.
inline std::vector<const char*> cut_lines(std::string_view text, std::uint64_t bytes,
                                          std::size_t most, char continued = 0) {
  const char* at = text.data();
  const char* const end = at + text.size();
  std::vector<const char*> cuts{at};
  while (at != end && cuts.size() <= most) {
    const char* const begin = at;
    if (static_cast<std::uint64_t>(end - at) <= bytes) {
      at = end;
    } else {
      for (at += bytes - 1;;) {
        const auto* const newline =
            static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
        if (newline == nullptr) {
          at = end;
          break;
        }
        at = newline + 1;
        const char* last = newline;
        if (last != begin && last[-1] == '\r') --last;
        if (continued == 0 || last == begin || last[-1] != continued) break;
      }
    }
    cuts.push_back(at);
  }
  return cuts;
}

}  // namespace polycodec
