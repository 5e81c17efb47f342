// SPDX-License-Identifier: MIT
// Meshes as glTF and back, and what glTF cannot hold.

#include "documents.hpp"
#include "shipped.hpp"

#include <gtest/gtest.h>

namespace polycodec::test {
namespace {

constexpr std::string_view two_objects = R"({
  "positions": [{"x": 0, "y": 0, "z": 0}, {"x": 1, "y": 0, "z": 0}, {"x": 0, "y": 1, "z": 0},
                {"x": 0, "y": 0, "z": 1}],
  "normals": [{"x": 0, "y": 0, "z": 1}],
  "texcoords": [{"u": 0, "v": 0.25}, {"u": 1, "v": 0}, {"u": 0.5, "v": 1}],
  "colors": [{"red": 1, "green": 2, "blue": 3}, {"red": 255, "green": 0, "blue": 7},
             {"red": 0, "green": 0, "blue": 0}, {"red": 9, "green": 9, "blue": 9}],
  "faces": [
    {"position": [0, 1, 2], "texcoord": [0, 1, 2], "normal": [0, 0, 0], "material": 1, "object": 0},
    {"position": [0, 2, 3], "texcoord": [], "normal": [], "material": -1, "object": 1}],
  "edges": [{"first": 0, "second": 3}],
  "materials": ["blue", "red"], "objects": ["left", "right"]})";

TEST(GltfValues, AMeshComesBackWithItsNamesAndAttributes) {
  const Value mesh = Value::parse(two_objects);
  const std::string bytes = encode(shipped("gltf"), mesh);
  const Value back = decode(shipped("gltf", {{"form", "mesh"}}), bytes);
  const View root(back.view());
  ASSERT_EQ(root["faces"].size(), 2u);
  EXPECT_EQ(root["objects"][0].as_string(), "left");
  EXPECT_EQ(root["objects"][1].as_string(), "right");
  EXPECT_EQ(root["materials"][1].as_string(), "red");
  EXPECT_EQ(root["faces"][0]["material"].as_int64(), 1);
  EXPECT_EQ(root["faces"][1]["material"].as_int64(), -1);
  EXPECT_EQ(root["edges"].size(), 1u);
  const View face = root["faces"][0];
  const double v[] = {0.25, 0, 1};
  for (std::uint64_t k = 0; k < 3; ++k) {
    EXPECT_EQ(root["texcoords"][face["texcoord"][k].as_uint64()]["v"].as_double(), v[k]);
    EXPECT_EQ(root["normals"][face["normal"][k].as_uint64()]["z"].as_double(), 1);
  }
  EXPECT_EQ(root["faces"][1]["normal"][0].as_int64(), -1);
  const View color = root["colors"][face["position"][1].as_uint64()];
  EXPECT_EQ(color["red"].as_uint64(), 255u);
  EXPECT_EQ(color["red"].dtype(), std::uint32_t{POLYCODEC_DTYPE_UINT8});
}

TEST(GltfValues, LossesAreToldByName) {
  const Value mesh =
      Value::parse(R"({"positions": [{"x": 0.1, "y": 0, "z": 0}, {"x": 1, "y": 0, "z": 0},
    {"x": 0, "y": 1, "z": 0}, {"x": 1, "y": 1, "z": 0}], "normals": [{"x": 0, "y": 0, "z": 2}],
    "faces": [{"position": [0, 1, 3, 2], "normal": [0, 0, 0, 0], "group": 0}], "groups": ["g"]})");
  EXPECT_THROW(static_cast<void>(encode(shipped("gltf"), mesh)), Error);
  Losses call;
  static_cast<void>(encode(shipped("gltf", {{"triangulate", true}}), mesh, call));
  EXPECT_EQ(call.all,
            (std::vector<std::string>{"$.groups: 1 groups",
                                      "$.normals: lengths of normals at 6 corners: they become 1",
                                      "$.positions: 1 numbers that float32 rounds"}));
}

/// The losses of a mesh that is written as glTF.
std::vector<std::string> losses_of(std::string_view text) {
  Losses call;
  static_cast<void>(encode(shipped("gltf"), Value::parse(text), call));
  return call.all;
}

TEST(GltfValues, NumbersThatAreNotFiniteAreLeftOutByThePathOfTheInput) {
  const std::string nan = R"({"$float": "nan"})";
  EXPECT_EQ(losses_of(R"({"v": [{"x": 0, "y": 0, "z": 0, "red": )" + nan + R"(, "green": )" + nan +
                      R"(, "blue": )" + nan + R"(}, {"x": 1, "y": 0, "z": 0, "red": 1, "green": 1,
                      "blue": 0.5}, {"x": 0, "y": 1, "z": 0, "red": 0, "green": 0, "blue": 0}],
                      "f": [{"v": [0, 1, 2]}]})"),
            std::vector<std::string>{"$.v.red: 1 colors that are not finite: they become white"});
  EXPECT_EQ(
      losses_of(R"({"v": [{"x": 0, "y": 0, "z": 0}, {"x": 1, "y": 0, "z": 0},
                      {"x": 0, "y": 1, "z": 0}], "vn": [{"i": )" +
                nan + R"(, "j": 0, "k": 0}], "f": [{"v": [0, 1, 2], "vn": [0, 0, 0]}]})"),
      std::vector<std::string>{"$.vn: normals of 1 faces: a corner has none with a direction"});
  EXPECT_EQ(losses_of(R"({"vertex": [{"x": 0, "y": 0, "z": 0}, {"x": 1e300, "y": 0, "z": 0},
                      {"x": 0, "y": 1, "z": 0}, {"x": 1, "y": 1, "z": 0}], "face":
                      [{"vertex_indices": [0, 1, 2]}, {"vertex_indices": [0, 3, 2]}]})"),
            std::vector<std::string>{
                "$.vertex: 1 positions that are not finite, and faces and edges there"});
}

