// SPDX-License-Identifier: MIT
// OBJ files that are wrong in places, read with `tolerant`.
#include <polycodec/tolerant.hpp>

#include "shipped.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace polycodec::test {
namespace {

// What is read, written again; `call` hears of the places.
std::string mended(std::string_view file, const CallOptions& call = Losses()) {
  const Value value = decode(shipped("obj", {{"tolerant", true}}), file, call);
  return encode(shipped("obj"), value);
}

constexpr const char* triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";

TEST(TolerantObj, GoodFilesAreReadAsUsual) {
  const std::string text = std::string(triangle) + "f 1 2 4\nv 1 1 1\nf 1/ 2// 3\nf -1 -2 -3\n";
  Losses call;
  EXPECT_EQ(mended(text, call), encode(shipped("obj"), decode(shipped("obj"), text)));
  EXPECT_TRUE(call.all.empty());
}

TEST(TolerantObj, PartsOfCornersThatPointToNothingAreAbsent) {
  const std::string text =
      std::string(triangle) + "vt 0 0\nvn 0 0 1\nf 1/1/1 2/2/1 3/0/-2 # why\nf 1//9 2//1 3//1\n";
  Losses call;
  EXPECT_EQ(mended(text, call),
            std::string(triangle) + "vt 0 0\nvn 0 0 1\nf 1/1/1 2//1 3\n# why\nf 1 2//1 3//1\n");
  EXPECT_EQ(call.all,
            (std::vector<std::string>{
                "$.f[0]: line 6, byte 40: there is no vt '2/1' (1 up to here); 'f 1/1/1 2/2/1 "
                "3/0/-2' is read as 'f 1/1/1 2//1 3'",
                "$.f[1]: line 7, byte 67: there is no vn '9' (1 up to here); 'f 1//9 2//1 3//1' is "
                "read as 'f 1 2//1 3//1'"}));
}

TEST(TolerantObj, ForwardIndicesStayWhereTheyPointToSomething) {
  const std::string text = "f 1/1 2/2 3/1\nf 1 2 4\n" + std::string(triangle) + "vt 0 0\n";
  Losses call;
  EXPECT_EQ(mended(text, call), "f 1/1 2 3/1\n" + std::string(triangle) + "vt 0 0\n");
  EXPECT_EQ(call.all.size(), 2u);
}

TEST(TolerantObj, ElementsBecomeWhatTheyHaveCornersFor) {
  const std::string text = std::string(triangle) + "f 1 2\nf 3\nf\nl 2\nf 1 2 3 none\nf 0 1 2\np\n";
  Losses call;
  EXPECT_EQ(mended(text, call), std::string(triangle) + "l 1 2\np 3\np 2\nf 1 2 3\n");
  EXPECT_EQ(call.all.size(), 7u);
}

TEST(TolerantObj, ANumberThatNobodyKnowsIsRefused) {
  for (const char* word : {"1_000", "12abc", "1.5#", "1,500", "1..2", "#1x"}) {
    const std::string text = "v 0 " + std::string(word) + " 0\n";
    EXPECT_EQ(refusal(shipped("obj", {{"tolerant", true}}), text),
              word[0] == '#' ? "" : "obj.bad_number")
        << word;
  }
}

TEST(TolerantObj, WordsThatAreNoNumbersAreReadForWhatTheyCanBe) {
  EXPECT_EQ(
      mended("v 1,5 2 3.1+e2\nv -1.#IND 0 -nan(ind)\nv 1 2\nv 1 2 3 4 5\nv\nvt\nvt 1 2 3 4\n"
             "vn 1\nvn 1 2 3 4\nvp x\n"),
      "v 1.5 2 310\nv -nan 0 -nan\nv 1 2 0\nv 1 2 3\nv 0 0 0\nvt 0\nvt 1 2 3\nvn 1 0 0\nvn 1 2 "
      "3\nvp nan\n");
  // A row keeps all that it has.
  EXPECT_EQ(mended("v 1 2 3 4 0,5 0 1\n"), "v 1 2 3 4 0.5 0 1\n");
}

TEST(TolerantObj, OtherStatementsBecomeCommentsAndElementsEnd) {
  Losses call;
  EXPECT_EQ(
      mended("v 0 0 0\ncurv 0 1\nsurf 0 1 0 1 9\n\x01\x02 x\ntrim 0 x 1 # why\nv 1 1 1 \\", call),
      "v 0 0 0\n# curv 0 1\n# surf 0 1 0 1 9\n# trim 0 x 1\n# why\nv 1 1 1\n");
  EXPECT_EQ(call.all.size(), 5u);
  EXPECT_EQ(mended("v 0 0 0\ncurv 0 1 1\ncurv 0 1 -1\n"),
            "v 0 0 0\ncurv 0 1 1\nend\ncurv 0 1 -1\nend\n");
}

TEST(TolerantObj, PlacesAreBounded) {
  std::string text = triangle;
  for (int i = 0; i < 20000; ++i) text += "f 1/9 2 3\n";
  Losses call;
  static_cast<void>(mended(text, call));
  ASSERT_EQ(call.all.size(), MendNotes::most_shown + 1);
  EXPECT_EQ(call.all.back(), "$: 19968 further places were mended");
}

TEST(TolerantObj, EveryBadVectorIsReadAndWrittenAgain) {
  const auto bad = std::filesystem::path(POLYCODEC_TEST_VECTORS) / "obj" / "bad";
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(bad)) {
    if (entry.path().extension() != ".obj") continue;
    SCOPED_TRACE(entry.path().string());
    ++files;
    if (entry.path().stem() == "b34_binary") {
      // Nothing of it is a statement, and a file with content is not empty.
      EXPECT_THROW(static_cast<void>(mended(read_file(entry.path()))), Error);
      continue;
    }
    const std::string text = mended(read_file(entry.path()));
    EXPECT_EQ(mended(text), text);
    EXPECT_NO_THROW(static_cast<void>(decode(shipped("obj"), text)));
  }
  EXPECT_GE(files, 20);
}

TEST(TolerantObj, ARealFileWithWrongNumbersIsRead) {
  const std::string file = read_file(std::filesystem::path(POLYCODEC_TEST_VECTORS) / "obj" /
                                     "real" / "assimp-testmodels" / "number_formats.obj");
  EXPECT_THROW(static_cast<void>(decode(shipped("obj"), file)), Error);
  Losses call;
  const std::string read = mended(file, call);
  EXPECT_EQ(call.all.size(), 6u);
  EXPECT_NE(read.find("v -100 -20 -310\n"), std::string::npos) << read;
}

}  // namespace
}  // namespace polycodec::test
