// SPDX-License-Identifier: MIT
// Values that STL takes, and what it cannot hold.

#include "shipped.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace polycodec::test {
namespace {

std::filesystem::path vectors() {
  return std::filesystem::path(POLYCODEC_TEST_VECTORS) / "stl";
}

constexpr std::string_view square =
    R"({"positions": [{"x": 0, "y": 0, "z": 0}, {"x": 1, "y": 0, "z": 0}, {"x": 1, "y": 1, "z": 0},
       {"x": 0, "y": 1, "z": 0.1}], "faces": [{"position": [0, 1, 2, 3]}], "objects": []})";

TEST(StlValues, DocumentsBecomeTheSmallestFormatThatKeepsThem) {
  const Value narrow =
      Value::parse(R"({"facets": [{"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0.5]]}]})");
  EXPECT_EQ(encode(shipped("stl"), narrow).size(), 134u);
  const Value wide =
      Value::parse(R"({"facets": [{"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0.1]]}]})");
  const std::string text = encode(shipped("stl"), wide);
  EXPECT_NE(text.find("vertex 0 1 0.1\n"), std::string::npos) << text;
  const Value named = Value::parse(
      R"({"facets": [{"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "normal": [0, 0, 1]}],
          "solids": [{"name": "a b", "facets": 1}]})");
  EXPECT_TRUE(encode(shipped("stl"), named).starts_with("solid a b\n  facet normal 0 0 1\n"));
}

TEST(StlValues, LossesAreToldByName) {
  const Value wide =
      Value::parse(R"({"facets": [{"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0.1]]}]})");
  Losses call;
  static_cast<void>(encode(shipped("stl", {{"format", "binary"}}), wide, call));
  EXPECT_EQ(call.all,
            std::vector<std::string>{
                "$.facets: 1 numbers that float32 rounds; the format 'ascii' keeps them"});
  const Value polygon = Value::parse(square);
  Losses other;
  static_cast<void>(encode(shipped("stl"), polygon, other));
  ASSERT_EQ(other.all.size(), 1u);
  EXPECT_TRUE(other.all[0].starts_with("$.faces.position: 1 faces that are not triangles"));
  Losses asked;
  static_cast<void>(encode(shipped("stl", {{"triangulate", true}}), polygon, asked));
  EXPECT_TRUE(asked.all.empty());
}

TEST(StlValues, UnusedRowsAreNotesAndOpaqueColorsNoLoss) {
  const Value ply = Value::parse(
      R"({"vertex": [{"x": 0, "y": 0, "z": 0, "alpha": 255}, {"x": 1, "y": 0, "z": 0, "alpha": 255},
          {"x": 0, "y": 1, "z": 0, "alpha": 255}, {"x": 9, "y": 9, "z": 9, "alpha": 255}],
          "face": [{"vertex_index": [0, 1, 2]}]})");
  EXPECT_EQ(encode(shipped("stl"), ply).size(), 134u) << "a note is allowed";
  Losses call;
  static_cast<void>(encode(shipped("stl"), ply, call));
  EXPECT_EQ(call.all, std::vector<std::string>{"$.vertex: 1 positions that nothing uses"});
  const Value points = Value::parse(R"({"vertex": [{"x": 0, "y": 0, "z": 0}]})");
  EXPECT_EQ(encode_refusal(shipped("stl"), points), "stl.lossy $.vertex");
}

