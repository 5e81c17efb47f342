// SPDX-License-Identifier: MIT
// Errors of the parser: offsets and words; hostile depth and size; the additions to DyND's
// notation.
#include <model/type/parse.hpp>
#include <model/type/print.hpp>

#include <gtest/gtest.h>

#include <string>

namespace type = polycodec::type;
using polycodec::Error;
using polycodec::Status;

namespace {

std::string repeat(std::string_view part, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += part;
  return text;
}

Error error_of(const std::string& text, const type::ParseOptions& options = {}) {
  try {
    const type::Type accepted = type::parse(text, options);
    ADD_FAILURE() << "accepted: " << text.substr(0, 100);
  } catch (const Error& e) {
    return e;
  }
  return Error(Status::ok, "");
}

type::ParseOptions unbounded_text() {
  type::ParseOptions options;
  options.max_text = 1u << 30;
  return options;
}

}  // namespace

TEST(TypeParse, ErrorsSayWhereAndWhatWasFound) {
  struct Row {
    const char* text;
    const char* detail;
    std::uint64_t offset;
    const char* message;
  };
  const Row rows[] = {
      {"", "type.syntax", 0, "expected a type, found the end of the text"},
      {"  # only a comment", "type.syntax", 18, "expected a type, found the end of the text"},
      {"3 * int33", "type.unknown", 4, "unknown type 'int33' (did you mean 'int32'?)"},
      {"{x: int32, y int8}", "type.syntax", 13, "expected ':', found 'int8'"},
      {"{x: int32; y: int8}", "type.syntax", 9, "expected ',' or '}', found ';'"},
      {"{x: int8, y: int8, x: int8}", "type.syntax", 19, "duplicate name x"},
      {"(int32, float64", "type.syntax", 15, "expected ',' or ')', found the end of the text"},
      {"(int8, x: int8)", "type.syntax", 7,
       "a tuple has no names; '->' and a result make it a callable"},
      {"int32 int64", "type.syntax", 6,
       "expected the end of the text after the type, found 'int64'"},
      {"2 * n * int8", "type.unknown", 4, "'n' is not a dimension"},
      {"2 * 18446744073709551616 * int8", "type.range", 4,
       "the number 18446744073709551616 is greater than 9223372036854775807"},
      {"int32\xc2\xa0", "type.syntax", 5,
       "expected the end of the text after the type, found byte 0xc2"},
      {"{'a\xff': int8}", "type.syntax", 3, "the quoted text is not valid UTF-8"},
      {"{'a\\q': int8}", "type.syntax", 3, "there is no such escape; a backslash is written \\\\"},
      {"{'a\\ud83d': int8}", "type.syntax", 3, "the escape does not name a character"},
      {"{'abc", "type.syntax", 1, "the quoted text has no end"},
      {"?option[int8]", "type.syntax", 1, "an option of an option says nothing new"},
      {"option[ ?int8]", "type.syntax", 8, "an option of an option says nothing new"},
      {"fixed_bytes[6, align=4]", "type.syntax", 21,
       "the alignment must be 1, 2, 4, 8 or 16 and divide the size"},
      {"pointer", "type.unknown", 0,
       "'pointer' alone is not a type; it needs an argument in brackets"},
      {"datetime[unit='weeks']", "type.syntax", 14,
       "unknown time unit; there are Y M W D h m s ms us ns ps fs as"},
      {"annotated[annotated[int8, a=1], b=2]", "type.syntax", 10,
       "an annotated type cannot be annotated again"},
      {"annotated[int8, a=1, 'a'=2]", "type.syntax", 21, "duplicate annotation"},
      {"annotated[int8, a=01]", "type.syntax", 18, "a number must not start with 0"},
      {"annotated[int8, a=1.]", "type.syntax", 20, "expected a digit, found ']'"},
      {"annotated[int8, a=9223372036854775808]", "type.range", 18,
       "the number 9223372036854775808 does not fit 64 bits with a sign"},
      {"annotated[int8]", "type.syntax", 14, "expected ',', found ']'"},
      {"map[int8]", "type.syntax", 8, "expected ',', found ']'"},
      {"union[]", "type.syntax", 6, "expected a type, found ']'"},
      {"extension[x, int8]", "type.syntax", 10,
       "expected the name of the extension in quotes, found 'x'"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.text);
    const Error e = error_of(row.text);
    EXPECT_EQ(e.code(), Status::malformed);
    EXPECT_EQ(e.detail(), row.detail);
    EXPECT_EQ(e.offset(), row.offset);
    EXPECT_EQ(e.message(), row.message);
  }
}

