// SPDX-License-Identifier: MIT
#include <base/hex.hpp>
#include <base/sha256.hpp>
#include <polycodec/path.hpp>
#include <polycodec/quote.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace polycodec;

TEST(Quote, KeepsPrintableText) {
  EXPECT_EQ(quote("a b"), "'a b'");
  EXPECT_EQ(quote(""), "''");
  EXPECT_EQ(quote_path("gr\xc3\xbc\xc3\x9f"), "'gr\xc3\xbc\xc3\x9f'");
}

TEST(Quote, EscapesWhatCouldForgeALineOrControlATerminal) {
  EXPECT_EQ(quote("a\nb\x1b[31m\x7f"), "'a\\u000ab\\u001b[31m\\u007f'");
  EXPECT_EQ(quote("it's \\"), "'it\\'s \\\\'");
  EXPECT_EQ(quote("\xd0\xb5"), "'\\u0435'");  // looks like an e
  EXPECT_EQ(quote_path("\x1b\xe2\x80\xae"), "'\\u001b\\u202e'");
  EXPECT_EQ(quote("\xc2\x9b"), "'\\u009b'");                 // a C1 control
  EXPECT_EQ(quote("\xe2\x80\xae"), "'\\u202e'");             // turns the direction of the text
  EXPECT_EQ(quote("\xf3\xa0\x80\x81"), "'\\udb40\\udc01'");  // an invisible tag
  EXPECT_EQ(quote(std::string_view("\xff\0\xc3", 3)), "'\\xff\\u0000\\xc3'");
}

TEST(Quote, PrintableKeepsTextAndItsLines) {
  EXPECT_EQ(printable("a 'b' \\\tgr\xc3\xbc\xc3\x9f\n\xf0\x9f\x98\x80"),
            "a 'b' \\\tgr\xc3\xbc\xc3\x9f\n\xf0\x9f\x98\x80");
  EXPECT_EQ(printable("\x1b[31m\r\x7f\xc2\x9b\xe2\x80\xae\xff"),
            "\\u001b[31m\\u000d\\u007f\\u009b\\u202e\\xff");
  EXPECT_EQ(printable("a\nb", false), "a\\u000ab");
  EXPECT_EQ(printable(""), "");
}

TEST(Quote, CutsLongTextAtACharacter) {
  EXPECT_EQ(quote(std::string(81, 'x')), "'" + std::string(80, 'x') + "...'");
  EXPECT_EQ(quote("a\xc3\xbc"
                  "b",
                  2),
            "'a\\u00fc...'");
  EXPECT_EQ(quote_path(std::string(300, 'x')).size(), 302u);
}

TEST(Quote, ShowsASingleByte) {
  EXPECT_EQ(quote_byte('x'), "'x'");
  EXPECT_EQ(quote_byte('\n'), "byte 0x0a");
  EXPECT_EQ(quote_byte('\xff'), "byte 0xff");
}

TEST(Path, WritesOneNotation) {
  EXPECT_EQ(key_step("name_1"), ".name_1");
  EXPECT_EQ(key_step("1st"), "[\"1st\"]");
  EXPECT_EQ(key_step("a\"\x1b"), "[\"a\\\"\\u001b\"]");
  EXPECT_EQ(key_step(std::string(81, 'x')), "[\"" + std::string(80, 'x') + "...\"]");
  EXPECT_EQ(index_step(3), "[3]");
  std::string path(path_root);
  append_part(path, Part::payload);
  append_part(path, Part::chunk, 2);
  EXPECT_EQ(path, "$<payload><chunk 2>");
}

TEST(Hex, ReadsAndWritesDigits) {
  EXPECT_EQ(to_hex("\x01\xfe"), "01fe");
  EXPECT_EQ(hex_value('F'), 15);
  EXPECT_EQ(hex_value('a'), 10);
  EXPECT_EQ(hex_value('g'), -1);
  EXPECT_EQ(hex_value('@'), -1);
}

TEST(Sha256, StartsAnewAfterFinish) {
  const std::string empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  const std::string abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  EXPECT_EQ(sha256(""), empty);
  Sha256 hash;
  hash.update("ab", 2);
  hash.update("c", 1);
  EXPECT_EQ(hash.finish(), abc);
  EXPECT_EQ(hash.finish(), empty);
}

}  // namespace