TEST(StlValues, WhatDoesNotFitIsRefusedByItsPath) {
  const auto refused = [](std::string_view text) {
    return encode_refusal(shipped("stl"), Value::parse(text));
  };
  EXPECT_EQ(refused("[1]"), "stl.bad_member $");
  EXPECT_EQ(refused(R"({"facets": [], "more": 1})"), "stl.bad_member $.more");
  EXPECT_EQ(refused(R"({"facets": [1]})"), "stl.bad_member $.facets[0]");
  EXPECT_EQ(refused(R"({"facets": [{"vertices": [[0, 0, 0], [1, 0, 0]]}]})"),
            "stl.bad_member $.facets[0].vertices");
  EXPECT_EQ(refused(R"({"facets": [{"vertices": [[0, 0], [1, 0, 0], [1, 2, 3]]}]})"),
            "stl.bad_member $.facets[0].vertices");
  EXPECT_EQ(refused(R"({"facets": [{"vertices": [[0,0,0],[1,0,0],[1,2,3]], "attribute": 65536}]})"),
            "stl.bad_member $.facets[0].attribute");
  EXPECT_EQ(refused(R"({"facets": [{"vertices": [[0,0,0],[1,0,0],[1,2,3]]}],
                        "solids": [{"name": "a", "facets": 2}]})"),
            "stl.bad_member $.solids[0].facets");
  EXPECT_EQ(refused(R"({"facets": [{"vertices": [[0,0,0],[1,0,0],[1,2,3]]}],
                        "solids": [{"name": "a\nfacet", "facets": 1}]})"),
            "stl.bad_name $.solids[0].name");
  EXPECT_EQ(refused(R"({"facets": [{"vertices": [[9007199254740993,0,0],[1,0,0],[1,2,3]]}]})"),
            "stl.bad_member $.facets[0].vertices");
  EXPECT_EQ(refused(R"({"facets": [{"vertices": [[0,0,0],[1,0,0],[1,2,3]]}],
                        "solids": [{"name": "a", "facets": -1}]})"),
            "stl.bad_member $.solids[0].facets");
}

TEST(StlValues, NumbersAreKeptToTheLastBit) {
  const double numbers[] = {0.1, -0.0, 1e300, 5e-324, 1.0 / 3, 123456789.123456789};
  for (const double number : numbers) {
    Value value = Value::build([&](Builder& out) {
      const Node zero = out.list({Builder::real(0), Builder::real(1), Builder::real(2)});
      const Node point = out.list({Builder::real(number), Builder::real(0), Builder::real(1)});
      return out.object(
          {{"facets", out.list({out.object({{"vertices", out.list({point, zero, zero})}})})}});
    });
    const std::string text = encode(shipped("stl", {{"format", "ascii"}}), value);
    const Value back = decode(shipped("stl"), text);
    const double read = back.view()["facets"][0]["vertices"][0][0].as_double();
    EXPECT_EQ(std::bit_cast<std::uint64_t>(read), std::bit_cast<std::uint64_t>(number)) << text;
  }
}

/// A surface of facets that share their corners, two for each field of a square.
std::string surface(std::uint32_t side) {
  const std::uint32_t facets = side * side * 2;
  std::string bytes(84 + 50 * std::size_t{facets}, '\0');
  store_le(bytes.data() + 80, facets);
  for (std::uint32_t i = 0; i < facets; ++i) {
    const std::uint32_t x = i / 2 % side;
    const std::uint32_t y = i / 2 / side;
    const std::uint32_t corners[3][2] = {{x, y}, {x + 1, y + i % 2}, {x + 1 - i % 2, y + 1}};
    for (std::size_t v = 0; v < 3; ++v)
      for (std::size_t k = 0; k < 2; ++k)
        store_le(bytes.data() + 84 + 50 * std::size_t{i} + 12 + 12 * v + 4 * k,
                 static_cast<float>(corners[v][k]) / 10);
  }
  return bytes;
}

