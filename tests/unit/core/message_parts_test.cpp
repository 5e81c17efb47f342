// SPDX-License-Identifier: MIT

#include "core/frame/frame.hpp"
#include "core/frame/message.hpp"
#include "temporary_directory.hpp"

namespace polycodec {
namespace {

using test::error_of;

std::string text_of(std::span<const Segment> segments) {
  std::string text;
  for (const Segment& s : segments) text.append(static_cast<const char*>(s.data), s.size);
  return text;
}

TEST(MessageParts, AShortMessageIsOnePart) {
  Header header;
  header.id = "i";
  const MessageParts parts = make_parts(header, "body");
  ASSERT_EQ(parts.count(), 1u);
  EXPECT_EQ(text_of(parts.part(0)), build_frame(header, 4) + "body");
  EXPECT_EQ(parts.size(), text_of(parts.all()).size());
  EXPECT_EQ(parts.id(), "i");
  EXPECT_FALSE(parts.in_data());
  EXPECT_EQ(make_parts({}, "").count(), 1u);
}

TEST(MessageParts, LongMessagesAreCutAtTheLimit) {
  std::string body;
  for (int i = 0; i < 5000; ++i) body += static_cast<char>('a' + i % 26);
  std::vector<Segment> segments;
  for (std::size_t at = 0; at < body.size(); at += 333)
    segments.push_back({body.data() + at, std::min<std::size_t>(333, body.size() - at)});
  for (const std::uint64_t limit : {200u, 333u, 1000u, 4999u, 5000u, 100000u}) {
    PartOptions options;
    options.max_part_bytes = limit;
    options.address = "tcp://127.0.0.1:\"5000\"";
    Header header;
    header.fields = {{"user", "1"}};
    const MessageParts parts = make_parts(header, segments, options);
    MessageReader reader({}, Transport::packets);
    std::optional<ReceivedMessage> message;
    for (std::size_t i = 0; i < parts.count(); ++i) {
      const std::string part = text_of(parts.part(i));
      EXPECT_LE(part.size(), limit);
      if (i + 1 < parts.count()) {
        EXPECT_EQ(part.size(), limit);
      }
      { EXPECT_EQ(is_framed(part), i == 0); }
      reader.feed(part);
      message = reader.next();
      EXPECT_EQ(message.has_value(), i + 1 == parts.count());
    }
    ASSERT_TRUE(message);
    EXPECT_EQ(message->body, body);
    EXPECT_EQ(message->header.id, parts.id());
    EXPECT_EQ(*message->header.find("user"), "1");
    EXPECT_EQ(message->header.find("address", true) != nullptr, parts.count() > 1);
    // Over a stream it is one message, too.
    EXPECT_EQ(parse_message(text_of(parts.all())).body, body);
  }
}

TEST(MessageParts, AHeaderLongerThanAPartGoesOnInTheBody) {
  Header header;
  header.type = "ndarray";
  header.codec = "ply";
  header.codec_version = "1";
  header.options = R"({"a":"YGG_MSG_HEAD"})";
  header.meta = {{"model", "\"m\""}};
  header.fields = {{"user", "\"" + std::string(3000, 'u') + "\""}};
  PartOptions options;
  options.max_part_bytes = 500;
  const MessageParts parts = make_parts(header, "the body", options);
  EXPECT_TRUE(parts.in_data());
  const std::string first = text_of(parts.part(0));
  const Header front = parse_header(parse_frame(first).header);
  EXPECT_TRUE(front.in_data);
  EXPECT_EQ(front.codec, "");
  EXPECT_NE(front.find("model", true), nullptr);
  EXPECT_TRUE(front.fields.empty());
  const std::string all = text_of(parts.all());
  Message message = parse_message(all);
  EXPECT_EQ(message.body, "the body");
  EXPECT_EQ(message.header.codec, "ply");
  EXPECT_EQ(message.header.type, "ndarray");
  EXPECT_EQ(message.header.fields, header.fields);
  EXPECT_EQ(message.header.options, R"({"a":"\u0059GG_MSG_HEAD"})");
  options.style = HeaderStyle::legacy;
  header.codec.clear();
  header.codec_version.clear();
  header.options.clear();
  const std::string old = text_of(make_parts(header, "the body", options).all());
  EXPECT_EQ(parse_message(old).body, "the body");
  EXPECT_TRUE(parse_header(parse_frame(old).header).legacy);
}

TEST(MessageParts, APartThatHoldsNoHeaderIsRefused) {
  PartOptions options;
  options.max_part_bytes = 50;
  EXPECT_EQ(error_of([&] { make_parts({}, "body", options); }).code(), Status::limit);
  options.max_part_bytes = 0;
  EXPECT_EQ(error_of([&] { make_parts({}, "", options); }).code(), Status::limit);
}

}  // namespace
}  // namespace polycodec
