// SPDX-License-Identifier: MIT

#include "core/frame/message.hpp"
#include "files.hpp"
#include "temporary_directory.hpp"

#include <cstring>
#include <random>

namespace polycodec {
namespace {

using test::error_of;
using test::read_file;

std::string message_of(const std::string& body, const std::string& members = "") {
  return "YGG_MSG_HEAD{\"__meta__\":{\"size\":" + std::to_string(body.size()) + "}" + members +
         "}YGG_MSG_HEAD" + body;
}

/// What comes out of a stream: each body, then the error, as text.
std::vector<std::string> read_all(const std::string& bytes, std::size_t piece,
                                  const Limits& limits = {}) {
  std::vector<std::string> out;
  MessageReader reader(limits);
  try {
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      reader.feed(std::string_view(bytes).substr(at, piece));
      while (const auto message = reader.next())
        out.push_back(std::to_string(message->offset) + ":" + std::string(message->body));
    }
    reader.finish();
  } catch (const Error& e) {
    out.push_back(e.describe());
  }
  return out;
}

TEST(MessageReader, MessagesFollowEachOther) {
  const std::string bytes =
      message_of("one") + message_of("") + message_of("YGG_MSG_HEAD") + message_of("four");
  for (const std::size_t piece : {1u, 2u, 3u, 7u, 11u, 12u, 13u, 1000u}) {
    const auto read = read_all(bytes, piece);
    ASSERT_EQ(read.size(), 4u) << piece;
    EXPECT_EQ(read[0], "0:one");
    EXPECT_EQ(read[2].substr(read[2].find(':')), ":YGG_MSG_HEAD");
  }
}

TEST(MessageReader, WhatComesOutDoesNotDependOnThePieces) {
  Limits limits;
  limits.max_header_bytes = 60;
  limits.max_memory_bytes = 1000;
  const std::string good = message_of("one");
  const std::string bad[] = {
      good + "YGG_MSG_HEAX" + good,
      good + good.substr(0, 30),
      good + good.substr(0, good.size() - 1),
      good + "x",
      good + message_of(std::string(2000, 'x')),
      good + "YGG_MSG_HEAD{\"__meta__\":{\"size\":-1}}YGG_MSG_HEAD",
      good + "YGG_MSG_HEAD{\"__meta__\":{\"size\":1,?}}YGG_MSG_HEAD",
      good + "YGG_MSG_HEAD{\"__meta__\":{\"size\":99999999999}}YGG_MSG_HEAD",
      good + "YGG_MSG_HEAD" + std::string(200, ' '),
      good + message_of("{\"a\":?}YGG_MSG_HEADb", "").replace(30, 0, ""),
      "YGG_MSG_HEAD{\"__meta__\":{\"size\":20,\"in_data\":true}}YGG_MSG_HEAD{\"a\":?}YGG_MSG_HEADb",
      "YGG",
      "",
  };
  for (const std::string& bytes : bad) {
    const auto whole = read_all(bytes, bytes.size() + 1, limits);
    for (const std::size_t piece : {1u, 5u, 12u, 50u}) {
      EXPECT_EQ(read_all(bytes, piece, limits), whole) << bytes;
    }
  }
  EXPECT_EQ(read_all(bad[0], 1).size(), 2u);
  EXPECT_NE(read_all(bad[0], 1)[1].find("at byte " + std::to_string(good.size())),
            std::string::npos);
}

TEST(MessageReader, HeaderLimitIsTheOneOfParseFrame) {
  Limits limits;
  limits.max_header_bytes = 100;
  for (std::size_t size = 80; size < 120; ++size) {
    const std::string header = R"({"size":0,"a":")" + std::string(size - 17, 'x') + "\"}";
    ASSERT_EQ(header.size(), size);
    const std::string bytes = "YGG_MSG_HEAD" + header + "YGG_MSG_HEAD";
    const bool good = size <= 100;
    for (const std::size_t piece : {1u, 1000u}) {
      const auto read = read_all(bytes, piece, limits);
      ASSERT_EQ(read.size(), 1u);
      EXPECT_EQ(read[0] == "0:", good) << size;
    }
    EXPECT_EQ(
        good, bytes.size() == [&] {
          try {
            return parse_message(bytes, limits).header.fields.size() == 1 ? bytes.size() : 0;
          } catch (const Error&) {
            return std::size_t{0};
          }
        }());
  }
}

TEST(MessageReader, SaysWhatIsMissing) {
  MessageReader reader;
  reader.finish();
  const std::string bytes = message_of("0123456789");
  reader.feed(bytes.substr(0, bytes.size() - 4));
  EXPECT_FALSE(reader.next());
  const Error e = error_of([&] { reader.finish(); });
  EXPECT_EQ(e.code(), Status::truncated);
  EXPECT_NE(e.message().find("4 of the 10 bytes"), std::string::npos) << e.message();
  reader.feed(bytes.substr(bytes.size() - 4));
  EXPECT_TRUE(reader.next());
  reader.finish();
}

