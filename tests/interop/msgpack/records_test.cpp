// SPDX-License-Identifier: MIT
// Records of one shape, and such that nearly are: the quick loops against those item by item, which
// read everything where numpy's maps are asked for.
#include "support.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <random>

namespace polycodec::test {
namespace {

class Documents {
 public:
  explicit Documents(std::uint64_t seed) : random_(seed) {}

  std::string records() {
    out_.clear();
    const std::size_t count = below(40);
    list_head(count);
    for (std::size_t i = 0; i < count; ++i) record();
    return out_;
  }
  /// A few items of any kind, most of which are in the last bytes.
  std::string message() {
    out_.clear();
    const std::size_t count = below(9);
    if (one_in(2)) {
      list_head(count);
      for (std::size_t i = 0; i < count; ++i) value(1 + static_cast<unsigned>(below(3)));
    } else {
      byte(0x80 | count);
      for (std::size_t i = 0; i < count; ++i) {
        key(std::string(below(12), 'k'));
        value(1 + static_cast<unsigned>(below(3)));
      }
    }
    return out_;
  }
  /// Many items of some kinds, in turns or by chance.
  std::string list() {
    out_.clear();
    const std::size_t count = 1 + below(300);
    byte(0xdc);
    byte(count >> 8);
    byte(count);
    const std::uint64_t first = below(kinds);
    const std::uint64_t different = 1 + below(kinds - first);
    const bool in_turns = one_in(2);
    for (std::size_t i = 0; i < count; ++i)
      value(2, first + (in_turns ? i % different : below(different)));
    return out_;
  }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  std::uint64_t below(std::uint64_t n) { return random_() % n; }

 private:
  void byte(std::uint64_t value) { out_ += static_cast<char>(value); }
  void number(std::uint64_t code, std::uint64_t width) {
    byte(code);
    for (std::uint64_t i = 0; i < width; ++i) byte(one_in(3) ? 0 : random_());
  }
  void list_head(std::size_t count) {
    if (count < 16) return byte(0x90 | count);
    byte(0xdc);
    byte(0);
    byte(count);
  }
  void text(std::string_view bytes) {
    if (bytes.size() > 31 || one_in(50)) {
      byte(0xd9);
      byte(bytes.size());
    } else {
      byte(0xa0 | bytes.size());
    }
    out_ += bytes;
  }
  void key(std::string_view name) {
    if (one_in(100)) return byte(below(128));
    text(one_in(60) ? std::string(name.size(), 'k') : std::string(name));
  }
  static constexpr std::uint64_t kinds = 13;
  void value(unsigned depth) { value(depth, below(depth > 3 ? kinds - 2 : kinds)); }
  void value(unsigned depth, std::uint64_t kind) {
    switch (kind) {
      case 0:
        return byte(0xc0);
      case 1:
        return byte(0xc2 | below(2));
      case 2:
        return byte(below(128));
      case 3:
        return byte(0xe0 | below(32));
      case 4:
        return integer();
      case 5:
        return number(0xcb, 8);
      case 6:
        return number(0xca, 4);
      case 7:
        return text(one_in(4) ? "M\u00fcller \u5f20" : std::string(below(40), 'x'));
      case 8:
        return bytes(0xc4, below(40));
      case 9:
        return time();
      case 10: {  // an ext of 1 to 16 bytes, which one code makes a timestamp
        const std::uint64_t form = below(5);
        byte(0xd4 + form);
        byte(one_in(30) ? 0xff : below(100));
        out_ += std::string(std::size_t{1} << form, '\1');
        return;
      }
      case 11: {
        const std::size_t count = below(20);
        list_head(count);
        for (std::size_t i = 0; i < count; ++i) value(depth + 1);
        return;
      }
      default:
        byte(0x82);
        key("x");
        value(depth + 1);
        key("y");
        return value(depth + 1);
    }
  }
  void bytes(std::uint64_t code, std::uint64_t size) {
    byte(code);
    byte(size);
    out_ += std::string(size, '\xee');
  }
  void time() {
    const std::uint64_t form = below(5);
    if (form == 0) byte(0xc7);
    byte(form == 0 ? 12 : 0xd6 + form % 2);
    byte(0xff);
    if (one_in(100)) out_.back() = 5;
    // The first bytes are the nanoseconds, which may be too many.
    const std::size_t size = form == 0 ? 12 : form % 2 != 0 ? 8 : 4;
    const auto first = out_.size();
    for (std::size_t i = 0; i < size; ++i) byte(random_());
    if (size != 4 && !one_in(100)) out_[first] = '\x12';
  }
  void integer() {
    const std::uint64_t form = below(8);
    number(0xcc + form, std::uint64_t{1} << (form % 4));
  }
  void record() {
    static constexpr std::string_view names[] = {"",
                                                 "id",
                                                 "position",
                                                 "fifteen letters",
                                                 "sixteen letters.",
                                                 "seventeen letters",
                                                 "a key of thirty-one characters."};
    const std::uint64_t count = one_in(20) ? below(8) : 7;
    byte(0x80 | count);
    for (std::uint64_t i = 0; i < count; ++i) {
      key(names[i]);
      if (i == 2) {
        byte(0x82);
        key("x");
        number(0xcb, 8);
        key("y");
        number(0xcb, 8);
      } else {
        value(0);
      }
    }
  }

