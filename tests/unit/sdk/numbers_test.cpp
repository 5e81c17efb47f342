// SPDX-License-Identifier: MIT
#include <base/swap_copy.hpp>
#include <polycodec/byte_order.hpp>
#include <polycodec/checked.hpp>
#include <polycodec/detail/half.hpp>

#include "varint.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <random>
#include <vector>

namespace {

using namespace polycodec;

constexpr std::uint64_t max64 = std::numeric_limits<std::uint64_t>::max();

static_assert(checked_add(max64, 0) == max64);
static_assert(!checked_add(max64, 1));
static_assert(checked_mul(1ull << 32, (1ull << 32) - 1) == (max64 << 32));
static_assert(!checked_mul(1ull << 32, 1ull << 32));
static_assert(align_up(0, 8) == 0u && align_up(1, 8) == 8u && align_up(8, 8) == 8u &&
              align_up(max64 - 7, 8) == max64 - 7);
static_assert(!align_up(max64 - 6, 8));
static_assert(align_up(max64, 1) == max64);
static_assert(range_fits(0, 0, 0) && range_fits(3, 2, 5) && range_fits(5, 0, 5));
static_assert(!range_fits(4, 2, 5) && !range_fits(6, 0, 5) && !range_fits(2, max64, 5));
static_assert(byteswap<std::uint16_t>(0x0102) == 0x0201);
static_assert(byteswap<std::uint32_t>(0x01020304) == 0x04030201);
static_assert(byteswap<std::int64_t>(0x0102030405060708) == 0x0807060504030201);
static_assert(byteswap<std::int8_t>(-3) == -3);

TEST(ByteOrder, LoadsAndStoresAtAnyAlignment) {
  const std::uint8_t bytes[] = {0xff, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x88};
  EXPECT_EQ(load_le<std::uint16_t>(bytes + 1), 0x0201);
  EXPECT_EQ(load_be<std::uint16_t>(bytes + 1), 0x0102);
  EXPECT_EQ(load_le<std::uint32_t>(bytes + 1), 0x04030201u);
  EXPECT_EQ(load_be<std::uint32_t>(bytes + 1), 0x01020304u);
  EXPECT_EQ(load_le<std::uint64_t>(bytes + 1), 0x8807060504030201u);
  EXPECT_EQ(load_be<std::int64_t>(bytes + 1), 0x0102030405060788);
  EXPECT_EQ(load_le<std::int64_t>(bytes + 1), static_cast<std::int64_t>(0x8807060504030201u));
  EXPECT_EQ(load_be<std::int8_t>(bytes), -1);

  std::uint8_t out[9] = {};
  store_be<double>(out + 1, 1.0);
  EXPECT_EQ(load_be<std::uint64_t>(out + 1), 0x3ff0000000000000u);
  store_le<float>(out + 1, -2.0f);
  EXPECT_EQ(load_le<std::uint32_t>(out + 1), 0xc0000000u);
  EXPECT_EQ(load_le<float>(out + 1), -2.0f);
}

TEST(ByteOrder, SignallingNansSurvive) {
  std::uint8_t bytes[8];
  store_be<std::uint64_t>(bytes, 0x7ff00000000007a2u);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(load_be<double>(bytes)), 0x7ff00000000007a2u);
}

TEST(Half, EveryHalfGoesToFloatAndBack) {
  for (std::uint32_t h = 0; h < 0x10000; ++h) {
    const auto half = static_cast<std::uint16_t>(h);
    const std::uint32_t bits = half_to_float_bits(half);
    ASSERT_EQ(float_bits_to_half(bits), half) << h;
    const int exponent = static_cast<int>((h >> 10) & 0x1f);
    if (exponent == 0x1f) {
      ASSERT_EQ(std::isnan(std::bit_cast<float>(bits)), (h & 0x3ff) != 0);
      continue;
    }
    const double magnitude =
        exponent == 0 ? std::ldexp(h & 0x3ff, -24) : std::ldexp((h & 0x3ff) | 0x400, exponent - 25);
    ASSERT_EQ(static_cast<double>(half_to_float(half)), (h & 0x8000) != 0 ? -magnitude : magnitude)
        << h;
    ASSERT_EQ(std::signbit(half_to_float(half)), (h & 0x8000) != 0);
    ASSERT_EQ(double_to_half(static_cast<double>(half_to_float(half))), half);
  }
}

