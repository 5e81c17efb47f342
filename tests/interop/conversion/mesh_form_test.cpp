// SPDX-License-Identifier: MIT
// The type mesh and the dictionary forms, as options of decoding and encoding.
#include <model/mesh/mesh.hpp>
#include <model/type/match.hpp>
#include <model/type/parse.hpp>
#include <model/type/print.hpp>

#include "mesh_calls.hpp"

#include <gtest/gtest.h>

namespace polycodec::test {
namespace {

constexpr std::string_view quad_obj =
    "# a note\nmtllib a.mtl\nv 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nvt 0 0\nvt 1 0.5\nvn 0 0 1\no "
    "plate\ng top\nusemtl "
    "red\n"
    "f 1/1/1 2/2/1 3/2/1 4/1/1\nusemtl dark blue\nf 1//1 2//1 3//1\n";

constexpr std::string_view colored_ply =
    "ply\nformat ascii 1.0\ncomment made here\nelement vertex 4\nproperty float x\nproperty float "
    "y\nproperty float "
    "z\n"
    "property uchar red\nproperty uchar green\nproperty uchar blue\nelement face 2\n"
    "property list uchar int vertex_index\nelement edge 1\nproperty int vertex1\nproperty int "
    "vertex2\nend_header\n"
    "0 0 0 255 0 0\n2.5 0 0 0 255 0\n2.5 1 0 0 0 255\n0 1 0 1 2 3\n4 0 1 2 3\n3 0 1 2\n0 3\n";

Codec form(const std::string& codec, const char* name) {
  return shipped(codec, {{"form", name}});
}

std::string ascii(const Value& value, const char* form_name = "file") {
  return encode(shipped("ply", {{"format", "ascii"}, {"form", form_name}}), value);
}

TEST(MeshForm, ValuesHaveTheRegisteredType) {
  const type::Type pattern = type::parse(mesh::notation);
  for (const Value& value :
       {decode(form("obj", "mesh"), quad_obj), decode(form("ply", "mesh"), colored_ply),
        decode(form("obj", "mesh"), ""), decode(form("obj", "mesh"), "v 1 2 3 0.5 0.5 1\n")}) {
    type::Type type = type::parse(value.type());
    if (type.is(type::Kind::annotated)) type = type.element();
    EXPECT_TRUE(type::matches(pattern, type)) << type::print(type);
  }
}

TEST(MeshForm, ObjKeepsMaterialsGroupsAndObjects) {
  const Value value = decode(form("obj", "mesh"), quad_obj);
  EXPECT_EQ(
      plain(value.part("faces")),
      R"([{"position": [0, 1, 2, 3], "texcoord": [0, 1, 1, 0], "normal": [0, 0, 0, 0], "material": 0, "group": 0, "object": 0}, )"
      R"({"position": [0, 1, 2], "texcoord": [-1, -1, -1], "normal": [0, 0, 0], "material": 1, "group": 0, "object": 0}])");
  EXPECT_EQ(plain(value.part("materials")), R"(["red", "dark blue"])");
  const std::string again = encode(shipped("obj"), value);
  EXPECT_EQ(again,
            "# a note\nmtllib a.mtl\nv 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nvt 0 0\nvt 1 0.5\nvn 0 0 "
            "1\no plate\ng top\n"
            "usemtl red\nf 1/1/1 2/2/1 3/2/1 4/1/1\nusemtl dark blue\nf 1//1 2//1 3//1\n");
}

TEST(MeshForm, MeshToPlyAndBackIsTheSame) {
  const Value value = decode(form("ply", "mesh"), colored_ply);
  const std::string again = ascii(value);
  EXPECT_EQ(again.substr(again.find("end_header")),
            colored_ply.substr(colored_ply.find("end_header")));
  EXPECT_NE(again.find("comment made here\n"), std::string::npos);
  EXPECT_NE(again.find("property float x\n"), std::string::npos);
  EXPECT_EQ(plain(decode(form("ply", "mesh"), again)), plain(value));
}

TEST(MeshForm, ValuesMadeByHandAreRead) {
  const Value value = Value::parse(
      R"({"positions": [{"x": 0, "y": 0, "z": 0.5}, {"x": 1, "y": 0, "z": 0}, {"x": 0, "y": 1, "z": 0}],
          "faces": [{"position": [0, 1, 2]}], "edges": [{"first": 0, "second": 2}]})");
  EXPECT_EQ(encode(shipped("obj"), value), "v 0 0 0.5\nv 1 0 0\nv 0 1 0\nl 1 3\nf 1 2 3\n");
  const Value bad = Value::parse(
      R"({"positions": [{"x": 0, "y": 0, "z": 0}], "faces": [{"position": [0, 0, 1]}]})");
  try {
    encode(shipped("ply"), bad);
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.detail(), "mesh.index_out_of_range");
    EXPECT_EQ(error.path(), "$.faces[0].position[2]");
  }
}