TEST(GltfValues, UnitsAndTexturesAreData) {
  const auto refused = [](std::string_view text) {
    return encode_refusal(shipped("gltf"), Value::parse(text));
  };
  EXPECT_EQ(refused(R"({"type": "{positions: annotated[1 * {x: float32, y: float32, z: float32}, )"
                    R"(units='mm'], faces: 0 * {position: var * int32}}", "value": {"positions": )"
                    R"([{"x": 0.0, "y": 0.0, "z": 0.0}], "faces": []}})"),
            "gltf.lossy $.positions");
  EXPECT_EQ(refused(R"({"v": [{"x": 0, "y": 0, "z": 0}], "statements": [{"code": "v", "count": 1,
      "text": ""}, {"code": "mtllib", "count": 1, "text": "a.mtl"}]})"),
            "gltf.lossy $.statements");
}

TEST(GltfValues, WhatAMeshHasNoPlaceForIsToldByName) {
  const std::string json =
      R"({"asset":{"version":"2.0"},"cameras":[{"type":"perspective"}],"accessors":[)"
      R"({"componentType":5126,"type":"VEC3","count":3},{"componentType":5126,"type":"VEC4","count":3}],)"
      R"("materials":[{"name":"m","doubleSided":true,"extensions":{"KHR_materials_ior":{"ior":1.3}}}],)"
      R"("meshes":[{"primitives":[{"attributes":{"POSITION":0,"TANGENT":1},"material":0}]}],)"
      R"("nodes":[{"mesh":0,"scale":[1,1,2]}]})";
  Losses call;
  static_cast<void>(decode(shipped("gltf", {{"form", "mesh"}}), json, call));
  EXPECT_EQ(call.all,
            (std::vector<std::string>{"$.cameras: 1 cameras",
                                      "$.materials: extension KHR_materials_ior of 1 materials",
                                      "$.nodes: transforms of 1 nodes: they are applied",
                                      "$.meshes: 1 attributes of primitives, such as tangents"}));
}

TEST(GltfValues, MatricesAndSmallElementsAreRowsAtMultiplesOfFour) {
  // MAT3 of bytes: columns of 3 bytes, each at a multiple of 4.
  std::string bin(64, '\0');
  for (std::size_t i = 0; i < bin.size(); ++i) bin[i] = static_cast<char>(i);
  // The value views these bytes.
  const std::string file =
      glb(with_accessor(R"("bufferView":0,"componentType":5121,"type":"MAT3","count":2)",
                        R"("byteLength":64)"),
          bin);
  const Value value = decode(shipped("gltf"), file);
  const View values = value.view()["accessors"][0]["values"];
  EXPECT_EQ(values[0][1][0].as_uint64(), 4u);
  EXPECT_EQ(values[1][2][2].as_uint64(), 22u);
  const std::string written = encode(shipped("gltf"), value);
  const Value back = decode(shipped("gltf"), written);
  EXPECT_EQ(difference(value.part("accessors[0].values"), back.part("accessors[0].values")), "");
}

TEST(GltfValues, WhatBreaksARuleIsNotWritten) {
  const auto refused = [](std::string_view text) {
    return encode_refusal(shipped("gltf"), Value::parse(text));
  };
  const auto accessor = [](const std::string& members) {
    return R"({"asset": {"version": "2.0"}, "accessors": [{"type": "VEC2", "componentType": 5126, )" +
           members + "}]}";
  };
  EXPECT_EQ(refused(accessor(R"("count": 1, "values": [[1, 2]])")), "");
  EXPECT_EQ(refused(accessor(R"("count": 2, "values": [[1, 2]])")),
            "gltf.bad_accessor $.accessors[0].count");
  EXPECT_EQ(refused(accessor(R"("count": 1, "values": [[1, 2, 3]])")),
            "gltf.bad_accessor $.accessors[0].values");
  EXPECT_EQ(refused(accessor(R"("count": 1)")), "gltf.bad_accessor $.accessors[0].values");
  EXPECT_EQ(refused(accessor(R"("count": 1, "values": [[1, {"$real": "nan"}]])")).substr(0, 16),
            "gltf.bad_accesso");
  EXPECT_EQ(refused(R"({"asset": {"version": "2.0"}, "buffers": []})"),
            "gltf.bad_member $.buffers");
  EXPECT_EQ(refused(R"({"asset": {"version": "2.0"}, "scene": 0})"), "gltf.bad_index $.scene");
  EXPECT_EQ(refused("[]"), "gltf.bad_member $");
}

}  // namespace
}  // namespace polycodec::test
