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
void feed(const dynd::Dynd& codec, std::string_view bytes, std::size_t drop, Take take) {
  std::size_t at = 0, have = 0;
  const test::TestCall call;
  Call open = call;
  const auto reader = codec.open_reader(open);
  while (at < bytes.size()) {
    Value value;
    Builder out(value.prepare(UINT64_MAX));
    const test::StreamStep step =
        test::next(*reader, call, bytes.substr(at, have - at), have == bytes.size(), out);
    if (step.root == nullptr) {
      ASSERT_GT(step.wanted, have - at);
      ASSERT_LE(step.wanted, bytes.size() - at) << "more is wanted than the value has";
      have = std::min(bytes.size(), have + drop);
      continue;
    }
    ASSERT_GT(step.consumed, 0u);
    value.set_root(step.root);
    take(value.view());
    at += step.consumed;
  }
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
    feed(test::dynd_codec(), stream, drop, [&](NodeView value) {
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
    const auto codec = test::make<dynd::Dynd>({{"chunk_items", Builder::integer(7)}});
    std::string seen;
    std::uint64_t next = 0;
    int scalars = 0;
    feed(codec, stream, drop, [&](NodeView value) {
      if (!value.is_array()) {
        EXPECT_EQ(value.as_int64(), 5);
        ++scalars;
        return;
      }
      const NodeView attributes = *value.metadata();
      EXPECT_EQ(attributes.at("dynd.first").as_uint64(), next);
      EXPECT_EQ(attributes.at("dynd.total").as_uint64(), 100u);
      const std::uint64_t count = value.as_array().length;
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
  const auto codec = test::make<dynd::Dynd>(
      {{"type", Builder::string_view("var * int32")}, {"chunk_items", Builder::integer(10)}});
  int pieces = 0;
  feed(codec, "\0\1\1\0\0\0"sv, 100, [&](NodeView value) {
    EXPECT_EQ(value.as_array().length, static_cast<std::uint64_t>(pieces));
    ++pieces;
  });
  EXPECT_EQ(pieces, 2);
}

TEST(DyndStream, AnErrorEndsTheValue) {
  const auto codec = test::make<dynd::Dynd>(
      {{"type", Builder::string_view("var * bool")}, {"chunk_items", Builder::integer(2)}});
  const test::TestCall call;
  Call open = call;
  const auto reader = codec.open_reader(open);
  const auto next = [&](std::string_view bytes, bool final) {
    Value value;
    Builder out(value.prepare(UINT64_MAX));
    return test::next(*reader, call, bytes, final, out).consumed;
  };
  EXPECT_EQ(next("\3\1\0\2"sv, false), 3u);
  EXPECT_THROW(next("\2"sv, false), Error) << "no bool";
  EXPECT_EQ(next("\1\1"sv, false), 2u) << "a new value";
  EXPECT_THROW(next("\2\1"sv.substr(0, 1), true), Error) << "the end of the stream within a value";
}

}  // namespace
}  // namespace polycodec
