// SPDX-License-Identifier: MIT
// Sets of words, such as the keywords of a language.
#pragma once

#include <cstddef>
#include <string_view>

namespace polycodec {

/// Returns whether `word` is one of `words`, which single spaces separate.
constexpr bool has_word(std::string_view words, std::string_view word) noexcept {
  if (word.empty()) return false;
  for (const char c : word)
    if (c == ' ') return false;
  for (std::size_t at = words.find(word); at != words.npos; at = words.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || words[at - 1] == ' ') && (end == words.size() || words[end] == ' '))
      return true;
  }
  return false;
}

}  // namespace polycodec
