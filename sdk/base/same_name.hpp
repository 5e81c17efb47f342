// SPDX-License-Identifier: MIT
// Comparing names, which are short: a call costs more than the comparison.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace polycodec {

/// Whether two names have the same bytes.
inline bool is_same_name(std::string_view a, std::string_view b) noexcept {
  const std::size_t size = a.size();
  if (size != b.size()) return false;
  if (size > 16) return a == b;
  const auto differs = [&]<class Word>(Word, std::size_t at) {
    Word left, right;
    std::memcpy(&left, a.data() + at, sizeof left);
    std::memcpy(&right, b.data() + at, sizeof right);
    return left ^ right;
  };
  if (size >= 8) return (differs(std::uint64_t{}, 0) | differs(std::uint64_t{}, size - 8)) == 0;
  if (size >= 4) return (differs(std::uint32_t{}, 0) | differs(std::uint32_t{}, size - 4)) == 0;
  for (std::size_t i = 0; i < size; ++i)
    if (a[i] != b[i]) return false;
  return true;
}

}  // namespace polycodec
