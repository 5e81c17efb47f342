// SPDX-License-Identifier: MIT
#include <base/utf8_cpu.hpp>
#include <polycodec/utf.hpp>

#include "sanitized.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

using polycodec::CpuLevel;
using polycodec::utf8_npos;

// Straight from the table of well-formed byte sequences in the Unicode standard, chapter 3.
std::size_t reference_length(const unsigned char* p, std::size_t size) {
  const auto in = [&](std::size_t i, int low, int high) {
    return i < size && p[i] >= low && p[i] <= high;
  };
  if (in(0, 0x00, 0x7f)) return 1;
  if (in(0, 0xc2, 0xdf)) return in(1, 0x80, 0xbf) ? 2 : 0;
  if (in(0, 0xe0, 0xe0)) return in(1, 0xa0, 0xbf) && in(2, 0x80, 0xbf) ? 3 : 0;
  if (in(0, 0xed, 0xed)) return in(1, 0x80, 0x9f) && in(2, 0x80, 0xbf) ? 3 : 0;
  if (in(0, 0xe1, 0xef)) return in(1, 0x80, 0xbf) && in(2, 0x80, 0xbf) ? 3 : 0;
  if (in(0, 0xf0, 0xf0)) return in(1, 0x90, 0xbf) && in(2, 0x80, 0xbf) && in(3, 0x80, 0xbf) ? 4 : 0;
  if (in(0, 0xf1, 0xf3)) return in(1, 0x80, 0xbf) && in(2, 0x80, 0xbf) && in(3, 0x80, 0xbf) ? 4 : 0;
  if (in(0, 0xf4, 0xf4)) return in(1, 0x80, 0x8f) && in(2, 0x80, 0xbf) && in(3, 0x80, 0xbf) ? 4 : 0;
  return 0;
}

std::size_t reference(std::string_view text) {
  const auto* p = reinterpret_cast<const unsigned char*>(text.data());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = reference_length(p + at, text.size() - at);
    if (length == 0) return at;
    at += length;
  }
  return utf8_npos;
}

// Validates a copy of exactly the right size, by all ways there are.
void check(std::string_view text) {
  const auto copy = std::make_unique<std::uint8_t[]>(text.size());
  std::copy(text.begin(), text.end(), copy.get());
  const std::size_t expected = reference(text);
  ASSERT_EQ(polycodec::validate_utf8(copy.get(), text.size()), expected);
  ASSERT_EQ(polycodec::detail::validate_utf8_at(CpuLevel::scalar, copy.get(), text.size()),
            expected);
  if (polycodec::cpu_has(CpuLevel::avx2)) {
    ASSERT_EQ(polycodec::detail::validate_utf8_at(CpuLevel::avx2, copy.get(), text.size()),
              expected);
  }
}

TEST(Utf8, AllSequencesOfUpToThreeBytes) {
  // Placed so that the sequence lies across the border of a block, and alone.
  std::string text(66, 'a');
  auto* p = reinterpret_cast<std::uint8_t*>(text.data());
  const bool avx2 = polycodec::cpu_has(CpuLevel::avx2);
  std::size_t mismatches = 0;
  constexpr std::uint32_t step = POLYCODEC_SANITIZED != 0 ? 13 : 1;
  for (std::uint32_t bits = 0; bits < (1u << 24); bits += step) {
    const unsigned char s[3] = {static_cast<unsigned char>(bits >> 16),
                                static_cast<unsigned char>(bits >> 8),
                                static_cast<unsigned char>(bits)};
    char32_t c = 0;
    mismatches += polycodec::decode_one(s, 3, c) != reference_length(s, 3);
    mismatches += polycodec::decode_one(s, 2, c) != reference_length(s, 2);
    std::copy(s, s + 3, p + 62);
    const std::size_t expected = reference(std::string_view(text).substr(60));
    const std::size_t place = expected == utf8_npos ? utf8_npos : expected + 60;
    mismatches += polycodec::detail::validate_utf8_at(CpuLevel::scalar, p, 66) != place;
    if (avx2) mismatches += polycodec::detail::validate_utf8_at(CpuLevel::avx2, p, 66) != place;
  }
  EXPECT_EQ(mismatches, 0u);
}

TEST(Utf8, FourByteSequencesAtAllBordersOfRanges) {
  const unsigned char leads[] = {0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf7, 0xf8, 0xfc, 0xff};
  const unsigned char tails[] = {0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff};
  for (const auto a : leads)
    for (const auto b : tails)
      for (const auto c : tails)
        for (const auto d : tails)
          for (const std::size_t before : {0u, 29u, 31u, 61u, 63u, 64u}) {
            std::string text(before, 'x');
            for (const auto byte : {a, b, c, d}) text += static_cast<char>(byte);
            check(text);
            check(text + std::string(70, 'y'));
          }
}

TEST(Utf8, EveryCodePointRoundTrips) {
  for (std::uint32_t c = 0; c < 0x110100; ++c) {
    char bytes[4] = {};
    const auto size = polycodec::encode_one(static_cast<char32_t>(c), bytes);
    const bool legal = c <= 0x10ffff && (c < 0xd800 || c > 0xdfff);
    ASSERT_EQ(size != 0, legal) << c;
    if (!legal) continue;
    char32_t back = 0;
    ASSERT_EQ(polycodec::decode_one(reinterpret_cast<const std::uint8_t*>(bytes), size, back),
              size);
    ASSERT_EQ(static_cast<std::uint32_t>(back), c);
  }
}