  std::mt19937_64 random_;
  std::string out_;
};

struct Outcome {
  std::optional<Value> value;
  std::string error;
};

Outcome outcome(std::string_view bytes, const Codec& reader, const Limits& limits) {
  try {
    return {decode(bytes, reader, limits), ""};
  } catch (const Error& e) {
    return {std::nullopt, e.describe()};
  }
}

void expect_same(std::string_view bytes, const Limits& limits = {}) {
  static const Codec quick = codec();
  static const Codec by_items = codec({{"numpy_maps", true}});
  const Outcome a = outcome(bytes, quick, limits);
  const Outcome b = outcome(bytes, by_items, limits);
  ASSERT_EQ(a.error, b.error);
  if (!a.value || !b.value) return;
  ASSERT_EQ(difference(*a.value, *b.value), "");
  ASSERT_EQ(difference(decode(encode(*a.value)), *a.value), "");
}

TEST(MsgpackRecords, QuickLoopsReadWhatTheOthersRead) {
  Documents documents(5);
  for (int i = 0; i < rounds(2000); ++i) {
    SCOPED_TRACE(i);
    std::string bytes = documents.records();
    ASSERT_NO_FATAL_FAILURE(expect_same(bytes));
    for (int flips = 0; flips < 4; ++flips) {
      std::string damaged = bytes;
      damaged[documents.below(bytes.size())] ^= static_cast<char>(1u << documents.below(8));
      ASSERT_NO_FATAL_FAILURE(expect_same(damaged));
    }
    bytes.resize(documents.below(bytes.size()));
    ASSERT_NO_FATAL_FAILURE(expect_same(bytes));
  }
}

TEST(MsgpackRecords, ShortMessagesAreReadAlike) {
  Documents documents(7);
  for (int i = 0; i < rounds(3000); ++i) {
    SCOPED_TRACE(i);
    std::string bytes = documents.message();
    ASSERT_NO_FATAL_FAILURE(expect_same(bytes));
    std::string damaged = bytes;
    damaged[documents.below(bytes.size())] ^= static_cast<char>(1u << documents.below(8));
    ASSERT_NO_FATAL_FAILURE(expect_same(damaged));
    for (; !bytes.empty(); bytes.resize(documents.below(bytes.size())))
      ASSERT_NO_FATAL_FAILURE(expect_same(bytes));
  }
}

TEST(MsgpackRecords, ListsOfAnyKindsAreReadAlike) {
  Documents documents(8);
  for (int i = 0; i < rounds(1000); ++i) {
    SCOPED_TRACE(i);
    std::string bytes = documents.list();
    ASSERT_NO_FATAL_FAILURE(expect_same(bytes));
    std::string damaged = bytes;
    damaged[documents.below(bytes.size())] ^= static_cast<char>(1u << documents.below(8));
    ASSERT_NO_FATAL_FAILURE(expect_same(damaged));
    bytes.resize(documents.below(bytes.size()));
    ASSERT_NO_FATAL_FAILURE(expect_same(bytes));
    Limits limits;
    limits.max_nodes = 1 + documents.below(600);
    ASSERT_NO_FATAL_FAILURE(expect_same(documents.list(), limits));
  }
}

TEST(MsgpackRecords, LimitsEndBothAtTheSamePlace) {
  Documents documents(6);
  for (int i = 0; i < rounds(500); ++i) {
    SCOPED_TRACE(i);
    const std::string bytes = documents.records();
    Limits limits;
    limits.max_nodes = 1 + documents.below(1000);
    ASSERT_NO_FATAL_FAILURE(expect_same(bytes, limits));
    limits = Limits();
    limits.max_depth = static_cast<std::uint32_t>(1 + documents.below(6));
    ASSERT_NO_FATAL_FAILURE(expect_same(bytes, limits));
    limits = Limits();
    limits.max_elements = 1 + documents.below(40);
    ASSERT_NO_FATAL_FAILURE(expect_same(bytes, limits));
  }
}

// The quick loop writes items of containers, and never a document itself.
TEST(MsgpackRecords, ItemsAreWrittenAsDocuments) {
  const auto written = [](const Value& value) -> std::string {
    try {
      return encode(value);
    } catch (const Error& e) {
      return "error " + std::string(status_name(e.code()));
    }
  };
  using Make = Node (*)(Builder&);
  for (const Make make : std::initializer_list<Make>{
           [](Builder&) { return Builder::null(); },
           [](Builder&) { return Builder::boolean(true); },
           [](Builder&) { return Builder::boolean(false); },
           [](Builder& b) { return b.list(std::initializer_list<Node>{}); },
           [](Builder& b) { return b.object({}); },
           [](Builder& b) { return b.timestamp(0, 0, POLYCODEC_UNIT_SECOND); },
           [](Builder& b) { return b.timestamp(1'700'000'000, 0, POLYCODEC_UNIT_NANOSECOND); },
           [](Builder& b) { return b.timestamp(1, 999'999'999, POLYCODEC_UNIT_NANOSECOND); },
           [](Builder& b) { return b.timestamp(-1, 5, POLYCODEC_UNIT_MICROSECOND); },
           [](Builder& b) { return b.timestamp(std::int64_t{1} << 40, 5, POLYCODEC_UNIT_SECOND); },
           [](Builder& b) { return b.timestamp(3, 0, POLYCODEC_UNIT_DAY); },
           [](Builder& b) { return b.timestamp(1, 0, POLYCODEC_UNIT_PICOSECOND); },
           [](Builder& b) { return b.timestamp(INT64_MIN, 0, POLYCODEC_UNIT_SECOND); }}) {
    const std::string alone = written(Value::build([&](Builder& b) { return make(b); }));
    const std::string item = written(Value::build([&](Builder& b) { return b.list({make(b)}); }));
    const std::string member = written(Value::build([&](Builder& b) {
      return b.object({{"k", make(b)}, {"l", make(b)}});
    }));
    const bool fails = alone.starts_with("error");
    EXPECT_EQ(item, fails ? alone : '\x91' + alone);
    EXPECT_EQ(member, fails ? alone : "\x82\xa1k" + alone + "\xa1l" + alone);
  }
}

// The second document may be as deep as the first, whose levels are counted together with those of
// the stream.
TEST(MsgpackRecords, DocumentsOfAStreamAreDeeperThanFrames) {
  for (std::size_t depth = 20; depth < 54; ++depth) {
    std::string document;
    for (std::size_t level = 0; level < depth; ++level) document += "\x92\x01";
    document += '\xa3' + std::string("end");
    document = '\x92' + document + std::string(1, '\xd9') + '\x60' + std::string(0x60, 'x');
    std::string deeper = '\x92' + std::string("\x91\x91\x91", 3) + document;
    deeper += "\x01";
    ASSERT_NO_FATAL_FAILURE(expect_same(document + document));
    ASSERT_NO_FATAL_FAILURE(expect_same(document + deeper));
  }
}

}  // namespace
}  // namespace polycodec::test