/// More positions than a small table holds, in facets that share them.
TEST(StlValues, MergedCornersAreWhereTheFacetsHaveThem) {
  constexpr std::uint32_t side = 60;
  constexpr std::uint32_t facets = side * side * 2;
  const std::string bytes = surface(side);
  const Value file = decode(shipped("stl"), bytes);
  const Value mesh = decode(shipped("stl", {{"form", "mesh"}}), bytes);
  const View positions = mesh.view()["positions"];
  const View faces = mesh.view()["faces"];
  ASSERT_EQ(positions.size(), (side + 1) * (side + 1));
  ASSERT_EQ(faces.size(), facets);
  for (std::uint32_t i = 0; i < facets; ++i)
    for (std::uint64_t v = 0; v < 3; ++v) {
      const View position = positions[faces[i]["position"][v].as_uint64()];
      const View vertex = file.view()["facets"][i]["vertices"][v];
      ASSERT_EQ(position["x"].as_double(), vertex[0].as_double()) << i;
      ASSERT_EQ(position["y"].as_double(), vertex[1].as_double()) << i;
    }
}

TEST(StlValues, FacetsOfAMeshHaveItsPositionsInPlace) {
  const std::string bytes = surface(60);
  const Value mesh = decode(shipped("stl", {{"form", "mesh"}}), bytes);
  CallOptions call;
  call.limits.max_memory_bytes = 800'000;  // a copy of each corner would take 518,400 alone
  const std::string again = encode(shipped("stl"), mesh, call);
  const Value back = decode(shipped("stl", {{"form", "mesh"}}), again);
  EXPECT_EQ(back.view()["positions"].size(), 3721u);
  const auto facet = [](const std::string& file) { return file.substr(84 + 50 * 119 + 12, 36); };
  EXPECT_EQ(facet(again), facet(bytes));
  // As doubles, in which other formats may have them.
  const std::string text = encode(shipped("stl", {{"format", "ascii"}}), mesh);
  EXPECT_NE(text.find("vertex 0.10000000149011612 0 0\n"), std::string::npos);
}

TEST(StlValues, NanAndInfinityPassInBothFormats) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  std::string bytes(134, '\0');
  store_le(bytes.data() + 80, std::uint32_t{1});
  store_le(bytes.data() + 84 + 12, nan);
  store_le(bytes.data() + 84 + 16, infinity);
  const Value value = decode(shipped("stl"), bytes);
  EXPECT_EQ(encode(shipped("stl"), value), bytes);
  const std::string text = encode(shipped("stl", {{"format", "ascii"}}), value);
  EXPECT_NE(text.find("vertex nan inf 0\n"), std::string::npos) << text;
  const Value back = decode(shipped("stl", {{"form", "mesh"}}), text);
  EXPECT_EQ(back.view()["faces"].size(), 1u);
}

TEST(StlValues, BinaryFacetsAreViewsOfTheFile) {
  const std::string bytes = read_file(vectors() / "trimesh_box_binary.stl");
  const Value value = shipped("stl").decode(Source::view(bytes));
  const polycodec_array& record = *value.view()["facets"].array();
  for (std::uint32_t i = 0; i < record.n_children; ++i) {
    const auto* data = static_cast<const char*>(record.children[i]->data);
    EXPECT_TRUE(is_isolated() || (data >= bytes.data() && data < bytes.data() + bytes.size()));
    EXPECT_EQ(record.children[i]->strides[0], 50);
  }
}

TEST(StlValues, MeshesShareThePositionsOfABox) {
  const std::string bytes = read_file(vectors() / "trimesh_box_binary.stl");
  const Value shared = decode(shipped("stl", {{"form", "mesh"}}), bytes);
  EXPECT_EQ(shared.view()["positions"].size(), 8u);
  EXPECT_EQ(shared.view()["faces"].size(), 12u);
  EXPECT_EQ(shared.view()["normals"].size(), 0u);  // those that the vertices give
  const Value apart = decode(shipped("stl", {{"form", "mesh"}, {"merge", false}}), bytes);
  EXPECT_EQ(apart.view()["positions"].size(), 36u);
  // A mesh is written as the file that it was, but for the header.
  const std::string again = encode(shipped("stl"), shared);
  EXPECT_EQ(again.substr(80), bytes.substr(80));
}

}  // namespace
}  // namespace polycodec::test
