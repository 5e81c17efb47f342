// SPDX-License-Identifier: MIT
#include <base/base64.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

using polycodec::Base64Result;
using polycodec::Base64Status;
using polycodec::CpuLevel;
namespace detail = polycodec::detail;

std::vector<CpuLevel> levels() {
  std::vector<CpuLevel> found;
  for (const auto level :
       {CpuLevel::scalar, CpuLevel::ssse3, CpuLevel::avx2, CpuLevel::avx512_vbmi})
    if (polycodec::cpu_has(level)) found.push_back(level);
  return found;
}

// Memory of exactly the given size, so that AddressSanitizer sees each byte too far.
template <class T>
std::unique_ptr<T[]> exact(std::size_t size) {
  return std::make_unique<T[]>(size);
}

std::unique_ptr<char[]> exact_copy(std::string_view text) {
  auto copy = exact<char>(text.size());
  std::copy(text.begin(), text.end(), copy.get());
  return copy;
}

std::string encode(CpuLevel level, std::string_view bytes) {
  const auto in = exact_copy(bytes);
  const std::size_t size = polycodec::base64_encoded_size(bytes.size());
  const auto out = exact<char>(size);
  EXPECT_EQ(detail::base64_encode_at(level, out.get(), in.get(), bytes.size()), size);
  return std::string(out.get(), size);
}

struct Decoded {
  Base64Result result;
  std::string bytes;
};

Decoded decode_run(CpuLevel level, std::string_view text, std::size_t capacity) {
  const auto in = exact_copy(text);
  const auto out = exact<char>(capacity);
  const auto result = detail::base64_decode_at(level, out.get(), capacity, {in.get(), text.size()});
  return {result, std::string(out.get(), result.written)};
}

Base64Result decode_whole(std::string_view text) {
  std::string out(polycodec::base64_decoded_bound(text.size()), '\0');
  return polycodec::base64_decode(out.data(), out.size(), text);
}

std::string random_bytes(std::size_t size, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::string bytes(size, '\0');
  for (auto& b : bytes) b = static_cast<char>(random());
  return bytes;
}

// The plainest encoder there is, bit by bit.
std::string reference_encode(std::string_view bytes) {
  std::string text;
  for (std::size_t bit = 0; bit < bytes.size() * 8; bit += 6) {
    unsigned value = 0;
    for (std::size_t i = bit; i < bit + 6; ++i) {
      value <<= 1;
      if (i < bytes.size() * 8)
        value |= (static_cast<unsigned char>(bytes[i / 8]) >> (7 - i % 8)) & 1u;
    }
    text += "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[value];
  }
  while (text.size() % 4 != 0) text += '=';
  return text;
}

TEST(Base64, TestVectorsOfTheStandard) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="},
      {"foobar", "Zm9vYmFy"},
  };
  for (const auto& [bytes, text] : cases) {
    EXPECT_EQ(encode(CpuLevel::scalar, bytes), text);
    EXPECT_EQ(decode_run(CpuLevel::scalar, text, bytes.size()).bytes, bytes);
  }
}

TEST(Base64, EveryKernelEncodesAndDecodesEveryLength) {
  for (std::size_t size = 0; size <= 300; ++size) {
    const std::string bytes = random_bytes(size, static_cast<std::uint32_t>(size));
    const std::string text = reference_encode(bytes);
    for (const auto level : levels()) {
      ASSERT_EQ(encode(level, bytes), text) << size;
      const auto decoded = decode_run(level, text, size);
      ASSERT_EQ(decoded.result.status, Base64Status::ok) << size;
      ASSERT_EQ(decoded.result.consumed, text.size());
      ASSERT_EQ(decoded.bytes, bytes) << size;
    }
  }
}

TEST(Base64, EveryKernelFindsEveryCorruptionAtEveryPlace) {
  for (const std::size_t size : {3u, 24u, 72u, 100u, 143u, 194u}) {
    const std::string text = reference_encode(random_bytes(size, 7));
    for (std::size_t at = 0; at < text.size(); ++at) {
      for (int byte = 0; byte < 256; ++byte) {
        std::string bad = text;
        bad[at] = static_cast<char>(byte);
        const auto expected = decode_run(CpuLevel::scalar, bad, size + 2);
        const bool in_alphabet =
            std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
                .find(static_cast<char>(byte)) != std::string_view::npos;
        if (!in_alphabet && byte != '=') {
          // The first bad character is where the run ends, with or without an error.
          ASSERT_LE(expected.result.consumed, at);
          const auto whole = decode_whole(bad);
          ASSERT_NE(whole.status, Base64Status::ok);
          ASSERT_EQ(whole.consumed, at) << byte;
        }
        for (const auto level : levels()) {
          const auto got = decode_run(level, bad, size + 2);
          ASSERT_EQ(got.result.status, expected.result.status) << at << " " << byte;
          ASSERT_EQ(got.result.consumed, expected.result.consumed) << at << " " << byte;
          ASSERT_EQ(got.bytes, expected.bytes);
        }
      }
    }
  }
}

