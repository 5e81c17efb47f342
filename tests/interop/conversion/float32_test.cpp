// SPDX-License-Identifier: MIT
// The option `float32` of the formats whose numbers may be doubles.

#include "mesh_calls.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <initializer_list>
#include <limits>
#include <vector>

namespace polycodec::test {
namespace {

Codec narrow(const std::string& codec, const Json& more = Json::object()) {
  Json options{{"float32", true}};
  options.update(more);
  return shipped(codec, options);
}

double number(const Value& value, std::string_view list, std::uint64_t row, std::string_view name) {
  return value.view().find(list)->child(row).find(name)->as_double();
}

// A little above the middle of two floats: the nearest double is the middle, which goes to even.
constexpr std::string_view above_the_middle = "1.00000005960464477540";

TEST(Float32, TextOfObjIsRoundedOnceInBothWaysToReadALine) {
  // The short way to read a line needs more bytes after it.
  const std::string rest = "\n" + std::string(200, '#') + "\n";
  const std::string three = std::string(above_the_middle) + " 0.1 1e300";
  for (const std::string& file :
       {"v " + three + rest, "v  " + three + rest, "v \\\n" + three + rest, "v " + three}) {
    const Value value = decode(narrow("obj"), file);
    EXPECT_EQ(number(value, "v", 0, "x"), 1 + 0x1p-23) << file;
    EXPECT_EQ(number(value, "v", 0, "y"), double{0.1f}) << file;
    EXPECT_EQ(number(value, "v", 0, "z"), std::numeric_limits<double>::infinity()) << file;
    EXPECT_EQ(number(decode(shipped("obj"), file), "v", 0, "x"), 1 + 0x1p-24) << file;
  }
}

TEST(Float32, AllNumbersOfObjAreFloats) {
  const Value value = decode(narrow("obj"),
                             "v 1 2 3\nv 1 2 3 4\nv 1 2 3 4 0.2 0.4 0.6\nvt 0.1\nvt 0.1 0.2 "
                             "0.3\nvn 0 0 0.7\nvp 0.1\nvp 1 2 3\n");
  const std::string type = value.type();
  EXPECT_EQ(type.find("float64"), std::string::npos) << type;
  EXPECT_NE(type.find("v: 3 * {x: float32, y: float32, z: float32, w: ?float32, red: ?float32"),
            std::string::npos)
      << type;
  EXPECT_EQ(encode(shipped("obj"), value),
            "v 1 2 3\nv 1 2 3 4\nv 1 2 3 4 0.2 0.4 0.6\nvt 0.1\nvt 0.1 0.2 0.3\nvn 0 0 0.7\nvp "
            "0.1\nvp 1 2 3\n");
  EXPECT_NE(decode(narrow("obj"), "").type().find("v: 0 * {x: float32"), std::string::npos);
}

TEST(Float32, MendedNumbersOfObjAreFloats) {
  Losses call;
  const Value value = decode(narrow("obj", {{"tolerant", true}}), "v 0.1 0,5 -1.#IND\n", call);
  EXPECT_EQ(number(value, "v", 0, "x"), double{0.1f});
  EXPECT_EQ(call.all.size(), 1u);
}

TEST(Float32, MeshesOfObjHaveFloatPositions) {
  const Value value = decode(narrow("obj", {{"form", "mesh"}}), "v 0 0 0.1\nvt 0 1\nvn 0 0 1\n");
  const std::string type = value.type();
  EXPECT_NE(type.find("positions: 1 * {x: float32"), std::string::npos) << type;
  EXPECT_EQ(type.find("float64"), std::string::npos) << type;
}

// 0.1 is not a float, and 0.5 is one.
constexpr std::string_view doubles_ply =
    "ply\nformat ascii 1.0\nelement vertex 2\nproperty double x\nproperty float64 y\nproperty int "
    "n\nelement face 2\nproperty list uchar double u\nproperty list uchar double v\nend_header\n"
    "0.5 0.1 7\n1 nan 8\n1 0.25 2 0.5 0.5\n2 0.5 1 1 0.75\n";

TEST(Float32, ColumnsOfDoublesOfPlyBecomeFloats) {
  Losses call;
  const Value value = decode(narrow("ply"), doubles_ply, call);
  EXPECT_EQ(call.all,
            (std::vector<std::string>{
                "$.vertex.x: float64 -> float32", "$.vertex.y: 1 numbers that float32 rounds",
                "$.face.u: float64 -> float32", "$.face.v: float64 -> float32"}));
  EXPECT_EQ(encode(shipped("ply"), value),
            "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty "
            "int n\nelement face 2\nproperty list uchar float u\nproperty list uchar float "
            "v\nend_header\n0.5 0.1 7\n1 nan 8\n1 0.25 2 0.5 0.5\n2 0.5 1 1 0.75\n");
}

TEST(Float32, ViewsOfBinaryPlyAreNarrowedInBothByteOrders) {
  for (const std::string_view format : {"binary_little_endian", "binary_big_endian"}) {
    for (const char* rows : {"0.5 1 2 0.25 4\n1 1 2 0.5 8\n", "0.5 1 2 0.25 4\n1 1 1 0.5\n"}) {
      const Value given =
          decode(shipped("ply"),
                 std::string("ply\nformat ascii 1.0\nelement v 2\nproperty double x\nproperty "
                             "uchar n\nproperty list uchar double l\nend_header\n") +
                     rows);
      const std::string file = encode(shipped("ply", {{"format", format}}), given);
      Losses call;
      const Value value = decode(narrow("ply"), file, call);
      EXPECT_EQ(call.all.size(), 2u);
      EXPECT_EQ(plain(value), plain(given)) << format;
      EXPECT_EQ(value.type().find("float64"), std::string::npos);
    }
  }
}

TEST(Float32, RoundingOfDoublesIsRefusedWhereNoLossIsAllowed) {
  Error caught(Status::ok, "");
  EXPECT_EQ(refusal(narrow("ply"), doubles_ply, &caught), "ply.lossy");
  const Value floats = decode(narrow("ply"),
                              "ply\nformat ascii 1.0\nelement v 1\nproperty float "
                              "x\nend_header\n0.1\n");
  EXPECT_EQ(number(floats, "v", 0, "x"), double{0.1f});
}

TEST(Float32, ObjBecomesFormatsOfFloatsWithoutLoss) {
  const std::string file = "v 0.1 0.2 0.3\nv 1.1 0.2 0.3\nv 0.1 1.2 0.3\nf 1 2 3\n";
  const auto options = R"({"float32": true, "form": "mesh"})";
  const Value value = registry().codec("obj", options).decode(Source::view(file));
  const std::string glb = encode(shipped("gltf"), value);
  const Value back = registry().codec("gltf", R"({"form": "mesh"})").decode(Source::view(glb));
  EXPECT_EQ(number(back, "positions", 1, "x"), double{1.1f});
  const Value wide = registry().codec("obj", R"({"form": "mesh"})").decode(Source::view(file));
  // glTF has float32 alone: that numbers are rounded is reported.
  Losses losses;
  EXPECT_EQ(encode(shipped("gltf"), wide, losses), glb);
  ASSERT_EQ(losses.all.size(), 1u);
  EXPECT_NE(losses.all[0].find("float32"), std::string::npos) << losses.all[0];
}

}  // namespace
}  // namespace polycodec::test
