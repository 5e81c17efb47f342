// SPDX-License-Identifier: MIT
// What codecs of text formats share: numbers, lines and columns, paths of errors.
#include <polycodec/line_column.hpp>
#include <polycodec/path.hpp>
#include <polycodec/reader.hpp>
#include <polycodec/writer.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace {

using namespace polycodec;

template <class Body>
Error error_of(Body body) {
  try {
    body();
  } catch (const Error& e) {
    return e;
  }
  return Error(Status::ok, "nothing was thrown");
}

TEST(DecimalText, NumbersEndWhereTheyEnd) {
  Reader in(std::string_view("12,-7;3.5e2 nan|+9"), 100);
  EXPECT_EQ(in.decimal<std::uint8_t>(), 12);
  EXPECT_EQ(in.u8(), ',');
  EXPECT_EQ(in.decimal<std::int64_t>(), -7);
  EXPECT_EQ(in.u8(), ';');
  EXPECT_EQ(in.decimal<double>(), 350.0);
  EXPECT_EQ(in.u8(), ' ');
  EXPECT_TRUE(std::isnan(in.decimal<float>()));
  EXPECT_EQ(in.u8(), '|');
  EXPECT_EQ(in.decimal<long long>(), 9);
  EXPECT_TRUE(in.at_end());
  EXPECT_EQ(Reader(std::string_view("18446744073709551615")).decimal<std::uint64_t>(), UINT64_MAX);
  EXPECT_EQ(Reader(std::string_view("-128")).decimal<std::int8_t>(), -128);
  EXPECT_EQ(Reader(std::string_view("1e999")).decimal<double>(),
            std::numeric_limits<double>::infinity());
}

TEST(DecimalText, ErrorsSayWhatAndWhere) {
  Reader in(std::string_view("300 x"), 10);
  const Error range = error_of([&] { in.decimal<std::uint8_t>("the level"); });
  EXPECT_EQ(range.code(), Status::range);
  EXPECT_EQ(range.offset(), 10u);
  EXPECT_EQ(range.message(), "the level '300' is out of range: must be 0 to 255");
  EXPECT_EQ(in.decimal<int>(), 300);  // nothing was taken before
  in.skip(1);
  const Error malformed = error_of([&] { in.decimal<int>("the level"); });
  EXPECT_EQ(malformed.code(), Status::malformed);
  EXPECT_EQ(malformed.offset(), 14u);
  in.skip(1);
  EXPECT_EQ(error_of([&] { in.decimal<int>(); }).code(), Status::truncated);
  const std::string digits(10000, '9');
  const Error cut = error_of([&] { Reader(digits).decimal<std::int64_t>(); });
  EXPECT_EQ(cut.code(), Status::range);
  EXPECT_LT(cut.message().size(), 200u);
  EXPECT_EQ(error_of([&] { Reader(std::string_view("-1")).decimal<unsigned>(); }).code(),
            Status::range);
}

/// What `write` writes, through windows of one byte.
template <class Write>
std::string written(Write write) {
  struct Sink : polycodec_sink {
    std::string text;
    char window[64];
  } sink{};
  sink.struct_size = sizeof(polycodec_sink);
  sink.grow = [](polycodec_sink* raw, std::uint64_t need, polycodec_error*) {
    auto& self = *static_cast<Sink*>(raw);
    auto* const begin = reinterpret_cast<std::uint8_t*>(self.window);
    if (self.cursor != nullptr)
      self.text.append(self.window, static_cast<std::size_t>(self.cursor - begin));
    self.cursor = begin;
    self.limit = begin + need;
    return std::int32_t{POLYCODEC_OK};
  };
  Writer out(&sink);
  write(out);
  out.flush();
  polycodec_error error = make_error();
  sink.grow(&sink, 1, &error);
  return sink.text;
}

TEST(DecimalText, NumbersAreWrittenAsShortAsTheyReadBack) {
  EXPECT_EQ(written([](Writer& out) {
              out.put_decimal(-5);
              out.put_u8(' ');
              out.put_decimal(UINT64_MAX);
              out.put_u8(' ');
              out.put_decimal(std::numeric_limits<std::int64_t>::min());
              out.put_u8(' ');
              out.put_decimal(0.1f);
              out.put_u8(' ');
              out.put_decimal(0.1);
              out.put_u8(' ');
              out.put_decimal(-std::numeric_limits<double>::infinity());
            }),
            "-5 18446744073709551615 -9223372036854775808 0.1 0.1 -inf");
}

TEST(Places, LinesAndColumnsBeginAtOne) {
  const std::string_view text = "ab\nc\n\nd";
  const auto at = [&](std::uint64_t offset) {
    const LineColumn place = line_column(text, offset);
    return std::to_string(place.line) + ":" + std::to_string(place.column);
  };
  EXPECT_EQ(at(0), "1:1");
  EXPECT_EQ(at(2), "1:3");
  EXPECT_EQ(at(3), "2:1");
  EXPECT_EQ(at(5), "3:1");
  EXPECT_EQ(at(6), "4:1");
  EXPECT_EQ(at(UINT64_MAX), "4:2");
  const Error e = text_error(Status::malformed, "expected a number", text, 4);
  EXPECT_EQ(e.message(), "expected a number (line 2, column 2)");
  EXPECT_EQ(e.offset(), 4u);
}

TEST(Places, StepsComeBeforeThePathOfAnError) {
  const Error inner = error_of([] {
    at_step("rows", [] {
      at_step(3, [] {
        at_step("a key", [] { throw Error(Status::type, "no number", 7).detail("x.y"); });
      });
    });
  });
  EXPECT_EQ(inner.path(), "$.rows[3][\"a key\"]");
  EXPECT_EQ(inner.detail(), "x.y");
  EXPECT_EQ(inner.offset(), 7u);
  EXPECT_EQ(at_step(1, [] { return 5; }), 5);
  const Error rooted =
      error_of([] { at_step(2, [] { throw Error(Status::type, "no").path("$.b"); }); });
  EXPECT_EQ(rooted.path(), "$[2].b");
  const Error longest = error_of(
      [] { at_step(2, [] { throw Error(Status::type, "no").path(std::string(5000, 'x')); }); });
  EXPECT_EQ(longest.path().size(), 5000u);
}

}  // namespace
