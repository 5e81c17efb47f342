// SPDX-License-Identifier: MIT
// Damage that parsers get wrong.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <utility>

namespace polycodec::test {

using Random = std::mt19937;

inline std::size_t below(Random& random, std::size_t end) {
  return std::uniform_int_distribution<std::size_t>(0, end - 1)(random);
}

/// Puts a number that parsers get wrong somewhere.
inline void put_number(std::string& bytes, Random& random) {
  static constexpr std::uint64_t numbers[] = {
      0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0xffffffff, INT64_MAX, UINT64_MAX};
  const std::uint64_t number = numbers[below(random, std::size(numbers))];
  const std::size_t size = std::size_t{1} << below(random, 4);
  if (bytes.size() < size) return;
  std::memcpy(bytes.data() + below(random, bytes.size() - size + 1), &number, size);
}

/// `bytes` with one to six places changed. One in about fifty is cut short, to `least` bytes or
/// more.
inline std::string damaged(std::string bytes, Random& random, std::size_t least) {
  for (std::size_t i = 0, n = 1 + below(random, 6); i < n; ++i) {
    const std::size_t from = below(random, bytes.size()), to = below(random, bytes.size());
    const std::size_t size =
        std::min({1 + below(random, 64), bytes.size() - from, bytes.size() - to});
    switch (below(random, 6)) {
      case 0:
      case 1:
        bytes[from] = static_cast<char>(bytes[from] ^ (1 << below(random, 8)));
        break;
      case 2:
      case 3:
        put_number(bytes, random);
        break;
      case 4:
        std::memmove(bytes.data() + to, bytes.data() + from, size);
        break;
      default:
        if (below(random, 8) == 0)
          bytes.resize(std::max(from, least));
        else
          std::memset(bytes.data() + from, 0, size);
    }
  }
  return bytes;
}

}  // namespace polycodec::test
