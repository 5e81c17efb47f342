// SPDX-License-Identifier: MIT
#include <polycodec/reader.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace {

using namespace polycodec;

template <class Call>
Error error_of(Call call) {
  try {
    call();
  } catch (const Error& e) {
    return e;
  }
  return Error(Status::ok, "nothing was thrown");
}

TEST(Reader, ReadsEveryKindInOrder) {
  const std::string_view bytes("\x01\x02\x03\x04\x05\x06\x07\x3f\x80\x00\x00hello!!", 18);
  Reader in(bytes, 1000);
  EXPECT_EQ(in.size(), 18u);
  EXPECT_EQ(in.u8(), 1);
  EXPECT_EQ(in.le<std::uint16_t>(), 0x0302);
  EXPECT_EQ(in.be<std::uint16_t>(), 0x0405);
  EXPECT_EQ(in.number<std::uint16_t>(std::endian::big), 0x0607);
  EXPECT_EQ(in.be<float>(), 1.0f);
  EXPECT_EQ(in.position(), 1011u);
  EXPECT_EQ(in.bytes(3), "hel");
  EXPECT_EQ(in.bytes(2).data(), bytes.data() + 14);
  EXPECT_EQ(in.remaining(), 2u);
  in.skip(2);
  EXPECT_TRUE(in.at_end());
  EXPECT_NO_THROW(in.expect_end());
}

TEST(Reader, TooFewBytesSayWhatAndWhereAndLeaveTheCursor) {
  Reader in(std::string_view("abc"), 40);
  in.skip(1);
  const Error e = error_of([&] { in.le<std::uint64_t>("timestamp"); });
  EXPECT_EQ(e.code(), Status::truncated);
  EXPECT_EQ(e.offset(), 41u);
  EXPECT_EQ(e.message(), "timestamp needs 8 bytes, 2 left");
  EXPECT_EQ(in.consumed(), 1u);
  EXPECT_EQ(error_of([&] { in.bytes(3); }).code(), Status::truncated);
  EXPECT_EQ(error_of([&] { in.skip(std::numeric_limits<std::uint64_t>::max()); }).code(),
            Status::truncated);
  EXPECT_EQ(in.bytes(2), "bc");
  EXPECT_EQ(error_of([&] { in.u8("tag"); }).message(), "tag needs 1 byte, 0 left");
}

TEST(Reader, ADefaultOneIsEmpty) {
  Reader in;
  EXPECT_TRUE(in.at_end());
  EXPECT_EQ(in.bytes(0).size(), 0u);
  EXPECT_EQ(error_of([&] { in.u8(); }).code(), Status::truncated);
}

TEST(Reader, CountsAreCheckedWithoutMultiplying) {
  Reader in(std::string_view("0123456789"));
  EXPECT_NO_THROW(in.require_count(5, 2));
  EXPECT_NO_THROW(in.require_count(10, 1));
  EXPECT_NO_THROW(in.require_count(0, 100));
  EXPECT_NO_THROW(in.require_count(1000, 0));
  EXPECT_EQ(error_of([&] { in.require_count(6, 2); }).code(), Status::truncated);
  // 2^61 * 8 is 0 modulo 2^64.
  const Error e = error_of([&] { in.require_count(std::uint64_t{1} << 61, 8, "array"); });
  EXPECT_EQ(e.message(),
            "array declares 2305843009213693952 items of at least 8 bytes, 10 bytes left");
}

TEST(Reader, WindowsKeepAbsoluteOffsets) {
  Reader in(std::string_view("0123456789"), 7);
  in.skip(2);
  Reader inner = in.window(4, "body");
  EXPECT_EQ(in.position(), 13u);
  EXPECT_EQ(inner.position(), 9u);
  EXPECT_EQ(inner.bytes(3), "234");
  const Error e = error_of([&] { inner.le<std::uint16_t>(); });
  EXPECT_EQ(e.offset(), 12u);
  EXPECT_EQ(error_of([&] { inner.expect_end("the body"); }).code(), Status::trailing);
  EXPECT_EQ(error_of([&] { inner.expect_end("the body"); }).message(), "1 byte follows the body");
  EXPECT_EQ(error_of([&] { in.window(5, "body"); }).code(), Status::truncated);
}

TEST(Reader, SlicesAndSeeksStayInside) {
  Reader in(std::string_view("0123456789"), 100);
  Reader slice = in.slice(6, 4);
  EXPECT_EQ(slice.position(), 106u);
  EXPECT_EQ(slice.bytes(4), "6789");
  EXPECT_EQ(in.consumed(), 0u);
  EXPECT_EQ(in.slice(10, 0).size(), 0u);
  EXPECT_EQ(error_of([&] { in.slice(6, 5); }).code(), Status::truncated);
  EXPECT_EQ(error_of([&] { in.slice(11, 0); }).code(), Status::truncated);
  EXPECT_EQ(error_of([&] { in.slice(2, std::numeric_limits<std::uint64_t>::max()); }).code(),
            Status::truncated);
  in.seek(10);
  EXPECT_TRUE(in.at_end());
  in.seek(3);
  EXPECT_EQ(in.u8(), '3');
  EXPECT_EQ(error_of([&] { in.seek(11); }).code(), Status::truncated);
  EXPECT_EQ(in.consumed(), 4u);
}

TEST(Reader, FailsAtTheCursor) {
  Reader in(std::string_view("abc"), 10);
  in.skip(2);
  const Error e = error_of([&] { in.fail(Status::malformed, "bad tag"); });
  EXPECT_EQ(e.code(), Status::malformed);
  EXPECT_EQ(e.offset(), 12u);
}

}  // namespace
