// SPDX-License-Identifier: MIT
#include <polycodec/detail/advice.hpp>
#include <polycodec/error.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace polycodec {
namespace {

std::string filled_message(std::string_view text) {
  auto error = make_error();
  fill_error(&error, Status::malformed, text);
  return error.message;
}

TEST(FillError, KeepsUtf8) {
  EXPECT_EQ(filled_message(""), "");
  EXPECT_EQ(filled_message("a \xc3\xa9 \xe2\x82\xac \xf0\x9f\x8e\xb2"),
            "a \xc3\xa9 \xe2\x82\xac \xf0\x9f\x8e\xb2");
}

TEST(FillError, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(filled_message("\xff<\x80>"), "?<?>");
  EXPECT_EQ(filled_message("\xc3"), "?");                    // cut short
  EXPECT_EQ(filled_message("\xc0\x80"), "??");               // overlong
  EXPECT_EQ(filled_message("\xe0\x80\x80"), "???");          // overlong
  EXPECT_EQ(filled_message("\xed\xa0\x80"), "???");          // a surrogate
  EXPECT_EQ(filled_message("\xf4\x90\x80\x80"), "????");     // beyond U+10FFFF
  EXPECT_EQ(filled_message(std::string("a\0b", 3)), "a?b");  // would end the text
}

TEST(FillError, CutsAtACharacterBoundary) {
  const std::size_t room = sizeof(polycodec_error::message) - 1;
  EXPECT_EQ(filled_message(std::string(room + 50, 'x')), std::string(room, 'x'));
  EXPECT_EQ(filled_message(std::string(room - 1, 'x') + "\xc3\xa9"), std::string(room - 1, 'x'));
  EXPECT_EQ(filled_message(std::string(room - 2, 'x') + "\xc3\xa9"),
            std::string(room - 2, 'x') + "\xc3\xa9");
}

TEST(FillError, SaysTheWholeOfWhatDoesNotFit) {
  const std::string message = std::string(2000, 'x') + ": do this",
                    path = "$." + std::string(300, 'p');
  CallError call;
  EXPECT_EQ(fill_error(call.raw(), Status::limit, message, 7, "a.b", path), POLYCODEC_ERROR_LIMIT);
  EXPECT_TRUE(call.is_cut());
  const Error error = call.error(POLYCODEC_ERROR_LIMIT);
  EXPECT_EQ(error.message(), message);
  EXPECT_EQ(error.path(), path);
  EXPECT_EQ(error.detail(), "a.b");
  EXPECT_EQ(error.offset(), 7u);

  CallError shorter;
  fill_error(shorter.raw(), Error(Status::limit, "short").codec("ply"));
  EXPECT_FALSE(shorter.is_cut());
  EXPECT_EQ(shorter.error(POLYCODEC_ERROR_LIMIT).describe(), "ply: short");
}

TEST(FillError, SaysCleanTextOf64KiBAtMost) {
  CallError call;
  fill_error(call.raw(), Status::limit,
             std::string(600, 'x') + std::string("\x1b[2J\x7f\xff\0\t\n", 9));
  EXPECT_EQ(call.error(POLYCODEC_ERROR_LIMIT).message(),
            std::string(600, 'x') + "\\x1b[2J\\x7f?\\x00\t\n");
  CallError large;
  std::string characters;
  while (characters.size() < 200'000) characters += "\xe2\x82\xac";
  fill_error(large.raw(), Status::limit, characters, POLYCODEC_NO_OFFSET, {}, characters);
  const Error error = large.error(POLYCODEC_ERROR_LIMIT);
  EXPECT_EQ(error.path(), characters.substr(0, 32766));
  EXPECT_EQ(error.message(), characters.substr(0, 32769));
}

TEST(FillError, LeavesStructsOfEarlierVersionsAlone) {
  auto error = make_error();
  error.struct_size = offsetof(polycodec_error, codec);
  std::memset(error.codec, 'c', sizeof error.codec);
  error.say = [](void*, polycodec_bytes, polycodec_bytes) { ADD_FAILURE(); };
  fill_error(&error, Error(Status::limit, std::string(1000, 'x')).codec("ply"));
  EXPECT_EQ(std::string_view(error.codec, sizeof error.codec),
            std::string(sizeof error.codec, 'c'));
}

TEST(Advice, HasTheWordsOfTheDoor) {
  constexpr detail::Spelling door{.tolerant = "-t",
                                  .lossy = "-l",
                                  .compare = "-n",
                                  .from_codec = "-f NAME",
                                  .to_codec = "-c NAME",
                                  .from = {"-f NAME -o '", "'"},
                                  .to = {"-p '", "'"},
                                  .limits = {"-m '", "'"}};
  const auto spelled = [&](Status code, const char* message, bool is_python = false) {
    detail::Spelling words = door;
    words.is_python = is_python;
    return detail::spelled(Error(code, message).codec("x"), words);
  };
  EXPECT_EQ(spelled(Status::malformed, "a; use POLYCODEC_CALL_TOLERANT to mend it"),
            "a; use -t to mend it");
  EXPECT_EQ(spelled(Status::unsupported, "use call.losses, from.codec, to.codec"),
            "use -l, -f x, -c NAME");
  EXPECT_EQ(spelled(Status::malformed, R"(use from.options {"a": "}", "b": {"c": true}} to)"),
            R"(use -f x -o '{"a": "}", "b": {"c": true}}' to)");
  EXPECT_EQ(spelled(Status::malformed, R"(use to.options {"b": true} to)", true),
            R"(use -p '{"b": True}' to)");
  // What is no object stays.
  EXPECT_EQ(spelled(Status::malformed, "from.options {\"a"), "from.options {\"a");
  EXPECT_EQ(spelled(Status::limit, "nested deeper than max_depth (512)"),
            R"(nested deeper than max_depth (512); raise max_depth with -m '{"max_depth": 1024}')");
  EXPECT_EQ(spelled(Status::limit, "too much: raise max_work"),
            R"(too much: raise max_work with -m '{"max_work": NUMBER}')");
  EXPECT_EQ(spelled(Status::malformed, "max_depth (512)"), "max_depth (512)");
}

TEST(DescribeError, ShortensDeepPaths) {
  std::string path = "$";
  for (int i = 0; i < 600; ++i) path += "[\xc3\xa9]";
  const Error error = Error(Status::limit, "deep").path(path);
  EXPECT_EQ(error.path(), path);
  const std::string text = error.describe();
  EXPECT_LT(text.size(), 260u);
  EXPECT_TRUE(text.starts_with("deep (in $[\xc3\xa9]")) << text;
  EXPECT_TRUE(text.ends_with("[\xc3\xa9])")) << text;
  for (std::size_t at = text.find("\xc3"); at != std::string::npos; at = text.find("\xc3", at + 1))
    EXPECT_EQ(text[at + 1], '\xa9');
}

}  // namespace
}  // namespace polycodec
