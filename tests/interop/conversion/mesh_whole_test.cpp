// SPDX-License-Identifier: MIT
// Whole OBJ files in PLY files, and back.

#include "mesh_calls.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace polycodec::test {
namespace {

const std::filesystem::path real_files =
    std::filesystem::path(POLYCODEC_TEST_VECTORS) / "obj" / "real";

std::string to_ply(const Value& value, const char* format = "ascii",
                   const CallOptions& call = default_call) {
  return encode(shipped("ply", {{"format", format}}), value, call);
}

std::string to_obj(const Value& value, const CallOptions& call = default_call) {
  return encode(shipped("obj"), value, call);
}

// What an OBJ file is after PLY, in text; the PLY must not need a loss.
std::string again(const std::string& obj, const char* format = "ascii") {
  const Value value = decode(shipped("obj"), obj);
  const std::string ply = to_ply(value, format);
  const std::string text = to_obj(decode(shipped("ply"), ply));
  const Value back = decode(shipped("obj"), text);
  EXPECT_EQ(difference(value, back, POLYCODEC_COMPARE_NO_METADATA), "") << ply;
  return text;
}

std::vector<std::string> names_of_real_files() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(real_files))
    if (entry.path().extension() == ".obj" && entry.path().filename() != "number_formats.obj")
      names.push_back(std::filesystem::relative(entry.path(), real_files).string());
  std::sort(names.begin(), names.end());
  return names;
}

class RealObj : public testing::TestWithParam<std::string> {};

TEST_P(RealObj, ComesBackFromPlyWithTheSameAddress) {
  const std::string file = read_file(real_files / GetParam());
  again(file, "ascii");
  again(file, "binary_big_endian");
}

INSTANTIATE_TEST_SUITE_P(Files, RealObj, testing::ValuesIn(names_of_real_files()),
                         [](const auto& file) {
                           std::string name = file.param;
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return !std::isalnum(c); },
                               '_');
                           return name;
                         });

TEST(WholeObj, ThereAreEnoughRealFiles) {
  EXPECT_GE(names_of_real_files().size(), 30u);
}

TEST(WholeObj, SeamsSplitVerticesSoThatProgramsReadThem) {
  const std::string text =
      "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0.5\nvn 0 0 1\nvn 0 1 0\n"
      "usemtl dark blue\ns 1\nf 1/1/1 2/2/1 3/1/1\nusemtl red\nf 1/1/1 3/2/2 2/2/1\n";
  const std::string ply = to_ply(decode(shipped("obj"), text));
  EXPECT_EQ(ply,
            "ply\nformat ascii 1.0\nobj_info obj.text mtllib a.mtl\nobj_info obj.rows v 3 vt 2 vn "
            "2\nobj_info obj.text usemtl dark blue\nobj_info obj.text s 1\nobj_info obj.rows f 1\n"
            "obj_info obj.text usemtl red\nobj_info obj.rows f 1\n"
            "element vertex 4\nproperty double x\nproperty double y\nproperty double z\n"
            "property double nx\nproperty double ny\nproperty double nz\n"
            "property double s\nproperty double t\nproperty int obj_v\nproperty int obj_vt\n"
            "property int obj_vn\nelement face 2\nproperty list uchar int vertex_indices\n"
            "property int material_index\nend_header\n"
            "0 0 0 0 0 1 0 0 0 0 0\n1 0 0 0 0 1 1 0.5 1 1 0\n0 1 0 0 0 1 0 0 2 0 0\n"
            "0 1 0 0 1 0 1 0.5 2 1 1\n3 0 1 2 0\n3 0 3 1 1\n");
  EXPECT_EQ(again(text), text);
}

TEST(WholeObj, EachStatementComesBack) {
  for (const std::string text : {
           "",
           "\n\n# only\n#comments\n#\n",
           "v 0 0 0 1\nv 1 0 0\nv 0 1 0 0.5\nf 1 2 3\n",
           "v 0 0 0 1 0 0\nv 1 0 0\nv 0 1 0 0 1 0.5\nf 1 2 3\n",
           "v 0 0 0 255 0 3\nv 1 0 0 0 0 1\n",
           "v 0 0 0 0.5019607843137255 0 1\n",
           "v 0 0 0 0.123 0 1\n",
           "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0.5\nvt 1\nf 1/1 2/2 3/1\n",
           "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0.5 0 2\nvt 1\nvt 3 4\nf 1/1 2/2 3\n",
           "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 1 1\nvt 2 2\nvt 3 3\nvn 1 0 0\nl 1/1 2/3 3/2\nl 1 2\n"
           "f 3 2 1\np 1 2\np 3\n",
           "vp 1\nvp 2 3\nvp 2 3 4\ncstype bezier\ndeg 3\ncurv2 1 2 3\nend\n",
           "g a b\no name # no\ns off\nnew_keyword with  words\nv 1 2 3\n# TextureFile a.png\n",
           "v 0 0 0\nv 1 0 0\nv 0 1 0\ng\nf 1 2 3\nusemtl\nf 3 2 1\nusemtl a\n",
           "# obj_info obj.rows v 9\n# obj_info num_cols 3\nv 1 2 3\n",
       }) {
    SCOPED_TRACE(text);
    again(text);
  }
}

