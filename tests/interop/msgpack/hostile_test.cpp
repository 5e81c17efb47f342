// SPDX-License-Identifier: MIT
// Damaged and hostile bytes: nothing worse than an error, in bounded memory.
#include "error_of.hpp"
#include "sanitized.hpp"
#include "support.hpp"

#include <gtest/gtest.h>

#include <random>

namespace polycodec::test {
namespace {

const Limits bounded = [] {
  Limits limits;
  limits.max_memory_bytes = std::uint64_t{64} << 20;
  return limits;
}();

// Decodes with all readers on; an Error is fine, anything else escapes. Encodes what was accepted,
// and it must come back equal.
void must_behave(std::string_view bytes) {
  static const Codec readers[] = {
      codec(), codec({{"numpy_maps", true}, {"utf8", "lenient"}, {"documents", "many"}})};
  for (const Codec& reader : readers) {
    Value value;
    try {
      value = decode(bytes, reader, bounded);
    } catch (const Error& e) {
      EXPECT_NE(e.offset(), Error::no_offset) << e.describe();
      continue;
    }
    if (&reader != &readers[0]) continue;
    const std::string again = encode(value);
    EXPECT_EQ(difference(value, decode(again)), "");
  }
}

TEST(MsgpackHostile, TruncatedAnywhere) {
  for (const auto& path : descriptions(vectors())) {
    SCOPED_TRACE(path.filename().string());
    const std::string bytes = read_file(std::filesystem::path(path).replace_extension(".msgpack"));
    const std::size_t step = is_isolated()          ? bytes.size() / 15 + 1
                             : bytes.size() <= 4096 ? 1
                                                    : bytes.size() / 257;
    for (std::size_t size = 0; size < bytes.size(); size += step) {
      try {
        static_cast<void>(decode(std::string_view(bytes).substr(0, size)));
        // Only a stream can be cut so that a document is left over.
        EXPECT_EQ(path.stem().string(), "mix_two_documents");
      } catch (const Error& e) {
        EXPECT_EQ(e.code(), Status::truncated) << e.describe();
        EXPECT_LE(e.offset(), size);
      }
    }
  }
}

TEST(MsgpackHostile, AnyBitFlipped) {
  for (const auto& directory : {vectors(), vectors() / "bad"}) {
    for (const auto& path : descriptions(directory)) {
      SCOPED_TRACE(path.filename().string());
      std::string bytes = read_file(std::filesystem::path(path).replace_extension(".msgpack"));
      if (bytes.size() > 512) continue;
      const std::size_t step = is_isolated() ? 29 : POLYCODEC_SANITIZED != 0 ? 5 : 1;
      for (std::size_t bit = 0; bit < bytes.size() * 8; bit += step) {
        const char flip = static_cast<char>(1 << (bit % 8));
        bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ flip);
        must_behave(bytes);
        bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ flip);
      }
    }
  }
}

TEST(MsgpackHostile, RandomBytes) {
  std::mt19937 random(3);
  for (int round = 0; round < rounds(20000); ++round) {
    std::string bytes(random() % 64, '\0');
    // Heads of containers and ext are what damage is made of: use them often.
    for (char& c : bytes)
      c = static_cast<char>(random() % 3 != 0 ? random() : 0x80 + random() % 0x60);
    must_behave(bytes);
  }
}

TEST(MsgpackHostile, NestingIsLimited) {
  const auto nested = [](std::size_t depth) { return std::string(depth, '\x91') + '\xc0'; };
  Limits limits;
  limits.max_depth = 100;
  const Value value = decode(nested(100), codec(), limits);
  EXPECT_EQ(encode(value, codec(), limits), nested(100));
  try {
    decode(nested(101), codec(), limits);
    ADD_FAILURE() << "decoded too deep a value";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), Status::limit);
    EXPECT_EQ(e.detail(), "msgpack.nesting_too_deep");
    EXPECT_EQ(e.offset(), 100u);
  }
  limits.max_depth = 99;
  EXPECT_THROW(encode(value, codec(), limits), Error);
  EXPECT_THROW(decode(nested(5'000'000)), Error);
}

