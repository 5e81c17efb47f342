// SPDX-License-Identifier: MIT
#include <polycodec/dispatch.hpp>

namespace polycodec {

namespace {

/// Matches one byte against the set that starts behind '[' at pattern[at]. Returns the position behind the ']', or 0
/// if there is no ']' and the '[' is therefore itself.
std::size_t match_set(std::string_view pattern, std::size_t at, unsigned char byte, bool& matches) noexcept {
  const bool negated = at < pattern.size() && pattern[at] == '!';
  if (negated) ++at;
  const std::size_t first = at;
  // A ']' in first place belongs to the set.
  const std::size_t end = first < pattern.size() ? pattern.find(']', first + 1) : std::string_view::npos;
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

}  // namespace

bool match_pattern(std::string_view pattern, std::string_view text) noexcept {
  constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::size_t p = 0;
  std::size_t t = 0;
  // Where to go on after a mismatch: the last star may take one byte more. Earlier stars never need to be revisited.
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
        const std::size_t behind = match_set(pattern, p + 1, static_cast<unsigned char>(text[t]), matches);
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