TEST(MessageReader, WindowsTakeBytesWithoutACopy) {
  std::string bytes;
  std::mt19937 random(3);
  std::vector<std::string> bodies;
  for (int i = 0; i < 30; ++i) {
    bodies.emplace_back(random() % 300000, static_cast<char>('a' + i % 26));
    bytes += message_of(bodies.back());
  }
  MessageReader reader;
  std::vector<ReceivedMessage> kept;  // their pins keep the bodies
  for (std::size_t at = 0; at < bytes.size();) {
    const auto window = reader.window();
    ASSERT_GE(window.size(), std::size_t{64} << 10);
    const std::size_t now =
        std::min({window.size(), bytes.size() - at, std::size_t{1 + random() % 100000}});
    std::memcpy(window.data(), bytes.data() + at, now);
    reader.commit(now);
    at += now;
    while (auto message = reader.next()) kept.push_back(std::move(*message));
  }
  reader.finish();
  ASSERT_EQ(kept.size(), bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    EXPECT_EQ(kept[i].body, bodies[i]);
  }
}

TEST(MessageReader, DeclaredSizesTakeNoMemory) {
  MessageReader reader;
  reader.feed("YGG_MSG_HEAD{\"size\":1000000000}YGG_MSG_HEAD");
  EXPECT_FALSE(reader.next());
  EXPECT_LE(reader.window().size(), std::size_t{64} << 10);
}

TEST(MessageReader, AStreamIsLostAfterAnError) {
  MessageReader reader;
  reader.feed("no message");
  EXPECT_EQ(error_of([&] { reader.next(); }).detail(), "message.no_frame");
  reader.feed(message_of("good"));
  EXPECT_EQ(error_of([&] { reader.next(); }).detail(), "message.no_frame");
  EXPECT_EQ(error_of([&] { reader.finish(); }).detail(), "message.no_frame");
}

TEST(MessageReader, PacketsAreMessagesOfTheirOwn) {
  MessageReader reader({}, Transport::packets);
  reader.feed("EOF!!!");
  reader.feed("");
  reader.feed(message_of("x"));
  reader.feed("YGG");
  auto message = reader.next();
  ASSERT_TRUE(message);
  EXPECT_FALSE(message->framed);
  EXPECT_EQ(message->body, "EOF!!!");
  message = reader.next();
  ASSERT_TRUE(message);
  EXPECT_EQ(message->body, "");
  EXPECT_FALSE(message->framed);
  message = reader.next();
  ASSERT_TRUE(message && message->framed);
  message = reader.next();
  ASSERT_TRUE(message);
  EXPECT_EQ(message->body, "YGG");
  EXPECT_FALSE(reader.next());
  reader.finish();
}

TEST(MessageReader, PacketsEndWithTheirMessage) {
  MessageReader reader({}, Transport::packets);
  reader.feed(message_of("x") + "junk");
  const Error e = error_of([&] { reader.next(); });
  EXPECT_EQ(e.code(), Status::trailing);
  EXPECT_NE(e.message().find("4 bytes too many"), std::string::npos) << e.message();
  EXPECT_EQ(error_of([&] { reader.next(); }).code(), Status::trailing);
  MessageReader cut({}, Transport::packets);
  cut.feed("YGG_MSG_HEAD{\"size\":4");
  EXPECT_EQ(error_of([&] { cut.next(); }).code(), Status::truncated);
  // Slices: one too long, then one that fits.
  const std::string whole = message_of("0123456789");
  for (const char* last : {"789YGG", "789"}) {
    MessageReader slices({}, Transport::packets);
    slices.feed(whole.substr(0, whole.size() - 3));
    EXPECT_FALSE(slices.next());
    slices.feed("");
    EXPECT_FALSE(slices.next());
    slices.feed(last);
    if (std::strlen(last) == 3) {
      const auto message = slices.next();
      ASSERT_TRUE(message);
      EXPECT_EQ(message->body, "0123456789");
    } else {
      EXPECT_EQ(error_of([&] { slices.next(); }).code(), Status::trailing);
    }
  }
}

TEST(MessageReader, RealMessagesOneByteAtATime) {
  std::size_t seen = 0;
  std::string all;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(POLYCODEC_TEST_VECTORS) / "yggdrasil/messages")) {
    if (entry.path().extension() != ".msg") continue;
    const std::string bytes = read_file(entry.path());
    if (!is_framed(bytes)) continue;
    all += bytes;
    ++seen;
  }
  EXPECT_EQ(seen, 14u);
  const auto whole = read_all(all, all.size());
  EXPECT_EQ(whole.size(), seen);
  EXPECT_EQ(read_all(all, 1), whole);
}

}  // namespace
}  // namespace polycodec