TEST(Half, RoundsToNearestEven) {
  for (std::uint32_t h = 0; h < 0x7c00; ++h) {
    const auto lower = static_cast<double>(half_to_float(static_cast<std::uint16_t>(h)));
    // Above the greatest half stands what would be the next one, had it the exponent for it.
    const double upper =
        h == 0x7bff ? 65536.0
                    : static_cast<double>(half_to_float(static_cast<std::uint16_t>(h + 1)));
    const double middle = (lower + upper) / 2;
    ASSERT_EQ(double_to_half(middle), h + (h & 1)) << h;
    ASSERT_EQ(float_to_half(static_cast<float>(middle)), h + (h & 1)) << h;
    ASSERT_EQ(double_to_half(std::nextafter(middle, 0.0)), h);
    ASSERT_EQ(double_to_half(std::nextafter(middle, 1e9)), h + 1);
    ASSERT_EQ(double_to_half(-std::nextafter(middle, 1e9)), (h + 1) | 0x8000);
  }
  EXPECT_EQ(double_to_half(1e300), 0x7c00);
  EXPECT_EQ(double_to_half(5e-324), 0);
  EXPECT_EQ(float_bits_to_half(1), 0);
  EXPECT_EQ(float_bits_to_half(0x7f800001), 0x7e00);  // a NaN whose upper payload is empty
  EXPECT_EQ(float_bits_to_half(0xffc00000), 0xfe00);
}

TEST(SwapCopy, EveryLevelWidthCountAndAlignment) {
  std::mt19937 random(1);
  for (const std::size_t width : {1u, 2u, 4u, 8u, 16u}) {
    for (std::size_t count = 0; count <= 70; ++count) {
      const std::size_t size = count * width;
      for (std::size_t shift = 0; shift < 3; ++shift) {
        const auto in = std::make_unique<std::uint8_t[]>(size + shift);
        const auto out = std::make_unique<std::uint8_t[]>(size + shift);
        std::vector<std::uint8_t> expected(size);
        for (std::size_t i = 0; i < size; ++i) in[i + shift] = static_cast<std::uint8_t>(random());
        for (std::size_t i = 0; i < size; ++i)
          expected[i] = in[shift + i / width * width + (width - 1 - i % width)];
        for (const auto level :
             {CpuLevel::scalar, CpuLevel::ssse3, CpuLevel::avx2, CpuLevel::avx512_vbmi}) {
          if (!cpu_has(level)) continue;
          std::memset(out.get(), 0, size + shift);
          ASSERT_TRUE(
              detail::swap_copy_at(level, out.get() + shift, in.get() + shift, count, width));
          ASSERT_EQ(std::vector<std::uint8_t>(out.get() + shift, out.get() + shift + size),
                    expected);
          ASSERT_TRUE(
              detail::swap_copy_at(level, out.get() + shift, out.get() + shift, count, width));
          if (size != 0 && width != 1) {
            ASSERT_EQ(std::memcmp(out.get() + shift, in.get() + shift, size), 0) << "in place";
          }
        }
        ASSERT_TRUE(swap_copy(out.get() + shift, in.get() + shift, count, width));
        ASSERT_EQ(std::vector<std::uint8_t>(out.get() + shift, out.get() + shift + size), expected);
      }
    }
  }
}

TEST(SwapCopy, RefusesOtherWidths) {
  std::uint8_t a[32] = {1}, b[32] = {};
  for (const std::size_t width : {0u, 3u, 5u, 12u, 32u}) EXPECT_FALSE(swap_copy(b, a, 1, width));
  EXPECT_EQ(b[0], 0);
}

std::vector<std::uint8_t> encoded(std::uint64_t value) {
  std::uint8_t bytes[max_varint_size];
  const auto size = encode_varint(value, bytes);
  return {bytes, bytes + size};
}