TEST(WholeObj, PlyOfAnotherProgramStaysAsItWas) {
  // Each vertex with its normal and texture coordinate, also one that no face uses.
  const std::string text =
      "ply\nformat ascii 1.0\ncomment made here\nobj_info num_cols 3\nelement vertex 4\nproperty "
      "double x\nproperty double y\nproperty double z\nproperty double nx\nproperty double ny\n"
      "property double nz\nproperty double s\nproperty double t\nproperty uchar red\nproperty "
      "uchar green\nproperty uchar blue\nelement face 2\nproperty list uchar int vertex_indices\n"
      "property int material_index\nend_header\n0 0 0 0 0 1 0.5 0.5 1 2 3\n"
      "1 0 0 0 0 1 0 0 4 5 6\n0 1 0 0 0 1 0.25 0 0 0 0\n9 9 9 1 0 0 1 1 255 0 0\n"
      "3 0 1 2 1\n3 2 1 0 0\n";
  const std::string obj = to_obj(decode(shipped("ply"), text));
  EXPECT_EQ(to_ply(decode(shipped("obj"), obj)), text);
}

TEST(WholeObj, LinesThatDoNotFitTheRowsAreANote) {
  const std::string text =
      "o part\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 1\nf 1/1 2/2 3/1\nf 1/2 2/2 3/1\n";
  std::string ply = to_ply(decode(shipped("obj"), text));
  // Another program leaves out the last face.
  ply.replace(ply.find("element face 2"), 14, "element face 1");
  ply.erase(ply.rfind('\n', ply.size() - 2) + 1);
  Losses call;
  const std::string obj = to_obj(decode(shipped("ply"), ply), call);
  EXPECT_EQ(obj,
            "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0\nvt 0 0\nvt 1 1\nvt 0 0\nvt 1 1\nf 1/1 2/2 3/3\n");
  ASSERT_EQ(call.all.size(), 2u);
  EXPECT_EQ(call.all[0],
            "$.vertex.obj_v: numbers of an OBJ file, which do not fit its rows any more");
}

TEST(WholeObj, HostileLinesAreNoStatements) {
  Losses call;
  const std::string rest =
      "element vertex 1\nproperty float x\nproperty float y\nproperty float z\nproperty int "
      "obj_v\nend_header\n1 2 3 ";
  for (const char* line :
       {"obj.rows v 1 * 99999999999999", "obj.rows - 1 * 99999999999999", "obj.rows v 2",
        "obj.rows v 0", "obj.rows v", "obj.rows usemtl 1", "obj.text v 1", "obj.text ",
        "obj.rows v 1 * 2", "obj.rows * 3", "obj.rows v 1 * 1 v 1", "obj.rows v -1"}) {
    const std::string ply = "ply\nformat ascii 1.0\nobj_info " + std::string(line) + "\n" + rest;
    EXPECT_EQ(to_obj(decode(shipped("ply"), ply + "0\n"), call), "v 1 2 3\n") << line;
  }
  for (const char* number : {"1\n", "-1\n", "-2147483648\n", "2147483647\n"})
    EXPECT_EQ(to_obj(decode(shipped("ply"),
                            "ply\nformat ascii 1.0\nobj_info obj.rows v 1\n" + rest + number),
                     call),
              "v 1 2 3\n")
        << number;
}

TEST(WholeObj, LongListsOfStatementsBecomeAnElement) {
  std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  for (int i = 0; i < 20000; ++i) text += "g part " + std::to_string(i) + "\nf 1 2 3\n";
  const std::string ply = to_ply(decode(shipped("obj"), text));
  EXPECT_NE(ply.find("element obj_statements "), std::string::npos);
  EXPECT_LT(ply.find("end_header"), 1000u);
  EXPECT_EQ(again(text), text);
}

TEST(WholeObj, OneVertexWithManySeamsIsNoLongWalk) {
  std::string text = "v 0 0 0\n";
  for (int i = 1; i <= 60000; ++i) text += "vt " + std::to_string(i) + "\n";
  for (int i = 1; i <= 60000; ++i) {
    const std::string corner = " 1/" + std::to_string(i);
    text += "f" + corner + corner + corner + "\n";
  }
  EXPECT_EQ(again(text), text);
}

TEST(WholeObj, TexturesOfMaterialsAreNamed) {
  const Value value = Value::parse(
      R"({"v": [{"x": 0, "y": 0, "z": 0}], "statements": [{"code": "mtllib", "count": 1, "text": "a.mtl"},
          {"code": "v", "count": 1, "text": ""}],
          "materials": [{"name": "m", "library": "a.mtl", "map_Kd": "wood grain.png"},
                        {"name": "n", "library": "a.mtl", "map_Kd": "wood grain.png"}]})");
  const std::string ply = to_ply(value);
  EXPECT_NE(ply.find("\ncomment TextureFile wood grain.png\nobj_info obj.text mtllib a.mtl\n"),
            std::string::npos)
      << ply;
  EXPECT_EQ(to_obj(decode(shipped("ply"), ply)), "mtllib a.mtl\nv 0 0 0\n");
}

TEST(WholeObj, NumbersThatAreNotThereCannotBeNaN) {
  const Value value = decode(shipped("obj"), "v 0 0 0 nan\n");
  EXPECT_THROW(to_ply(value), Error);
  Losses call;
  to_ply(value, "ascii", call);
  EXPECT_EQ(call.all, std::vector<std::string>{
                          "$.v.w: numbers that are NaN, which says that there is no number"});
}

TEST(WholeObj, MeshesWithNamesAndSeamsAreWhole) {
  const std::string text =
      "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nvn 0 1 0\no plate\ng top\nusemtl red\n"
      "f 1//1 2//1 3//1\ng bottom\nf 1//2 3//2 2//2\n";
  const Value mesh = decode(shipped("obj", {{"form", "mesh"}}), text);
  const std::string ply = to_ply(mesh);
  EXPECT_EQ(to_obj(decode(shipped("ply"), ply)), text);
  EXPECT_EQ(plain(decode(shipped("ply", {{"form", "mesh"}}), ply)), plain(mesh));
}

}  // namespace
}  // namespace polycodec::test
