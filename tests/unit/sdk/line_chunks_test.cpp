// SPDX-License-Identifier: MIT
#include <base/line_chunks.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace polycodec {
namespace {

TEST(LineChunks, NewlinesOfTextsOfAnyLengthAreCounted) {
  std::mt19937_64 random(3);
  // The runs of counters of one byte are 255 times 64 bytes long.
  std::string text(3 * 255 * 64 + 100, '\n');
  for (const std::uint64_t most : {1u, 2u, 30u}) {
    for (char& c : text) c = random() % most == 0 ? '\n' : static_cast<char>(random());
    for (std::size_t size = 0; size < text.size(); size += size < 300 ? 1 : 997) {
      const std::string_view part = std::string_view(text).substr(text.size() - size);
      ASSERT_EQ(count_newlines(part),
                static_cast<std::uint64_t>(std::count(part.begin(), part.end(), '\n')))
          << size;
    }
  }
}

}  // namespace
}  // namespace polycodec