TEST(MeshForm, TextureCoordinatesOfCornersBecomeListsAndComeBack) {
  const std::string text =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0.25 0\nvt 1 0.1\nvt 0.25 0\nvt 1 0.1\nvt 0.25 0\nvt 1 0.1\n"
      "f 1/1 2/2 3/3\nf 1/4 3/5 2/6\n";
  const std::string ply = ascii(decode(shipped("obj"), text));
  EXPECT_NE(ply.find("property list uchar double texcoord\n"), std::string::npos) << ply;
  EXPECT_NE(ply.find("\n3 0 1 2 6 0.25 0 1 0.1 0.25 0\n"), std::string::npos) << ply;
  EXPECT_EQ(encode(shipped("obj"), decode(shipped("ply"), ply)), text);
}

TEST(MeshForm, DictionaryOfPly) {
  const Value value = decode(form("ply", "dict"), colored_ply);
  EXPECT_EQ(
      plain(value),
      R"({"comment": ["made here"], "vertex": [{"x": 0.0, "y": 0.0, "z": 0.0, "red": 255, "green": 0, "blue": 0}, )"
      R"({"x": 2.5, "y": 0.0, "z": 0.0, "red": 0, "green": 255, "blue": 0}, )"
      R"({"x": 2.5, "y": 1.0, "z": 0.0, "red": 0, "green": 0, "blue": 255}, )"
      R"({"x": 0.0, "y": 1.0, "z": 0.0, "red": 1, "green": 2, "blue": 3}], )"
      R"("face": [{"vertex_index": [0, 1, 2, 3]}, {"vertex_index": [0, 1, 2]}], "edge": [{"vertex1": 0, "vertex2": 3}]})");
  EXPECT_EQ(ascii(value, "dict"), colored_ply);
}

TEST(MeshForm, ArrayDictionaryOfPly) {
  const Value value = decode(form("ply", "array_dict"), colored_ply);
  EXPECT_EQ(
      plain(value),
      R"({"comment": ["made here"], "vertex": [[0.0, 0.0, 0.0], [2.5, 0.0, 0.0], [2.5, 1.0, 0.0], [0.0, 1.0, 0.0]], )"
      R"("vertex_colors": [[255, 0, 0], [0, 255, 0], [0, 0, 255], [1, 2, 3]], "face": [[0, 1, 2, 3], [0, 1, 2, -1]], )"
      R"("edge": [[0, 3]]})");
  EXPECT_EQ(value.part("vertex_colors").type(), "4 * 3 * uint8");
  EXPECT_EQ(value.part("face").type(), "2 * 4 * int32");
  const std::string again = ascii(value, "array_dict");
  EXPECT_EQ(again.substr(again.find("end_header")),
            colored_ply.substr(colored_ply.find("end_header")));
  EXPECT_NE(again.find("property list uchar int vertex_index\n"), std::string::npos);
}

TEST(MeshForm, PluralNamesAreTaken) {
  const Value value = Value::parse(
      R"({"vertices": [[0, 0, 0], [1, 0, 0], [0, 1.5, 0]], "faces": [[0, 1, 2]], "edges": [{"vertex1": 1, "vertex2": 2}],
          "comments": ["hello"]})");
  EXPECT_EQ(
      ascii(value, "dict"),
      "ply\nformat ascii 1.0\ncomment hello\nelement vertex 3\nproperty int x\nproperty double "
      "y\nproperty int z\n"
      "element face 1\nproperty list uchar int vertex_index\nelement edge 1\nproperty int vertex1\n"
      "property int vertex2\nend_header\n0 0 0\n1 0 0\n0 1.5 0\n3 0 1 2\n1 2\n");
}

TEST(MeshForm, MatricesRememberTheNamesOfTheirColumns) {
  const std::string text =
      "ply\nformat ascii 1.0\nelement vertex 2\nproperty double x\nproperty double y\nproperty "
      "double z\n"
      "property double nx\nproperty double ny\nproperty double nz\nproperty uchar r\nproperty "
      "uchar g\n"
      "property uchar b\nelement odd 1\nproperty double a\nproperty double b\nelement tristrips 1\n"
      "property list uchar int vertex_index\nend_header\n"
      "0 0 0 0 0 1 1 2 3\n1 2 3 0 1 0 4 5 6\n0.5 0.25\n4 0 1 -1 1\n";
  const Value value = decode(form("ply", "array_dict"), text);
  EXPECT_EQ(
      plain(value),
      R"({"vertex": [[0.0, 0.0, 0.0, 0.0, 0.0, 1.0], [1.0, 2.0, 3.0, 0.0, 1.0, 0.0]], )"
      R"("vertex_colors": [[1, 2, 3], [4, 5, 6]], "odd": [[0.5, 0.25]], "tristrips": [[0, 1, -1, 1]]})");
  EXPECT_EQ(ascii(value, "array_dict"), text);
}

