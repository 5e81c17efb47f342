// SPDX-License-Identifier: MIT
// Meshes that travel as bodies of yggdrasil, through the real plugins: every digit, row and
// statement comes back.

#include "shipped.hpp"

#include <gtest/gtest.h>

namespace polycodec::test {
namespace {

Value read(const char* codec, std::string_view bytes) {
  return decode(shipped(codec), bytes);
}

std::string write(const char* codec, const char* options, const Value& value) {
  return encode(shipped(codec, Json::parse(options)), value);
}

void expect_equal(const Value& a, const Value& b) {
  // Which spelling of types and which line ends a file had is not carried; text has one NaN.
  EXPECT_EQ(difference(a, b, POLYCODEC_COMPARE_NO_METADATA | POLYCODEC_COMPARE_FLOATS), "");
}

// The value of `file` as a body of yggdrasil, and what comes back from it. It must have traveled
// as a mesh.
Value traveled(const char* codec, const Value& value, const char* options = "{}") {
  Value back = read("yggdrasil", write("yggdrasil", options, value));
  const auto attributes = node(back).metadata();
  const auto type = attributes ? attributes->find("type") : std::nullopt;
  EXPECT_EQ(type ? type->as_string() : "", codec);
  return back;
}

std::vector<std::string> files(const char* codec) {
  std::vector<std::string> all;
  for (auto path : descriptions(std::filesystem::path(POLYCODEC_TEST_VECTORS) / codec))
    all.push_back(path.replace_extension(std::string(".") + codec).string());
  return all;
}

bool has_nan(const std::string& name) {
  return name.find("nan") != std::string::npos;
}

TEST(MeshYggdrasil, EveryPlyComesBack) {
  for (const std::string& name : files("ply")) {
    SCOPED_TRACE(name);
    const Value value = read("ply", read_file(name));
    const Value back = traveled("ply", value);
    expect_equal(value, back);
    for (const char* options :
         {R"({"format": "ascii", "types": "old", "line_ending": "lf"})",
          R"({"format": "binary_little_endian", "types": "old", "line_ending": "lf"})",
          R"({"format": "binary_big_endian", "types": "new", "line_ending": "cr"})"}) {
      if (has_nan(name) && std::string_view(options).find("binary") != std::string_view::npos)
        continue;
      EXPECT_TRUE(write("ply", options, back) == write("ply", options, value)) << options;
    }
  }
}

TEST(MeshYggdrasil, EveryObjComesBack) {
  for (const std::string& name : files("obj")) {
    SCOPED_TRACE(name);
    const Value value = read("obj", read_file(name));
    const Value back = traveled("obj", value);
    expect_equal(value, back);
    constexpr const char* lines = R"({"line_ending": "lf"})";
    EXPECT_EQ(write("obj", lines, back), write("obj", lines, value));
  }
}

// What real readers of yggdrasil take for the end of everything: a carriage return.
TEST(MeshYggdrasil, LeavesHaveLinesOfTheirReaders) {
  const std::string ply =
      "ply\r\nformat ascii 1.0\r\nelement vertex 1\r\nproperty uint8 x\r\nend_header\r\n7\r\n";
  EXPECT_EQ(write("ply", "{}", traveled("ply", read("ply", ply))),
            "ply\nformat ascii 1.0\nelement vertex 1\nproperty uchar x\nend_header\n7\n");
  const std::string obj = "v 1 2 3\r\nv 0.5 0 0\r\np 1 2\r\n";
  EXPECT_EQ(write("obj", "{}", traveled("obj", read("obj", obj))), "v 1 2 3\nv 0.5 0 0\np 1 2\n");
}

TEST(MeshYggdrasil, FilesOfShortestDigitsComeBackByteForByte) {
  const std::string ply =
      "ply\nformat ascii 1.0\ncomment by hand\nelement vertex 6\nproperty float x\nproperty double "
      "y\n"
      "property int n\nelement face 2\nproperty list uchar double weights\nend_header\n"
      "0.1 0.30000000000000004 -1\n16777216 9007199254740993 2147483647\n1e-45 5e-324 -2147483648\n"
      "3.4028235e+38 1.7976931348623157e+308 0\n-0 -0 0\n0.12345679 0.12345678901234568 7\n"
      "3 0.1 1e-07 123456789.12345679\n0\n";
  // What the codec itself makes of it, without the way through a body.
  const std::string canonical = write("ply", "{}", read("ply", ply));
  const std::string obj =
      "# by hand\nv 0.1 0.30000000000000004 5e-324\nv 1.7976931348623157e+308 -0 "
      "123456789.12345679\n"
      "v 1e-07 1e+22 0.12345678901234568\nvt 0.1\nvn 0 0 1\ng a b\nusemtl dark blue\nf 1/1/1 2/1/1 "
      "3/1/1\n";
  for (const char* style : {"{}", R"({"style": "python"})"}) {
    EXPECT_EQ(write("ply", "{}", traveled("ply", read("ply", ply), style)), canonical);
    EXPECT_EQ(write("obj", "{}", traveled("obj", read("obj", obj), style)),
              write("obj", "{}", read("obj", obj)));
  }
  EXPECT_NE(canonical.find("0.12345679 0.12345678901234568 7\n"), std::string::npos);
}

// Values inside a message that holds more than a mesh.
TEST(MeshYggdrasil, MeshesInsideOfOtherValuesComeBack) {
  const Value ply =
      read("ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty double x\nend_header\n0.1\n");
  const Value obj = read("obj", "v 0.1 0.2 0.3\n");
  const Value both = Value::build(
      [&](Builder& out) {
        return out.object(
            {{"surface", *ply.root()}, {"path", *obj.root()}, {"n", Builder::integer(3)}});
      },
      {ply, obj});
  const Value back = read("yggdrasil", write("yggdrasil", "{}", both));
  expect_equal(both, back);
  EXPECT_EQ(write("ply", "{}", back.part("surface")), write("ply", "{}", ply));
  EXPECT_EQ(write("obj", "{}", back.part("path")), "v 0.1 0.2 0.3\n");
}

}  // namespace
}  // namespace polycodec::test
