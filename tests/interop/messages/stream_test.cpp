// SPDX-License-Identifier: MIT
// msgpack documents from streams in any pieces.

#include "core/frame/message.hpp"
#include "core/io/sink.hpp"
#include "core/text/text.hpp"
#include "core/value/value.hpp"
#include "registry/codec/codec_handle.hpp"
#include "registry/codec/registry.hpp"
#include "support.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <vector>

namespace polycodec {
namespace {

Codec msgpack() {
  return registry().codec("msgpack-ndarray");
}

std::vector<Value> documents() {
  std::vector<Value> all;
  for (const char* text :
       {"1", R"({"a":[1,2,{"b":null}],"c":"text"})",
        R"({"type":"4 * float64","value":[1.0,2.0,3.0,4.0]})", "[]", R"("YGG_MSG_HEAD")"})
    all.push_back(parse_text(text));
  return all;
}

std::string encoded(const std::vector<Value>& values) {
  std::string bytes;
  for (const Value& value : values) bytes += msgpack().encode_to_string(value.view());
  return bytes;
}

TEST(ValueStreams, AnyPiecesGiveTheSameValues) {
  const auto values = documents();
  const std::string bytes = encoded(values);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{20}, bytes.size()}) {
    ValueStream stream(msgpack());
    std::vector<Value> read;  // all kept: their bytes are pinned
    const auto take = [&] {
      for (Value value; stream.next(value);) read.push_back(std::move(value));
    };
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      stream.feed(std::string_view(bytes).substr(at, piece));
      take();
    }
    stream.end();
    take();
    ASSERT_EQ(read.size(), values.size()) << piece;
    for (std::size_t i = 0; i < values.size(); ++i)
      EXPECT_TRUE(equal(read[i].view(), values[i].view())) << i;
    EXPECT_EQ(stream.position(), bytes.size());
    EXPECT_EQ(stream.held(), 0u);
  }
}

TEST(ValueStreams, ACutValueIsTruncatedAndABadOneSaysWhere) {
  const std::string bytes = encoded(documents());
  ValueStream cut(msgpack());
  cut.feed(bytes.substr(0, bytes.size() - 1));
  cut.end();
  Value value;
  std::size_t count = 0;
  try {
    while (cut.next(value)) ++count;
    ADD_FAILURE() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Status::truncated) << e.describe();
  }
  EXPECT_EQ(count, 4u);
  ValueStream bad(msgpack());
  bad.feed("\x01\x02\xc1");
  EXPECT_TRUE(bad.next(value));
  EXPECT_TRUE(bad.next(value));
  try {
    (void)bad.next(value);
    ADD_FAILURE() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.offset(), 2u) << e.describe();
  }
}

TEST(ValueStreams, LongValuesAreBoundedByTheLimits) {
  CallOptions options;
  options.limits = Limits();
  options.limits->max_memory_bytes = 1 << 20;
  ValueStream stream(msgpack(), options);
  stream.feed(std::string("\xc6\x7f\xff\xff\xff", 5));  // bytes, 2 GiB of them
  Value value;
  try {
    (void)stream.next(value);
    ADD_FAILURE() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Status::limit) << e.describe();
  }
  EXPECT_THROW(ValueStream(registry().codec("ply")), Error);
}

TEST(ValueStreams, AValueFromAPipeIsThereBeforeTheNextIsSent) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ValueStream stream(msgpack());
  Value value;
  const auto values = documents();
  // Nobody else writes while this thread reads: waiting for more would never end.
  for (const Value& sent : values) {
    const std::string bytes = msgpack().encode_to_string(sent.view());
    const Segment segment{bytes.data(), bytes.size()};
    write_descriptor(ends[1], {&segment, 1}, "pipe");
    ASSERT_TRUE(read_value(ends[0], stream, value, "pipe"));
    EXPECT_TRUE(equal(value.view(), sent.view()));
  }
  // A long one, in pieces as the pipe takes them.
  const std::vector<double> numbers(1000000, 0.25);  // the value views them
  const Value large = Value::build([&](Builder& out) {
    return out.list(
        {Builder::array(out.vector(std::span<const double>(numbers))), Builder::integer(7)});
  });
  std::jthread writer([&] {
    SegmentSink sink;
    msgpack().encode(large.view(), sink);
    write_descriptor(ends[1], sink.segments(), "pipe");
    ::close(ends[1]);
  });
  ASSERT_TRUE(read_value(ends[0], stream, value, "pipe"));
  EXPECT_TRUE(equal(value.view(), large.view()));
  EXPECT_FALSE(read_value(ends[0], stream, value, "pipe"));
  ::close(ends[0]);
}

}  // namespace
}  // namespace polycodec
