// SPDX-License-Identifier: MIT
// Bad files: each is refused with its own word, and says where.
#include "codec.hpp"
#include "codec_calls.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <random>

namespace polycodec::test {
namespace {

using Json = nlohmann::json;
using obj::Obj;

std::filesystem::path vectors() {
  return std::filesystem::path(POLYCODEC_TEST_VECTORS) / "obj";
}

TEST(ObjHostile, EveryBadVectorEndsWithItsWord) {
  for (auto path : descriptions(vectors() / "bad")) {
    const std::string error = Json::parse(read_file(path))["error"].get<std::string>();
    const std::string file = read_file(path.replace_extension(".obj"));
    const std::string word = refusal(make<Obj>(), file);
    const bool may_pass = error.find("accept") != std::string::npos;
    if (may_pass && word.empty()) continue;
    EXPECT_NE(error.find(word.empty() ? "nothing" : word), std::string::npos)
        << path << ": " << word << ", " << error;
  }
}

TEST(ObjHostile, StrictRefusesEmptyPartsAndMixedForms) {
  const auto strict = make<Obj>({{"strict", Builder::boolean(true)}});
  EXPECT_EQ(refusal(strict, read_file(vectors() / "bad" / "b11_trailing_slash.obj")), "obj.bad_corner");
  EXPECT_EQ(refusal(strict, "v 0 0 0\nvt 0 0\nf 1/1 1 1\n"), "obj.mixed_corner_forms");
  EXPECT_EQ(refusal(make<Obj>(), "v 0 0 0\nvt 0 0\nf 1/1 1 1/\n"), "");
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
    EXPECT_EQ(refusal(make<Obj>(), bad.file, &caught), bad.word);
    EXPECT_EQ(caught.offset(), bad.offset);
    EXPECT_EQ(caught.message().rfind("line ", 0), 0u) << caught.message();
  }
}

TEST(ObjHostile, UnknownStatementsAreLoggedOnce) {
  const TestCall call;
  static_cast<void>(decode(make<Obj>(), "a\nb\nv 0 0 0\nc\n", call));
  ASSERT_EQ(call.host.logged.size(), 1u);
  EXPECT_NE(call.host.logged[0].find("3 statements"), std::string::npos);
}

TEST(ObjHostile, MemoryIsBounded) {
  std::string file;
  for (int i = 0; i < 20000; ++i) file += "v 1 2 3\n";
  Limits limits;
  limits.max_memory_bytes = 100000;
  const TestCall call(limits);
  try {
    static_cast<void>(decode(make<Obj>(), file, call));
    FAIL() << "no limit";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Status::limit);
  }
}

// The limit may be reached at any growth, the first ones of an empty model among them.
TEST(ObjHostile, EveryMemoryLimitIsAnErrorOrAValue) {
  const std::string file =
      "o a\nv 0 0 0 1\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\nvp 1\nf 1/1/1 2/1/1 3/1/1\nl 1 2\np 1\n";
  std::size_t refused = 0;
  std::size_t read = 0;
  for (std::uint64_t bytes = 1; bytes < 40000; bytes += 61) {
    Limits limits;
    limits.max_memory_bytes = bytes;
    const TestCall call(limits);
    try {
      static_cast<void>(decode(make<Obj>(), file, call));
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
    value = decode(make<Obj>(), file);
  } catch (const Error& error) {
    EXPECT_NE(error.code(), Status::internal) << error.what();
    EXPECT_NE(error.code(), Status::invalid) << error.what();
    EXPECT_FALSE(error.detail().empty()) << error.what();
    return;
  }
  const std::string again = encode(make<Obj>(), value.view());
  EXPECT_EQ(encode(make<Obj>(), decode(make<Obj>(), again).view()), again);
}

TEST(ObjHostile, EveryTruncationIsSurvived) {
  for (auto path : descriptions(vectors())) {
    const std::string file = read_file(path.replace_extension(".obj"));
    const std::size_t step = file.size() > 4000 ? file.size() / 300 : 1;
    for (std::size_t size = 0; size < file.size(); size += step) survive(std::string(file, 0, size));
  }
}

TEST(ObjHostile, FlippedBitsAreSurvived) {
  std::mt19937 random(7);
  for (auto path : descriptions(vectors())) {
    const std::string file = read_file(path.replace_extension(".obj"));
    if (file.empty()) continue;
    for (int i = 0; i < 200; ++i) {
      std::string flipped = file;
      for (auto n = 1 + random() % 3; n != 0; --n) {
        auto& byte = flipped[random() % std::min<std::size_t>(flipped.size(), 3000)];
        byte = static_cast<char>(byte ^ (1 << random() % 8));
      }
      survive(flipped);
    }
  }
}

}  // namespace
}  // namespace polycodec::test