TEST(TypeParse, StrictModeRefusesTheAdditions) {
  type::ParseOptions strict;
  strict.strict_dynd = true;
  for (const char* text :
       {"null", "any", "union[int8, bool]", "map[string, int8]", "annotated[int8, a=1]",
        "extension['x', int8]", "datetime", "datetime[unit='ns']", "timedelta[unit='s']",
        "indexed[string]", "complex[float16]"}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(type::print(type::parse(text)), text);
    EXPECT_TRUE(type::parse(text).is_concrete());
    EXPECT_EQ(error_of(text, strict).detail(), "type.unknown");
    EXPECT_EQ(error_of("3 * {x: " + std::string(text) + "}", strict).offset(),
              std::string_view(text).starts_with("complex") ? 16u : 8u);
  }
  EXPECT_EQ(error_of("any", strict).message(),
            "unknown type 'any', which is not part of DyND's notation");
}

TEST(TypeParse, CanonicalAndConcreteOnly) {
  type::ParseOptions options;
  options.canonical_only = true;
  EXPECT_NO_THROW(type::parse("3 * T", options));
  Error e = error_of("3 * {x: int}", options);
  EXPECT_EQ(e.detail(), "type.noncanonical");
  EXPECT_EQ(e.offset(), 11u);
  e = error_of("int8 ", options);
  EXPECT_EQ(e.offset(), 4u);
  EXPECT_EQ(e.message(), "the type is not in canonical form, where it ends here");
  EXPECT_EQ(error_of("3*T", options).detail(), "type.noncanonical");
  options.concrete_only = true;
  e = error_of("3 * T", options);
  EXPECT_EQ(e.code(), Status::type);
  EXPECT_EQ(e.detail(), "type.not_concrete");
  EXPECT_NO_THROW(type::parse("array[3 * T]", options));
  EXPECT_EQ(error_of("(int8) -> int8", options).detail(), "type.not_concrete");
}

TEST(TypeParse, DeepTextIsALimitErrorNotAStackOverflow) {
  constexpr std::size_t many = 100000;
  for (const char* part :
       {"(", "{a:", "pointer[", "1 *", "?(", "T[", "array[", "complex[", "union[", "map[",
        "A... * ", "annotated[", "extension['x', ", "() -> ", "2**N *", "option["}) {
    SCOPED_TRACE(part);
    const Error e = error_of(repeat(part, many), unbounded_text());
    EXPECT_EQ(e.code(), Status::limit) << e.describe();
    EXPECT_EQ(e.detail(), "type.limit");
  }
  EXPECT_EQ(error_of(repeat("?", many), unbounded_text()).code(), Status::limit);
  type::ParseOptions greedy = unbounded_text();
  greedy.max_depth = UINT32_MAX;
  EXPECT_EQ(error_of(repeat("(", many), greedy).code(), Status::limit);
}

TEST(TypeParse, DepthLimitIsExactAndCountsDimensions) {
  const auto tuples = [](std::size_t n) { return repeat("(", n) + "int8" + repeat(")", n); };
  EXPECT_EQ(type::parse(tuples(255)).depth(), 256u);
  EXPECT_EQ(error_of(tuples(256)).code(), Status::limit);
  EXPECT_EQ(type::parse(repeat("2 * ", 255) + "complex[float64]").depth(), 256u);
  EXPECT_EQ(error_of(repeat("2 * ", 256) + "int8").code(), Status::limit);
  EXPECT_EQ(type::parse("2**255 * int8").depth(), 256u);
  EXPECT_EQ(error_of("2**256 * int8").code(), Status::limit);
  EXPECT_EQ(error_of("1**1000000 * int8").code(), Status::limit);
  EXPECT_EQ(error_of("1**9223372036854775807 * int8").code(), Status::limit);
  EXPECT_EQ(error_of("1**9223372036854775808 * int8").detail(), "type.range");
  type::ParseOptions shallow;
  shallow.max_depth = 2;
  EXPECT_NO_THROW(type::parse("(int8)", shallow));
  EXPECT_EQ(error_of("((int8))", shallow).code(), Status::limit);
}

TEST(TypeParse, SizeLimits) {
  const std::string comments = repeat("# a comment\n", 1000000) + "int8";
  EXPECT_EQ(error_of(comments).code(), Status::limit);
  EXPECT_EQ(type::print(type::parse(comments, unbounded_text())), "int8");
  EXPECT_EQ(type::print(type::parse(repeat(" ", 65532) + "int8")), "int8");
  EXPECT_EQ(error_of(repeat(" ", 65533) + "int8").code(), Status::limit);
  // Powers in many places: little text, many parts.
  EXPECT_EQ(error_of("(" + repeat("2**250 * int8, ", 1000) + ")").code(), Status::limit);
  EXPECT_EQ(type::parse("(" + repeat("2**250 * int8, ", 200) + ")").nodes(), 200u * 251u + 1u);
}