TEST(MeshForm, DictionariesOfOldAreTaken) {
  const std::string text =
      R"({"material": "steel", "vertices": [{"x": 0, "y": 0, "z": 0, "red": 255, "green": 0, "blue": 1}],
          "comment": "one\ntwo", "faces": [[{"vertex_index": 0, "texcoord_index": 0}, {"vertex_index": 0, "texcoord_index": 0},
          {"vertex_index": 0, "texcoord_index": 0}]], "texcoords": [{"u": 0.5}]})";
  EXPECT_EQ(encode(form("obj", "dict"), Value::parse(text)),
            "usemtl steel\n# one\n# two\nv 0 0 0 255 0 1\nvt 0.5\nf 1/1 1/1 1/1\n");
  EXPECT_EQ(
      ascii(
          Value::parse(
              R"({"material": "steel", "comment": "one\ntwo", "vertices": [{"x": 0, "red": 255}]})"),
          "dict"),
      "ply\nformat ascii 1.0\ncomment material: steel\ncomment one\ncomment two\nelement vertex 1\n"
      "property int x\nproperty uchar red\nend_header\n0 255\n");
}

TEST(MeshForm, NothingOfADictionaryIsDroppedInSilence) {
  const auto refused = [](const char* name, const char* text) {
    try {
      encode(form("obj", name), Value::parse(text));
      return std::string("written");
    } catch (const Error& error) {
      return std::string(error.detail()) + " " + error.path();
    }
  };
  EXPECT_EQ(refused("dict", R"({"vertex": [{"x": 0, "y": 0, "z": 0, "nx": 1}]})"),
            "obj.lossy $.v.nx");
  EXPECT_EQ(
      refused(
          "dict",
          R"({"vertex": [{"x": 0, "y": 0, "z": 0}], "edge": [{"vertex1": 0, "vertex2": 0, "red": 1}]})"),
      "obj.lossy $.l.red");
  EXPECT_EQ(refused("dict", R"({"vertex": [], "vertices": []})"), "mesh.bad_member $.vertices");
  EXPECT_EQ(refused("dict", R"({"foo": [{"a": 1}]})"), "obj.bad_statement $.foo[0].a");
  EXPECT_EQ(refused("list", R"([{"code": "v", "x": 0, "y": 0, "z": 0, "q": 1}])"),
            "obj.lossy $.v.q");
  EXPECT_EQ(refused("list", R"([{"code": "usemtl", "name": "red"}])"),
            "obj.bad_statement $[0].name");
  EXPECT_EQ(refused("list", R"([{"code": "s", "state": "off", "value": 1}])"),
            "obj.bad_statement $[0].value");
  EXPECT_EQ(
      refused(
          "list",
          R"([{"code": "comment", "value": "c"}, {"code": "#", "comment": "d"}, {"code": "lod", "value": 5}])"),
      "written");
}

TEST(MeshForm, ColorsThatAreBytesBecomeFractionsInObj) {
  for (const char* name : {"dict", "array_dict"}) {
    const std::string text = encode(form("obj", name), decode(form("ply", name), colored_ply));
    EXPECT_EQ(text.substr(text.find("v 0 0 0"), 14), "v 0 0 0 1 0 0\n") << text;
    EXPECT_NE(text.find("v 0 1 0 0.003921569 0.007843138 0.011764706\n"), std::string::npos)
        << text;
  }
}

TEST(MeshForm, DictionaryOfObj) {
  Losses call;
  const Value value = decode(form("obj", "dict"), quad_obj, call);
  EXPECT_EQ(call.all,
            std::vector<std::string>{"$.statements: the places of statements among the others"});
  EXPECT_EQ(plain(value.part("comment")), R"(["a note"])");
  EXPECT_EQ(plain(value.part("vn")), R"([{"i": 0.0, "j": 0.0, "k": 1.0}])");
  EXPECT_EQ(
      plain(value.part("face")),
      R"([{"vertex_index": [0, 1, 2, 3], "texture_index": [0, 1, 1, 0], "normal_index": [0, 0, 0, 0]}, )"
      R"({"vertex_index": [0, 1, 2], "texture_index": [-1, -1, -1], "normal_index": [0, 0, 0]}])");
  EXPECT_EQ(plain(value.part("usemtl")), R"([{"value": "red"}, {"value": "dark blue"}])");
  EXPECT_EQ(plain(value.part("g")), R"([{"labels": ["top"]}])");
  const std::string again = encode(form("obj", "dict"), value);
  EXPECT_NE(again.find("f 1/1/1 2/2/1 3/2/1 4/1/1\nf 1//1 2//1 3//1\n"), std::string::npos)
      << again;
  EXPECT_THROW(decode(form("obj", "dict"), quad_obj, {.flags = POLYCODEC_CALL_LOSSLESS}), Error);
}

TEST(MeshForm, CornersMayBeRecords) {
  const Value value = Value::parse(
      R"({"vertex": [{"x": 0, "y": 0, "z": 0}, {"x": 1, "y": 0, "z": 0}, {"x": 0, "y": 1, "z": 0, "w": 2}],
          "vt": [{"u": 0.5}],
          "face": [[{"vertex_index": 0, "texture_index": 0}, {"vertex_index": 1}, {"vertex_index": 2}],
                   {"vertex_index": [2, 1, 0]}]})");
  EXPECT_EQ(encode(form("obj", "dict"), value),
            "v 0 0 0\nv 1 0 0\nv 0 1 0 2\nvt 0.5\nf 1/1 2 3\nf 3 2 1\n");
}

