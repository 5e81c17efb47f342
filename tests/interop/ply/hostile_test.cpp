// SPDX-License-Identifier: MIT
// Bad files: each is refused with its own word, and says where.
#include "hostile_files.hpp"
#include "shipped.hpp"

#include <gtest/gtest.h>

#include <string>

namespace polycodec::test {
namespace {

std::filesystem::path vectors() {
  return std::filesystem::path(POLYCODEC_TEST_VECTORS) / "ply";
}

struct Bad {
  const char* file;
  const char* word;
  std::uint64_t offset;
  const char* path;
};

TEST(PlyHostile, ErrorsSayWhere) {
  const Bad all[] = {
      {"", "ply.bad_magic", 0, ""},
      {"PLY\nformat ascii 1.0\nend_header\n", "ply.bad_magic", 0, ""},
      {"ply\nend_header\n", "ply.missing_format", 4, ""},
      {"ply\nelement v 1\nformat ascii 1.0\nend_header\n", "ply.missing_format", 4, ""},
      {"ply\nformat ascii 1.1\nend_header\n", "ply.bad_version", 4, ""},
      {"ply\nformat ascii\nend_header\n", "ply.bad_version", 4, ""},
      {"ply\nformat ascii 1.0\nformat ascii 1.0\nend_header\n", "ply.bad_format", 21, ""},
      {"ply\nformat ascii 1.0\nproperty int x\nend_header\n", "ply.bad_header", 21, ""},
      {"ply\nformat ascii 1.0\nelement v -1\nend_header\n", "ply.bad_count", 21, ""},
      {"ply\nformat ascii 1.0\nelement v 1.5\nend_header\n", "ply.bad_count", 21, ""},
      {"ply\nformat ascii 1.0\nelement v\nend_header\n", "ply.bad_header", 21, ""},
      {"ply\nformat ascii 1.0\nelement v 1\nproperty int64 x\nend_header\n1\n", "ply.bad_type", 33,
       ""},
      {"ply\nformat ascii 1.0\nelement v 1\nproperty list list int x\nend_header\n1\n",
       "ply.bad_type", 33, ""},
      {"ply\nformat ascii 1.0\nelement v 1\nproperty int x\nproperty int x\nend_header\n1\n",
       "ply.duplicate_property", 48, ""},
      {"ply\nformat ascii 1.0\nelement v 2\nproperty uchar x\nend_header\n255\n256\n",
       "ply.out_of_range", 65, "$.v[1].x"},
      {"ply\nformat ascii 1.0\nelement v 1\nproperty uint x\nend_header\n-1\n", "ply.out_of_range",
       60, "$.v[0].x"},
      {"ply\nformat ascii 1.0\nelement v 1\nproperty int x\nend_header\n2147483648\n",
       "ply.out_of_range", 59, "$.v[0].x"},
      {"ply\nformat ascii 1.0\nelement v 1\nproperty int x\nend_header\nabc\n", "ply.bad_number",
       59, "$.v[0].x"},
      {"ply\nformat ascii 1.0\nelement v 1\nproperty float x\nend_header\n1e\n", "ply.bad_number",
       61, "$.v[0].x"},
      {"ply\nformat ascii 1.0\nelement v 1\nproperty list uchar int x\nend_header\n256 1\n",
       "ply.bad_list_count", 70, "$.v[0].x"},
      {"ply\nformat ascii 1.0\nelement v 1\nproperty list uchar int x\nend_header\n2 1 z\n",
       "ply.bad_number", 74, "$.v[0].x"},
      {"ply\nformat ascii 1.0 x\nend_header\n", "ply.bad_format", 4, ""},
      {"ply\nformat\nend_header\n", "ply.bad_format", 4, ""},
      {"ply\nformat ascii 1.0\nelement v 1\nproperty int x\nend_header\n", "ply.truncated", 59,
       "$.v[0].x"},
      {"ply\nformat ascii 1.0\nelement v 3\nproperty int x\nproperty int y\nend_header\n1 2\n3",
       "ply.truncated", 79, "$.v[1].y"},
      {"ply\nformat ascii 1.0\nelement v 9\nproperty list uchar int x\nend_header\n2 1 2\n1 5\n",
       "ply.truncated", 80, "$.v[2].x"},
      {"ply\nformat binary_big_endian 1.0\nelement v 3\nproperty short x\nproperty short "
       "y\nend_header\n12345678ab",
       "ply.truncated", 100, "$.v[2].y"},
      {"ply\nformat binary_big_endian 1.0\nelement v 30\nproperty list uchar uchar "
       "x\nend_header\n\1a\2bc",
       "ply.truncated", 90, "$.v[2].x"},
      {"ply\nformat ascii 1.0\nelement v 18446744073709551615\nend_header\n", "ply.limit", 63,
       "$.v"},
  };
  for (const Bad& bad : all) {
    SCOPED_TRACE(bad.file);
    Error caught(Status::ok, "");
    EXPECT_EQ(refusal(shipped("ply"), bad.file, &caught), bad.word);
    EXPECT_EQ(caught.offset(), bad.offset);
    EXPECT_EQ(caught.path(), bad.path);
  }
}

TEST(PlyHostile, MessagesEscapeControlCharacters) {
  Error caught(Status::ok, "");
  refusal(shipped("ply"), "ply\nformat ascii 1.0\n\x1b[31mx\nend_header\n", &caught);
  EXPECT_NE(caught.message().find("'\\u001b[31mx'"), std::string::npos) << caught.message();
}

TEST(PlyHostile, MessagesNameLineElementRowAndProperty) {
  Error caught(Status::ok, "");
  refusal(shipped("ply"),
          "ply\nformat ascii 1.0\nelement vertex 2\nproperty int x\nproperty int y\nend_header\n1 "
          "2\n3 q\n",
          &caught);
  EXPECT_EQ(caught.message(), "line 8: element vertex, row 1, property y: 'q' is not an integer");
  refusal(
      shipped("ply"),
      "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nend_header\n12345",
      &caught);
  EXPECT_EQ(caught.message(),
            "element vertex, row 1, property x: 4 bytes are needed, 1 are left (row 1 of 3)");
  refusal(shipped("ply"),
          "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nend_header\n1 2", &caught);
  EXPECT_EQ(caught.message(),
            "line 6: element vertex, row 2, property x: the file ends, but 3 rows were declared");
}

TEST(PlyHostile, StrictRefusesWhatOthersMay) {
  const std::string head =
      "ply\nformat ascii 1.0\nelement v 2\nproperty int x\nproperty int y\nend_header\n";
  const auto strict = shipped("ply", {{"strict", true}});
  EXPECT_EQ(refusal(strict, head + "1 2\n3 4\n"), "");
  EXPECT_EQ(refusal(strict, head + "1 2\r\n3 4"), "");
  EXPECT_EQ(refusal(strict, head + "1\n2 3 4\n"), "ply.bad_row");
  EXPECT_EQ(refusal(strict, head + "1 2 3 4\n"), "ply.bad_row");
  EXPECT_EQ(refusal(strict, head + "1 2\n\n3 4\n"), "ply.bad_row");
  EXPECT_EQ(refusal(strict, head + "1 2\n3 4\n5\n"), "ply.trailing");
  EXPECT_EQ(refusal(shipped("ply"), head + "1\n2 3\n\n4\n5\n"), "");
}

TEST(PlyHostile, BytesBehindTheEndAreLogged) {
  plugin_log().take();
  static_cast<void>(decode(shipped("ply"), read_file(vectors() / "own_trailing_data_binary.ply")));
  const std::vector<std::string> logged = plugin_log().take();
  ASSERT_EQ(logged.size(), 1u);
  EXPECT_NE(logged[0].find("5 bytes follow"), std::string::npos);
}

// Whatever happens to a file, reading it ends with a valid value or an error, and a value can be
// written.
void survive(const std::string& file) {
  try {
    const Value value = decode(shipped("ply"), file);
    static_cast<void>(encode(shipped("ply"), value));
    Losses call;
    for (const char* form : {"mesh", "dict", "array_dict"})
      static_cast<void>(decode(shipped("ply", {{"form", form}}), file, call));
  } catch (const Error& error) {
    expect_sound(error);
  }
}

TEST(PlyHostile, EveryTruncationIsSurvived) {
  cut_everywhere(vectors(), ".ply", survive);
}

TEST(PlyHostile, FlippedBitsAreSurvived) {
  flip_bits(vectors(), ".ply", survive);
}

}  // namespace
}  // namespace polycodec::test