TEST(Utf8, RandomTextWithOneFault) {
  std::mt19937 random(42);
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    const std::size_t size = random() % 300;
    const unsigned kind = random() % 4;
    while (text.size() < size) {
      const char32_t limits[] = {0x80, 0x800, 0x10000, 0x110000};
      const auto drawn = static_cast<char32_t>(random() % limits[kind]);
      static_cast<void>(polycodec::append_utf8(text, random() % 8 == 0 ? drawn : U'a'));
    }
    check(text);
    if (text.empty()) continue;
    std::string bad = text;
    bad[random() % bad.size()] = static_cast<char>(random());
    check(bad);
    check(std::string_view(text).substr(0, random() % text.size()));
  }
}

TEST(Utf8, CutOffCharactersAtEveryLength) {
  for (const std::string_view character : {"\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80"})
    for (std::size_t before = 0; before <= 200; ++before)
      for (std::size_t keep = 0; keep <= character.size(); ++keep) {
        check(std::string(before, 'a') + std::string(character.substr(0, keep)));
        std::string dense;
        while (dense.size() < before) dense += character;
        check(dense + std::string(character.substr(0, keep)));
      }
}

TEST(Utf8, LongAsciiWithAFaultAnywhere) {
  std::string text(1500, 'a');
  for (std::size_t at = 0; at < text.size(); ++at) {
    text[at] = '\x80';
    ASSERT_EQ(polycodec::validate_utf8(text), at);
    text[at] = 'a';
  }
  EXPECT_TRUE(polycodec::is_utf8(text));
  EXPECT_TRUE(polycodec::is_utf8(std::string_view()));
}

TEST(Utf8, CountsCodePoints) {
  EXPECT_EQ(polycodec::count_code_points(""), 0u);
  EXPECT_EQ(polycodec::count_code_points("a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"), 4u);
}

TEST(UtfConvert, RoundTrips) {
  const std::string text("a\0\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf", 15);
  EXPECT_EQ(polycodec::utf16_from_utf8(text),
            std::u16string(u"a\0\u00e4\u20ac\U0001f600\U0010ffff", 8));
  EXPECT_EQ(polycodec::utf32_from_utf8(text),
            std::u32string(U"a\0\u00e4\u20ac\U0001f600\U0010ffff", 6));
  EXPECT_EQ(polycodec::utf8_from_utf16(polycodec::utf16_from_utf8(text)), text);
  EXPECT_EQ(polycodec::utf8_from_utf32(polycodec::utf32_from_utf8(text)), text);
}

TEST(UtfConvert, ReadsEitherByteOrderAtAnyAlignment) {
  const char utf16_le[] = "xa\0\x3d\xd8\x00\xde";
  const char utf16_be[] = "x\0a\xd8\x3d\xde\x00";
  const char utf32_be[] = "x\x00\x01\xf6\x00";
  EXPECT_EQ(polycodec::utf8_from_utf16(&utf16_le[1], 3, std::endian::little), "a\xf0\x9f\x98\x80");
  EXPECT_EQ(polycodec::utf8_from_utf16(&utf16_be[1], 3, std::endian::big), "a\xf0\x9f\x98\x80");
  EXPECT_EQ(polycodec::utf8_from_utf32(&utf32_be[1], 1, std::endian::big), "\xf0\x9f\x98\x80");
}

template <class Call>
std::uint64_t offset_of_error(Call call) {
  try {
    call();
  } catch (const polycodec::Error& e) {
    EXPECT_EQ(e.code(), polycodec::Status::malformed);
    return e.offset();
  }
  return 0xdead;
}

TEST(UtfConvert, RefusesWithTheOffset) {
  using polycodec::utf8_from_utf16;
  using polycodec::utf8_from_utf32;
  EXPECT_EQ(offset_of_error([] { utf8_from_utf16(std::u16string{u'a', 0xd800}); }), 2u);
  EXPECT_EQ(offset_of_error([] { utf8_from_utf16(std::u16string{0xd800, u'a'}); }), 0u);
  EXPECT_EQ(offset_of_error([] { utf8_from_utf16(std::u16string{u'a', u'b', 0xdc00, u'c'}); }), 4u);
  EXPECT_EQ(offset_of_error([] { utf8_from_utf16(std::u16string{0xd800, 0xd800, 0xdc00}); }), 0u);
  EXPECT_EQ(offset_of_error([] { utf8_from_utf32(std::u32string{U'a', char32_t{0xdfff}}); }), 4u);
  EXPECT_EQ(offset_of_error([] { utf8_from_utf32(std::u32string{char32_t{0x110000}}); }), 0u);
  EXPECT_EQ(offset_of_error([] { polycodec::utf16_from_utf8("ab\xff"); }), 2u);
  EXPECT_EQ(offset_of_error([] { polycodec::utf32_from_utf8("ab\xe2\x82"); }), 2u);
}

}  // namespace
