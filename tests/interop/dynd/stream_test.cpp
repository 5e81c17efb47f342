// SPDX-License-Identifier: MIT
// Reading values one after the other, and long lists piece by piece, from bytes that come in drops.
#include <model/type/parse.hpp>

#include "random_data.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

namespace polycodec {
namespace {

using namespace std::string_view_literals;

/// Feeds `bytes` drop by drop and gives every value to `take`.
template <class Take>
void feed(const Codec& codec, std::string_view bytes, std::size_t drop, Take take) {
  Stream stream = Stream::fed(codec);
  for (std::size_t at = 0; at < bytes.size(); at += drop) {
    stream.feed(bytes.substr(at, drop));
    while (const auto value = stream.next()) take(*value);
  }
  stream.end_of_input();
  while (const auto value = stream.next()) take(*value);
}

TEST(DyndStream, WholeValuesFollowEachOther) {
  test::Random random(3);
  std::string stream;
  std::vector<std::string> parts;
  for (int i = 0; i < 60; ++i) {
    const type::Type type = test::random_type(random, 3);
    parts.push_back(test::with_type(type, test::random_data(random, type)));
    stream += parts.back();
  }
  for (const std::size_t drop : {std::size_t{1}, std::size_t{7}, stream.size()}) {
    std::size_t i = 0;
    feed(test::dynd_codec(), stream, drop, [&](const Value& value) {
      ASSERT_LT(i, parts.size());
      EXPECT_EQ(test::encode(test::dynd_codec(), value), parts[i++]);
    });
    EXPECT_EQ(i, parts.size());
  }
}

TEST(DyndStream, ALongListComesInPieces) {
  test::Random random(4);
  const type::Type type = type::parse("var * {name: string, values: var * float64}");
  std::string items;
  std::vector<std::string> each;
  for (int i = 0; i < 100; ++i) {
    each.push_back(test::random_data(random, type.element()));
    items += each.back();
  }
  const std::string one = test::with_type(type, "\x64" + items);
  const std::string stream = one + test::with_type(type::parse("int8"), "\x05") + one;
  for (const std::size_t drop : {std::size_t{1}, std::size_t{50}, stream.size()}) {
    const auto codec = test::shipped("dynd", {{"chunk_items", 7}});
    std::string seen;
    std::uint64_t next = 0;
    int scalars = 0;
    feed(codec, stream, drop, [&](const Value& value) {
      const NodeView root = test::node(value);
      if (!root.is_array()) {
        EXPECT_EQ(root.as_int64(), 5);
        ++scalars;
        return;
      }
      const NodeView attributes = *root.metadata();
      EXPECT_EQ(attributes.at("dynd.first").as_uint64(), next);
      EXPECT_EQ(attributes.at("dynd.total").as_uint64(), 100u);
      const std::uint64_t count = root.as_array().length;
      EXPECT_LE(count, 7u);
      const std::string bytes =
          test::encode(test::dynd_codec("var * {name: string, values: var * float64}"), value);
      EXPECT_EQ(static_cast<std::uint64_t>(bytes[0]), count);
      seen += bytes.substr(1);
      next = (next + count) % 100;
    });
    EXPECT_EQ(scalars, 1);
    EXPECT_EQ(next, 0u);
    EXPECT_EQ(seen, items + items);
  }
}

TEST(DyndStream, EmptyListIsOnePiece) {
  const auto codec = test::shipped("dynd", {{"type", "var * int32"}, {"chunk_items", 10}});
  int pieces = 0;
  feed(codec, "\0\1\1\0\0\0"sv, 100, [&](const Value& value) {
    EXPECT_EQ(test::node(value).as_array().length, static_cast<std::uint64_t>(pieces));
    ++pieces;
  });
  EXPECT_EQ(pieces, 2);
}

TEST(DyndStream, AnErrorEndsTheValue) {
  const auto codec = test::shipped("dynd", {{"type", "var * bool"}, {"chunk_items", 2}});
  const auto fed = [&](std::string_view bytes) {
    Stream stream = Stream::fed(codec);
    stream.feed(bytes);
    return stream;
  };
  Stream good = fed("\3\1\0\1\1\1"sv);
  for (const std::uint64_t items : {2u, 1u, 1u}) EXPECT_EQ(good.next()->view().size(), items);
  Stream no_bool = fed("\3\1\0\2"sv);
  EXPECT_EQ(no_bool.next()->view().size(), 2u);
  EXPECT_THROW(no_bool.next(), Error);
  Stream cut = fed("\2"sv);
  EXPECT_FALSE(cut.next());
  cut.end_of_input();
  EXPECT_THROW(cut.next(), Error) << "the end of the stream within a value";
}

}  // namespace
}  // namespace polycodec
