// SPDX-License-Identifier: MIT
#include "core/frame/stream_buffer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>

namespace polycodec {
namespace {

TEST(StreamBuffer, IsAQueue) {
  StreamBuffer buffer;
  EXPECT_EQ(buffer.view(), "");
  buffer.append("abc");
  buffer.append("");
  buffer.append("def");
  EXPECT_EQ(buffer.view(), "abcdef");
  buffer.consume(4);
  EXPECT_EQ(buffer.view(), "ef");
  EXPECT_EQ(buffer.position(), 4u);
  const auto window = buffer.window(10);
  ASSERT_GE(window.size(), 10u);
  std::memcpy(window.data(), "gh", 2);
  buffer.commit(2);
  EXPECT_EQ(buffer.view(), "efgh");
}

TEST(StreamBuffer, RandomPiecesComeOutInOrder) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    StreamBuffer buffer;
    std::string model;
    std::uint64_t position = 0;
    std::vector<std::pair<std::shared_ptr<const void>, std::pair<std::string_view, std::string>>>
        pinned;
    for (int step = 0; step < 300; ++step) {
      if (random() % 2 == 0) {
        const std::string piece(random() % 20000, static_cast<char>('a' + random() % 26));
        buffer.append(piece);
        model += piece;
      } else {
        const std::size_t bytes = random() % (model.size() + 1);
        if (random() % 4 == 0) {
          const auto view = buffer.view().substr(0, bytes);
          pinned.push_back({buffer.pin(), {view, std::string(view)}});
        }
        buffer.consume(bytes);
        model.erase(0, bytes);
        position += bytes;
      }
      ASSERT_EQ(buffer.view(), model);
      ASSERT_EQ(buffer.position(), position);
      if (random() % 8 == 0) pinned.clear();
    }
    for (const auto& [pin, texts] : pinned) EXPECT_EQ(texts.first, texts.second);
  }
}

TEST(StreamBuffer, MemoryStaysWhereLittleIsHeld) {
  StreamBuffer buffer;
  const std::string piece(1000, 'x');
  for (int i = 0; i < 10000; ++i) {
    buffer.append(piece);
    buffer.consume(1000);
    ASSERT_LE(buffer.window(1).size(), std::size_t{64} << 10);
  }
}

}  // namespace
}  // namespace polycodec
