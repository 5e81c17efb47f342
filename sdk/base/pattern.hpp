// SPDX-License-Identifier: MIT
// Shell patterns for names.
#pragma once

#include <cstddef>
#include <string_view>

namespace polycodec {
namespace detail {

/// Matches one byte against the set that starts behind '[' at pattern[at]. Returns the position
/// behind the ']', or 0 if there is no ']' and the '[' is therefore itself.
inline std::size_t match_set(std::string_view pattern, std::size_t at, unsigned char byte,
                             bool& matches) noexcept {
  const bool negated = at < pattern.size() && pattern[at] == '!';
  if (negated) ++at;
  const std::size_t first = at;
  // A ']' in first place belongs to the set.
  const std::size_t end =
      first < pattern.size() ? pattern.find(']', first + 1) : std::string_view::npos;
  if (end == std::string_view::npos) return 0;
  bool found = false;
  while (at < end) {
    const auto low = static_cast<unsigned char>(pattern[at]);
    if (at + 2 < end && pattern[at + 1] == '-') {
      const auto high = static_cast<unsigned char>(pattern[at + 2]);
      found = found || (low <= byte && byte <= high);
      at += 3;
    } else {
      found = found || low == byte;
      ++at;
    }
  }
  matches = found != negated;
  return end + 1;
}

}  // namespace detail

/// True if `text` matches the shell pattern: `*` any run of bytes, `?` one byte, `[seq]` and
/// `[!seq]` one byte in or not in a set with ranges, all else itself. A '[' without its ']' is
/// itself. Case-sensitive; the whole text must match; NUL and '/' are bytes like others; a set or
/// `?` sees bytes, not characters. Goes back to the last `*` only, so that no pattern takes
/// exponential time, and needs no memory.
inline bool match_pattern(std::string_view pattern, std::string_view text) noexcept {
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t p = 0;
  std::size_t t = 0;
  // Where to go on after a mismatch: the last star may take one byte more. Earlier stars never need
  // to be revisited.
  std::size_t star = none;
  std::size_t star_text = 0;
  while (t < text.size()) {
    std::size_t next = none;
    if (p < pattern.size()) {
      const char c = pattern[p];
      if (c == '*') {
        star = ++p;
        star_text = t;
        continue;
      }
      bool matches = c == '?' || c == text[t];
      next = p + 1;
      if (c == '[') {
        const std::size_t behind =
            detail::match_set(pattern, p + 1, static_cast<unsigned char>(text[t]), matches);
        if (behind != 0) next = behind;
      }
      if (!matches) next = none;
    }
    if (next != none) {
      p = next;
      ++t;
    } else if (star != none) {
      p = star;
      t = ++star_text;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace polycodec
