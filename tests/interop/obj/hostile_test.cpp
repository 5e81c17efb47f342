// SPDX-License-Identifier: MIT
// Bad files: each is refused with its own word, and says where.
#include "error_of.hpp"
#include "hostile_files.hpp"
#include "shipped.hpp"

#include <gtest/gtest.h>

namespace polycodec::test {
namespace {

std::filesystem::path vectors() {
  return std::filesystem::path(POLYCODEC_TEST_VECTORS) / "obj";
}

TEST(ObjHostile, StrictRefusesEmptyPartsAndMixedForms) {
  const auto strict = shipped("obj", {{"strict", true}});
  EXPECT_EQ(refusal(strict, read_file(vectors() / "bad" / "b11_trailing_slash.obj")),
            "obj.bad_corner");
  EXPECT_EQ(refusal(strict, "v 0 0 0\nvt 0 0\nf 1/1 1 1\n"), "obj.mixed_corner_forms");
  EXPECT_EQ(refusal(shipped("obj"), "v 0 0 0\nvt 0 0\nf 1/1 1 1/\n"), "");
}

struct Bad {
  const char* file;
  const char* word;
  std::uint64_t offset;
};

TEST(ObjHostile, ErrorsSayWhere) {
  const Bad all[] = {
      {"v 1 2\n", "obj.bad_vertex", 0},
      {"v 1 2 3 4 5\n", "obj.bad_vertex", 0},
      {"v 1 2 3 4 5 6 7 8\n", "obj.bad_vertex", 0},
      {"v 1 2 x\n", "obj.bad_number", 6},
      {"v 1 2 3\nvt\n", "obj.bad_vt", 8},
      {"vt 1 2 3 4\n", "obj.bad_vt", 0},
      {"vn 1 2\n", "obj.bad_vn", 0},
      {"vn 1 2 3 4\n", "obj.bad_vn", 0},
      {"vp\n", "obj.bad_vertex", 0},
      {"v 0 0 0\np\n", "obj.point_empty", 8},
      {"v 0 0 0\np 1/1\n", "obj.bad_corner", 10},
      {"v 0 0 0\nvn 0 0 1\nl 1//1 1//1\n", "obj.bad_corner", 19},
      {"v 0 0 0\nf 1/1/1/1 1 1\n", "obj.bad_corner", 10},
      {"v 0 0 0\nf 1 1 2\n", "obj.index_out_of_range", 14},
      {"v 0 0 0\nf 1 1 a\n", "obj.bad_index", 14},
      {"v 0 0 0\nf 1 1 1 \\", "obj.dangling_continuation", 16},
      {"v 0 0 0\nv 1 0 0\ncstype bezier\ndeg 1\ncurv 0 1 1 2\n", "obj.unterminated_freeform", 36},
      {"v 0 0 0\ncurv 0 1 1 2\nend\n", "obj.index_out_of_range", 19},
      {"v 0 0 0\ncurv 0 z 1 1\nend\n", "obj.bad_number", 15},
      {"v 0 0 0\ncurv 0 1\nend\n", "obj.bad_freeform", 8},
  };
  for (const Bad& bad : all) {
    SCOPED_TRACE(bad.file);
    Error caught(Status::ok, "");
    EXPECT_EQ(refusal(shipped("obj"), bad.file, &caught), bad.word);
    EXPECT_EQ(caught.offset(), bad.offset);
    EXPECT_EQ(caught.message().rfind("line ", 0), 0u) << caught.message();
  }
}

TEST(ObjHostile, MessagesEscapeControlCharacters) {
  Error caught(Status::ok, "");
  refusal(shipped("obj"), "v 0 0 \x1b[2J\n", &caught);
  EXPECT_NE(caught.message().find("'\\u001b[2J'"), std::string::npos) << caught.message();
}

TEST(ObjHostile, UnknownStatementsAreLoggedOnce) {
  plugin_log().take();
  static_cast<void>(decode(shipped("obj"), "a\nb\nv 0 0 0\nc\n"));
  const std::vector<std::string> logged = plugin_log().take();
  ASSERT_EQ(logged.size(), 1u);
  EXPECT_NE(logged[0].find("3 statements"), std::string::npos);
}

TEST(ObjHostile, MemoryIsBounded) {
  std::string file;
  for (int i = 0; i < 20000; ++i) file += "v 1 2 3\n";
  CallOptions call;
  call.limits.max_memory_bytes = 100000;
  EXPECT_EQ(error_of([&] { static_cast<void>(decode(shipped("obj"), file, call)); }).code(),
            Status::limit);
}

// The limit may be reached at any growth, the first ones of an empty model among them.
TEST(ObjHostile, EveryMemoryLimitIsAnErrorOrAValue) {
  const std::string file =
      "o a\nv 0 0 0 1\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\nvp 1\nf 1/1/1 2/1/1 3/1/1\nl 1 2\np 1\n";
  std::size_t refused = 0;
  std::size_t read = 0;
  for (std::uint64_t bytes = 1; bytes < 40000; bytes += is_isolated() ? 1201 : 61) {
    CallOptions call;
    call.limits.max_memory_bytes = bytes;
    try {
      static_cast<void>(decode(shipped("obj"), file, call));
      ++read;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Status::limit) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(refused, 0u);
  EXPECT_GT(read, 0u);
}

// Whatever happens to a file, reading it ends with a valid value that can be written, or an error.
void survive(const std::string& file) {
  Value value;
  try {
    value = decode(shipped("obj"), file);
  } catch (const Error& error) {
    expect_sound(error);
    return;
  }
  const std::string again = encode(shipped("obj"), value);
  Losses call;
  for (const char* form : {"mesh", "dict", "array_dict", "list"}) {
    const auto codec = shipped("obj", {{"form", form}});
    const Value other = decode(codec, file, call);
    if (std::string_view(form) == "list") static_cast<void>(encode(codec, other));
  }
  EXPECT_EQ(encode(shipped("obj"), decode(shipped("obj"), again)), again);
}

TEST(ObjHostile, EveryTruncationIsSurvived) {
  cut_everywhere(vectors(), ".obj", survive);
}

TEST(ObjHostile, FlippedBitsAreSurvived) {
  flip_bits(vectors(), ".obj", survive);
}

}  // namespace
}  // namespace polycodec::test
