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
  void value(unsigned depth) {
    switch (below(depth > 3 ? 9 : 11)) {
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
        if (one_in(2)) {
          out_ += std::string_view(
              "\xc4\x03"
              "abc");
          return;
        }
        byte(0xd6);
        byte(0xff);
        out_ += std::string(4, '\1');
        return;
      case 9: {
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

Outcome outcome(std::string_view bytes, const MsgpackNdarray& reader, const Limits& limits) {
  try {
    return {decode(bytes, reader, limits), ""};
  } catch (const Error& e) {
    return {std::nullopt, e.describe()};
  }
}

void expect_same(std::string_view bytes, const Limits& limits = {}) {
  static const MsgpackNdarray quick = codec();
  static const MsgpackNdarray by_items = codec({{"numpy_maps", Builder::boolean(true)}});
  // A copy of exactly this size, so that a sanitizer sees any read behind it.
  const std::vector<char> copy(bytes.begin(), bytes.end());
  const Outcome a = outcome({copy.data(), copy.size()}, quick, limits);
  const Outcome b = outcome({copy.data(), copy.size()}, by_items, limits);
  ASSERT_EQ(a.error, b.error);
  if (!a.value || !b.value) return;
  ASSERT_EQ(difference(a.value->view(), b.value->view()), "");
  const std::string again = encode(a.value->view());
  ASSERT_EQ(difference(decode(again).view(), a.value->view()), "");
}

TEST(MsgpackRecords, QuickLoopsReadWhatTheOthersRead) {
  Documents documents(5);
  for (int i = 0; i < 2000; ++i) {
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

TEST(MsgpackRecords, LimitsEndBothAtTheSamePlace) {
  Documents documents(6);
  for (int i = 0; i < 500; ++i) {
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