// What the limit lets through here must also pass the host's validation, which counts the levels of
// the value: those of an extension and its payload, and those of the stream around several
// documents.
TEST(MsgpackHostile, LevelsThatTheBytesDoNotShowCountToo) {
  Limits limits;
  limits.max_depth = 10;
  const auto refused_or_valid = [&](const std::string& bytes) {
    try {
      const Value value = decode(bytes, codec(), limits);
      EXPECT_EQ(encode(value, codec(), limits), bytes);
      return true;
    } catch (const Error& e) {
      EXPECT_EQ(e.detail(), "msgpack.nesting_too_deep") << e.what();
      return false;
    }
  };
  const auto around = [](std::size_t depth, std::string_view inner) {
    return std::string(depth, '\x91') + std::string(inner);
  };
  const std::string ext("\xd4\x05\x00", 3);
  EXPECT_TRUE(refused_or_valid(around(8, ext)));
  EXPECT_FALSE(refused_or_valid(around(9, ext)));
  EXPECT_TRUE(refused_or_valid(around(8, "\xc0") + around(8, "\xc0")));
  EXPECT_FALSE(refused_or_valid(around(8, "\xc0") + around(9, "\xc0")));
  EXPECT_FALSE(refused_or_valid(around(9, "\xc0") + around(8, "\xc0")));
  EXPECT_TRUE(refused_or_valid(around(6, ext) + around(6, ext)));
  EXPECT_FALSE(refused_or_valid(around(6, ext) + around(7, ext)));
}

TEST(MsgpackHostile, DeclaredCountsAllocateNothing) {
  // Each level announces what would fit if it were alone.
  std::string bomb;
  for (int level = 0; level < 400; ++level) bomb += std::string("\xdd\x00\x00\x04\x00", 5);
  bomb += std::string(2000, '\xc0');
  Limits limits;
  limits.max_memory_bytes = std::uint64_t{1} << 20;
  const Error refused = error_of([&] { decode(bomb, codec(), limits); });
  EXPECT_NE(refused.code(), Status::limit) << refused.describe();
}

TEST(MsgpackHostile, LimitsAreKept) {
  const std::string list = std::string("\xdc\x03\xe8", 3) + std::string(1000, '\x01');
  const auto status_with = [&](auto change) {
    Limits limits;
    change(limits);
    try {
      decode(list, codec(), limits);
    } catch (const Error& e) {
      return e.code();
    }
    return Status::ok;
  };
  EXPECT_EQ(status_with([](Limits&) {}), Status::ok);
  EXPECT_EQ(status_with([](Limits& l) { l.max_nodes = 1001; }), Status::ok);
  EXPECT_EQ(status_with([](Limits& l) { l.max_nodes = 1000; }), Status::limit);
  EXPECT_EQ(status_with([](Limits& l) { l.max_elements = 999; }), Status::limit);
  EXPECT_EQ(status_with([](Limits& l) { l.max_input_bytes = 1002; }), Status::limit);
  EXPECT_EQ(status_with([](Limits& l) { l.max_memory_bytes = 8000; }), Status::limit);
  for (const auto& path : descriptions(vectors())) {
    Limits limits;
    limits.max_memory_bytes = 1;
    const std::string bytes = read_file(std::filesystem::path(path).replace_extension(".msgpack"));
    try {
      decode(bytes, codec(), limits);
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), Status::limit) << path << e.describe();
    }
  }
}

TEST(MsgpackHostile, PathsSayWhere) {
  const auto path_of = [](std::string_view bytes) {
    try {
      decode(bytes);
    } catch (const Error& e) {
      return e.path() + " " + e.detail() + " " + std::to_string(e.offset());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(path_of("\x81\xa1"
                    "a\x92\x01\xc1"),
            "$.a[1] msgpack.reserved_byte 5");
  EXPECT_EQ(path_of("\x81\xa3"
                    "a b\x91\xa1\xff"),
            "$[\"a b\"][0] msgpack.bad_utf8 7");
  EXPECT_EQ(path_of("\x82\x01\x02\x05\xc1"), "$<value 1> msgpack.reserved_byte 4");
  EXPECT_EQ(path_of("\x82\x01\x02\xc1\x05"), "$<key 1> msgpack.reserved_byte 3");
  EXPECT_EQ(path_of("\x91\xd4\x6e\x01"), "$[0] ndarray.not_a_map 1");
  EXPECT_EQ(path_of("\x90\x91\xc1"), "$[1][0] msgpack.reserved_byte 2");
}

}  // namespace
}  // namespace polycodec::test
