// SPDX-License-Identifier: MIT
// PLY to OBJ and back.

#include "mesh_calls.hpp"

#include <gtest/gtest.h>

namespace polycodec::test {
namespace {

constexpr std::string_view ply_text =
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float "
    "z\n"
    "property float nx\nproperty float ny\nproperty float nz\nproperty uchar red\nproperty uchar "
    "green\n"
    "property uchar blue\nelement face 1\nproperty list uchar int vertex_indices\nelement edge 1\n"
    "property int vertex1\nproperty int vertex2\nend_header\n"
    "0.1 0 0 0 0 1 128 0 255\n1 0 0 0 0 1 1 2 3\n0 1 0 0 0 1 254 77 0\n3 0 1 2\n0 2\n";

std::string to_obj(const Value& value, const CallOptions& call = default_call) {
  return encode(shipped("obj"), value, call);
}

std::string to_ply(const Value& value, const CallOptions& call = default_call) {
  return encode(shipped("ply", {{"format", "ascii"}}), value, call);
}

TEST(MeshConversion, PositionsNormalsColorsFacesAndEdgesSurviveBothWays) {
  const Value value = decode(shipped("ply"), ply_text);
  const std::string text = to_obj(value);
  const Value middle = decode(shipped("obj"), text);
  const std::string back = to_ply(middle);
  const Value again = decode(shipped("ply"), back);
  constexpr std::uint32_t options = POLYCODEC_COMPARE_NUMBERS | POLYCODEC_COMPARE_NO_METADATA;
  EXPECT_EQ(difference(value.part("face"), again.part("face"), options), "");
  EXPECT_EQ(back.substr(back.find("end_header")), ply_text.substr(ply_text.find("end_header")));
  EXPECT_NE(back.find("property uchar red"), std::string::npos);
}

TEST(MeshConversion, WhatCannotBeCarriedIsRefusedByNameOrListed) {
  Losses call;
  const Value extra =
      decode(shipped("ply"),
             "ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nproperty int y\n"
             "property int z\nproperty int quality\nend_header\n1 2 3 4\n");
  EXPECT_THROW(to_obj(extra), Error);
  EXPECT_EQ(to_obj(extra, call), "v 1 2 3\n");
  EXPECT_EQ(call.all.back(), "$.vertex.quality: a property that a mesh has no place for");
}

TEST(MeshConversion, NormalsOfCornersBecomeThoseOfVertices) {
  const std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nvn 0 1 0\nf 1//1 2//1 3//1\n";
  EXPECT_NE(to_ply(decode(shipped("obj"), text)).find("property double nx"), std::string::npos);
  const std::string two = to_ply(decode(shipped("obj"), text + "f 1//2 2//2 3//2\n"));
  EXPECT_NE(two.find("element vertex 6\n"), std::string::npos) << two;
}

TEST(MeshConversion, StripsOfTrianglesAreFaces) {
  const std::string head =
      "ply\nformat ascii 1.0\nelement vertex 6\nproperty float x\nproperty float y\nproperty float "
      "z\n"
      "element tristrips 1\nproperty list int int vertex_indices\nend_header\n"
      "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 2 0\n1 2 0\n";
  const std::string obj = to_obj(decode(shipped("ply"), head + "12 0 1 2 3 3 4 -1 2 3 4 5 5\n"));
  EXPECT_EQ(obj.substr(obj.find("f ")), "f 1 2 3\nf 3 2 4\nf 3 4 5\nf 5 4 6\n");
  try {
    to_obj(decode(shipped("ply"), head + "4 0 1 2 6\n"));
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.detail(), "mesh.index_out_of_range");
    EXPECT_EQ(error.path(), "$.tristrips[0].vertex_indices[3]");
  }
}

TEST(MeshConversion, ColorsHaveTheScaleOfTheirType) {
  const auto obj_color = [](const char* type, const char* color) {
    const std::string t(type);
    const std::string text =
        to_obj(decode(shipped("ply"),
                      "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\n"
                      "property float y\nproperty float z\nproperty " +
                          t + " red\nproperty " + t + " green\nproperty " + t +
                          " blue\nend_header\n0 0 0 " + color + "\n"));
    return text.substr(8, text.size() - 9);
  };
  EXPECT_EQ(obj_color("uchar", "255 0 51"), "1 0 0.2");
  EXPECT_EQ(obj_color("int", "255 0 51"), "1 0 0.2");
  EXPECT_EQ(obj_color("ushort", "65535 0 13107"), "1 0 0.2");
  EXPECT_EQ(obj_color("float", "1 0 0.2"), "1 0 0.2");
  const auto ply_color = [](const std::string& color) {
    const std::string text = to_ply(decode(shipped("obj"), "v 0 0 0 " + color + "\n"));
    return text.substr(text.find("property", text.find(" z\n")));
  };
  constexpr const char* bytes =
      "property uchar red\nproperty uchar green\nproperty uchar blue\nend_header\n0 0 0 ";
  EXPECT_EQ(ply_color("1 0 0.2"), std::string(bytes) + "255 0 51\n");
  EXPECT_EQ(ply_color("255 0 51"), std::string(bytes) + "255 0 51\n")
      << "some programs write bytes";
  // Integers of a document are fractions all the same.
  const std::string text = to_ply(Value::parse(
      R"({"v": [{"x": 0, "y": 0, "z": 0, "red": 1, "green": 0, "blue": 1}], "statements": []})"));
  EXPECT_NE(text.find("\n0 0 0 255 0 255\n"), std::string::npos) << text;
}

TEST(MeshConversion, FacesOfTwoCornersAreLostInObj) {
  const Value value =
      decode(shipped("ply"),
             "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
             "property float z\nproperty float s\nproperty float t\nelement face 4\n"
             "property list uchar int vertex_indices\nproperty int material_index\nend_header\n"
             "0 0 0 0 0\n1 0 0 1 0\n0 1 0 0 1\n3 0 1 2 0\n2 0 1 0\n0 1\n3 2 1 0 1\n");
  try {
    to_obj(value);
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.detail(), "obj.lossy");
    EXPECT_EQ(error.path(), "$.face");
  }
  Losses call;
  const std::string text = to_obj(value, call);
  EXPECT_EQ(text.substr(text.find("usemtl")),
            "usemtl material_0\nf 1/1 2/2 3/3\nusemtl material_1\nf 3/3 2/2 1/1\n");
  EXPECT_EQ(call.all, std::vector<std::string>{"$.face: 2 faces of fewer than three corners"});
}

TEST(MeshConversion, IndicesAreChecked) {
  const std::string bad = read_file(std::filesystem::path(POLYCODEC_TEST_VECTORS) / "ply" / "bad" /
                                    "b37_index_out_of_range.ply");
  const Value value = decode(shipped("ply"), bad);
  try {
    to_obj(value);
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.detail(), "mesh.index_out_of_range");
  }
}

}  // namespace
}  // namespace polycodec::test
