// SPDX-License-Identifier: MIT
#include <polycodec/error.hpp>

#include <gtest/gtest.h>

#include <string>

namespace polycodec {
namespace {

std::string filled_message(std::string_view text) {
  polycodec_error error;
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

}  // namespace
}  // namespace polycodec
