// SPDX-License-Identifier: MIT
// PLY files that are wrong in places, read with `tolerant`.
#include <polycodec/tolerant.hpp>

#include "shipped.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace polycodec::test {
namespace {

std::string mended(std::string_view file, const CallOptions& call = Losses()) {
  const Value value = decode(shipped("ply", {{"tolerant", true}}), file, call);
  return encode(shipped("ply", {{"format", "ascii"}}), value);
}

std::string body(const std::string& file) {
  return file.substr(file.find("end_header\n") + 11);
}

constexpr const char* head =
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty uchar red\nproperty float x\nproperty int "
    "n\nend_header\n";

TEST(TolerantPly, WordsAreReadAsTheNumberThatTheySay) {
  Losses call;
  EXPECT_EQ(body(mended(head + std::string("255.0 -1.#IND 2.0\n1e1 0,5 9,0\n0x10 x 7\n"), call)),
            "255 -nan 2\n10 0.5 9\n16 nan 7\n");
  ASSERT_EQ(call.all.size(), 7u);
  EXPECT_EQ(call.all[0],
            "$.vertex[0].red: byte 100, line 8: element vertex, row 0, property red: '255.0' is "
            "not a valid uchar; read as 255");
}

TEST(TolerantPly, NoNumberIsReplacedByAnother) {
  const Codec codec = shipped("ply", {{"tolerant", true}});
  const auto refused = [&](const std::string& row) {
    return refusal(codec, head + row + "\n1 1 1\n1 1 1\n");
  };
  EXPECT_EQ(refused("300 0 0"), "ply.out_of_range");
  EXPECT_EQ(refused("-1 0 0"), "ply.out_of_range");
  EXPECT_EQ(refused("1.5 0 0"), "ply.bad_number");
  EXPECT_EQ(refused("x 0 0"), "ply.bad_number");
  EXPECT_EQ(refused("0 1_000 0"), "ply.bad_number");
  EXPECT_EQ(refused("0 0 99999999999"), "ply.out_of_range");
}

TEST(TolerantPly, ElementsHaveTheRowsThatAreThere) {
  Losses call;
  EXPECT_EQ(body(mended(head + std::string("1 2 3\n4 5"), call)), "1 2 3\n");
  EXPECT_EQ(call.all.size(), 1u);
  std::string binary =
      "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty uchar x\nelement face 2\n"
      "property list uchar uchar vertex_indices\nend_header\n";
  EXPECT_EQ(body(mended(binary + "\1\2\3\2\1\2\3\1")), "1\n2\n3\n2 1 2\n");
  EXPECT_EQ(body(mended(binary + "\1\2")), "1\n2\n");
  EXPECT_THROW(static_cast<void>(decode(shipped("ply"), binary + "\1\2")), Error);
}

TEST(TolerantPly, LinesWithoutAMeaningAreLeftOut) {
  Losses call;
  const std::string text =
      "ply\nformat ascii 1.0\nmade by hand\nelement v 1\nproperty int x\nend_header\n7\n";
  EXPECT_EQ(mended(text, call),
            "ply\nformat ascii 1.0\nelement v 1\nproperty int x\nend_header\n7\n");
  EXPECT_EQ(call.all,
            std::vector<std::string>{
                "$: line 3, byte 21: unknown keyword 'made'; the line 'made by hand' is left out"});
}

TEST(TolerantPly, PlacesAreBounded) {
  std::string text = "ply\nformat ascii 1.0\nelement v 20000\nproperty int x\nend_header\n";
  for (int i = 0; i < 20000; ++i) text += "1.0\n";
  Losses call;
  static_cast<void>(mended(text, call));
  EXPECT_EQ(call.all.size(), MendNotes::most_shown + 1);
}

}  // namespace
}  // namespace polycodec::test