TEST(Varint, RoundTripsAtEveryLengthAndPlace) {
  std::vector<std::uint64_t> values = {0, 1, max64};
  for (int bit = 1; bit < 64; ++bit)
    for (const std::uint64_t near : {(1ull << bit) - 1, 1ull << bit, (1ull << bit) + 1})
      values.push_back(near);
  std::mt19937_64 random(9);
  for (int i = 0; i < 10000; ++i) values.push_back(random() >> (random() % 64));
  for (const auto value : values) {
    const auto bytes = encoded(value);
    ASSERT_EQ(bytes.size(), varint_size(value));
    for (const std::size_t after : {0u, 1u, 7u, 20u}) {
      // Exactly sized, so that a read too far is seen; what follows looks like more groups.
      const auto copy = std::make_unique<std::uint8_t[]>(bytes.size() + after);
      std::memset(copy.get(), 0xff, bytes.size() + after);
      std::memcpy(copy.get(), bytes.data(), bytes.size());
      const auto got = decode_varint(copy.get(), bytes.size() + after);
      ASSERT_EQ(got.status, VarintStatus::ok) << value;
      ASSERT_EQ(got.value, value);
      ASSERT_EQ(got.size, bytes.size());
    }
    for (std::size_t keep = 0; keep < bytes.size(); ++keep)
      ASSERT_EQ(decode_varint(bytes.data(), keep).status, VarintStatus::truncated);
  }
}

TEST(Varint, BothDecodersAgreeOnAnyBytes) {
  std::mt19937 random(3);
  for (int round = 0; round < 200000; ++round) {
    std::array<std::uint8_t, 12> bytes;
    const auto likely = static_cast<unsigned>(random() % 12);
    for (unsigned i = 0; i < bytes.size(); ++i) {
      bytes[i] = static_cast<std::uint8_t>(random() % 3 == 0 ? 0 : random());
      bytes[i] = static_cast<std::uint8_t>(i < likely ? bytes[i] | 0x80 : bytes[i] & 0x7f);
    }
    const std::size_t size = random() % (bytes.size() + 1);
    const auto a = decode_varint(bytes.data(), size);
    const auto b = detail::decode_varint_bytewise(bytes.data(), size);
    ASSERT_EQ(a.status, b.status);
    ASSERT_EQ(a.value, b.value);
    ASSERT_EQ(a.size, b.size);
  }
}

TEST(Varint, TellsOverlongFromOverflow) {
  const auto status = [](std::vector<std::uint8_t> bytes) {
    return decode_varint(bytes.data(), bytes.size()).status;
  };
  EXPECT_EQ(status({0x80, 0x00}), VarintStatus::overlong);
  EXPECT_EQ(status({0x80, 0x00, 1, 1, 1, 1, 1, 1}), VarintStatus::overlong);
  EXPECT_EQ(status({0xff, 0xff, 0x80, 0x00}), VarintStatus::overlong);
  EXPECT_EQ(status({0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00}),
            VarintStatus::overlong);
  EXPECT_EQ(status({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}), VarintStatus::ok);
  EXPECT_EQ(status({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02}),
            VarintStatus::overflow);
  EXPECT_EQ(status({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x80, 0x00}),
            VarintStatus::overflow);
  EXPECT_EQ(status({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}),
            VarintStatus::truncated);
  EXPECT_EQ(status({}), VarintStatus::truncated);
}

TEST(Varint, ErrorsOfTheReaderFormCarryOffsetAndDetail) {
  const auto fail = [](std::vector<std::uint8_t> bytes) -> Error {
    Reader in(bytes.data(), bytes.size(), 100);
    in.skip(1);
    try {
      read_varint(in, "count");
    } catch (const Error& e) {
      EXPECT_EQ(in.consumed(), 1u);
      return e;
    }
    return Error(Status::ok, "");
  };
  EXPECT_EQ(fail({0, 0x80}).code(), Status::truncated);
  EXPECT_EQ(fail({0, 0x80}).offset(), 101u);
  EXPECT_EQ(fail({0, 0x80, 0}).detail(), "varint.overlong");
  EXPECT_EQ(fail({0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 2}).detail(), "varint.overflow");
  EXPECT_EQ(fail({0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 2}).code(), Status::malformed);
}

}  // namespace