TEST(Base64, StopsAtTheClosingQuote) {
  for (const std::size_t size : {0u, 1u, 2u, 3u, 47u, 48u, 49u, 95u, 96u, 97u, 1000u}) {
    const std::string bytes = random_bytes(size, 3);
    const std::string text = reference_encode(bytes);
    for (const auto level : levels()) {
      for (const std::string_view rest : {"\"", "\", \"next\": \"AAAA\"}", "\\n"}) {
        const auto decoded = decode_run(level, text + std::string(rest), size);
        ASSERT_EQ(decoded.result.status, Base64Status::ok);
        ASSERT_EQ(decoded.result.consumed, text.size());
        ASSERT_EQ(decoded.bytes, bytes);
      }
    }
  }
}

TEST(Base64, NeverWritesMoreThanTheOutputHolds) {
  const std::string bytes = random_bytes(200, 5);
  const std::string text = reference_encode(bytes);
  for (const auto level : levels()) {
    for (std::size_t room = 0; room < bytes.size(); ++room)
      ASSERT_EQ(decode_run(level, text, room).result.status, Base64Status::no_room) << room;
    EXPECT_EQ(decode_run(level, text, bytes.size()).bytes, bytes);
  }
}

TEST(Base64, ErrorsNameTheirPlace) {
  const auto check = [](std::string_view text, Base64Status status, std::size_t at) {
    const auto result = decode_whole(text);
    EXPECT_EQ(result.status, status) << text;
    EXPECT_EQ(result.consumed, at) << text;
  };
  check("Zg", Base64Status::truncated, 2);
  check("Zg=", Base64Status::truncated, 3);
  check("Z", Base64Status::truncated, 1);
  check("Zm9vY", Base64Status::truncated, 5);
  check("Zh==", Base64Status::trailing_bits, 1);
  check("Zm9=", Base64Status::trailing_bits, 2);
  check("Z===", Base64Status::bad_character, 1);
  check("====", Base64Status::bad_padding, 0);
  check("Zg==Zg==", Base64Status::bad_character, 4);
  check("Zg===", Base64Status::bad_padding, 4);
  check("Zm9v=", Base64Status::bad_padding, 4);
  check("Zg=x", Base64Status::bad_character, 3);
  check("Zm9v\nZm9v", Base64Status::bad_character, 4);
  check(" Zm9v", Base64Status::bad_character, 0);
  check("Zm-v", Base64Status::bad_character, 2);
  check("Zm_v", Base64Status::bad_character, 2);
}

TEST(Base64, RunsThatAreNoWholeGroupsAreRefused) {
  EXPECT_EQ(decode_run(CpuLevel::scalar, "Zm9vYg\"", 9).result.status, Base64Status::bad_padding);
  EXPECT_EQ(decode_run(CpuLevel::scalar, "Zm9vYg\"", 9).result.consumed, 6u);
}

// Each text that differs in one character, and each other size.
TEST(Base64, NumbersAreWhatTheWholeFormAccepts) {
  std::mt19937 random(3);
  for (const std::size_t size : {1u, 2u, 4u, 8u}) {
    std::string bytes(size, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    const std::string text = encode(CpuLevel::scalar, bytes);
    const auto check = [&](const std::string& changed) {
      const auto in = exact_copy(changed);
      const auto whole = exact<char>(16), number = exact<char>(size);
      const Base64Result result =
          polycodec::base64_decode(whole.get(), 16, {in.get(), changed.size()});
      const bool is_number =
          polycodec::base64_decode_number(number.get(), size, {in.get(), changed.size()});
      EXPECT_EQ(is_number, result.status == Base64Status::ok && result.written == size) << changed;
      EXPECT_TRUE(!is_number || std::memcmp(whole.get(), number.get(), size) == 0) << changed;
    };
    check(text);
    for (std::size_t i = 0; i < text.size(); ++i) {
      for (int c = 0; c < 256; ++c) {
        std::string changed = text;
        changed[i] = static_cast<char>(c);
        check(changed);
      }
    }
    for (std::size_t i = 0; i <= text.size(); i += 4) check(text.substr(i) + "AAAA" + text);
    check(text.substr(1));
    check("");
  }
  char other[16] = {};
  EXPECT_FALSE(polycodec::base64_decode_number(other, 3, "AAAA"));
  EXPECT_FALSE(polycodec::base64_decode_number(other, 16, std::string(22, 'A') + "=="));
}

TEST(Base64, TheDispatchedFormsAgreeWithTheKernels) {
  const std::string bytes = random_bytes(10000, 11);
  std::string text(polycodec::base64_encoded_size(bytes.size()), '\0');
  ASSERT_EQ(polycodec::base64_encode(text.data(), bytes.data(), bytes.size()), text.size());
  EXPECT_EQ(text, reference_encode(bytes));
  std::string back(bytes.size(), '\0');
  const auto result = polycodec::base64_decode(back.data(), back.size(), text);
  EXPECT_EQ(result.status, Base64Status::ok);
  EXPECT_EQ(result.written, bytes.size());
  EXPECT_EQ(back, bytes);
}

}  // namespace