TEST(MeshForm, ListOfStatementsKeepsEverythingInItsOrder) {
  const std::string text =
      "# head\nmtllib a.mtl\nv 0 0 0\nv 1 0 0 0.5\nv 1 1 0\ng a b\ns 1\nmg 2 0.5\nusemtl dark "
      "blue\nf 1 2 3\nl 1 2\n"
      "p 3\nlod 7\nbevel on\nctech cparm 2\nstech cparma 1 2\ncstype rat bspline\ndeg 3 2\nbmat u "
      "1 0 0 1\nstep 1 2\n"
      "vp 0.5 1 1\nvp 0.25 1 1\ncurv2 1 -1\nparm u 0 1\nend\nsurf 0 1 0 1 1 2 -1\ntrim 0 1 1\nsp "
      "1\nend\n"
      "con 1 0 1 1 1 0 2 1\nvendor words here\ng\nf -3 -2 -1\n";
  const Value value = decode(form("obj", "list"), text);
  const std::string shown = plain(value);
  for (
      const char* part :
      {R"({"code": "comment", "comment": "head"})",
       R"({"code": "v", "x": 1.0, "y": 0.0, "z": 0.0, "w": 0.5})",
       R"({"code": "g", "labels": ["a", "b"]})",
       R"({"code": "mg", "state": "2", "resolution": 0.5})",
       R"({"code": "f", "vertex_index": [0, 1, 2]})",
       R"({"code": "cstype", "rat": true, "type": "bspline"})",
       R"({"code": "curv2", "parameter_index": [0, -1]})",
       R"({"code": "surf", "starting_param_u": 0.0, "ending_param_u": 1.0, "starting_param_v": 0.0, "ending_param_v": 1.0, "vertex_index": [0, 1, -1]})",
       R"({"code": "trim", "starting_param": [0.0], "ending_param": [1.0], "curve_index": [0]})",
       R"({"code": "vendor", "value": "words here"})",
       R"({"code": "stech", "technique": "cparma", "ures": 1.0, "vres": 2.0})"})
    EXPECT_NE(shown.find(part), std::string::npos) << part << "\n" << shown;
  std::string expected = text;
  expected.replace(expected.find("f -3 -2 -1"), 10, "f 1 2 3");
  EXPECT_EQ(encode(form("obj", "list"), value), expected);
}

TEST(MeshForm, TrianglesAreCutFromConcaveFaces) {
  // An arrow whose fan around the first corner would leave it.
  const std::string text = "v 1 1 0\nv 2 3 0\nv 0 0 0\nv 3 2 0\nf 1 2 3 4\n";
  const auto codec = shipped("obj", {{"form", "mesh"}, {"triangulate", true}});
  const Value value = decode(codec, text);
  const View faces = *value.view().find("faces");
  ASSERT_EQ(faces.size(), 2u);
  for (std::uint64_t i = 0; i < 2; ++i) {
    const View corners = *faces.child(i).find("position");
    ASSERT_EQ(corners.size(), 3u);
    // Each triangle holds the inner corner and the tip.
    bool inner = false;
    bool tip = false;
    for (std::uint64_t k = 0; k < 3; ++k) {
      inner = inner || corners.child(k).as_int64() == 0;
      tip = tip || corners.child(k).as_int64() == 2;
    }
    EXPECT_TRUE(inner && tip);
  }
  const std::string ply = ascii(decode(shipped("obj"), text));
  EXPECT_NE(ply.find("\n4 0 1 2 3\n"), std::string::npos);
  const std::string cut = encode(shipped("ply", {{"format", "ascii"}, {"triangulate", true}}),
                                 decode(shipped("obj"), text));
  EXPECT_NE(cut.find("element face 2\n"), std::string::npos);
}

}  // namespace
}  // namespace polycodec::test
