// SPDX-License-Identifier: MIT
// Values that STL takes, and what it cannot hold.
#include <polycodec/text.hpp>
#include <polycodec/value.hpp>

#include "../../../plugins/stl/codec.hpp"
#include "codec_calls.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace polycodec::test {
namespace {

using stl::Stl;

std::string error_of(NodeView value, std::initializer_list<Member> options = {}) {
  try {
    static_cast<void>(encode(make<Stl>(options), value));
    return {};
  } catch (const Error& error) {
    return error.detail() + " " + error.path();
  }
}

constexpr std::string_view square =
    R"({"positions": [{"x": 0, "y": 0, "z": 0}, {"x": 1, "y": 0, "z": 0}, {"x": 1, "y": 1, "z": 0},
       {"x": 0, "y": 1, "z": 0.1}], "faces": [{"position": [0, 1, 2, 3]}], "objects": []})";

TEST(StlValues, DocumentsBecomeTheSmallestFormatThatKeepsThem) {
  const Value narrow =
      parse_text(R"({"facets": [{"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0.5]]}]})");
  EXPECT_EQ(encode(make<Stl>(), narrow.view()).size(), 134u);
  const Value wide =
      parse_text(R"({"facets": [{"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0.1]]}]})");
  const std::string text = encode(make<Stl>(), wide.view());
  EXPECT_NE(text.find("vertex 0 1 0.1\n"), std::string::npos) << text;
  const Value named = parse_text(
      R"({"facets": [{"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "normal": [0, 0, 1]}],
          "solids": [{"name": "a b", "facets": 1}]})");
  EXPECT_TRUE(encode(make<Stl>(), named.view()).starts_with("solid a b\n  facet normal 0 0 1\n"));
}

TEST(StlValues, LossesAreToldByName) {
  const Value wide =
      parse_text(R"({"facets": [{"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0.1]]}]})");
  TestCall call;
  call.allow_loss();
  static_cast<void>(
      encode(make<Stl>({{"format", Builder::string_view("binary")}}), wide.view(), call));
  EXPECT_EQ(call.losses,
            std::vector<std::string>{
                "$.facets: 1 numbers that float32 rounds; the format 'ascii' keeps them"});
  const Value polygon = parse_text(square);
  TestCall other;
  other.allow_loss();
  static_cast<void>(encode(make<Stl>(), polygon.view(), other));
  ASSERT_EQ(other.losses.size(), 1u);
  EXPECT_TRUE(other.losses[0].starts_with("$.faces.position: 1 faces that are not triangles"));
  TestCall asked;
  static_cast<void>(
      encode(make<Stl>({{"triangulate", Builder::boolean(true)}}), polygon.view(), asked));
  EXPECT_TRUE(asked.losses.empty());
}

TEST(StlValues, WhatDoesNotFitIsRefusedByItsPath) {
  const auto refused = [](std::string_view text) { return error_of(parse_text(text).view()); };
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
    const std::string text =
        encode(make<Stl>({{"format", Builder::string_view("ascii")}}), value.view());
    const Value back = decode(make<Stl>(), text);
    const double read = View(back.view())["facets"][0]["vertices"][0][0].as_double();
    EXPECT_EQ(std::bit_cast<std::uint64_t>(read), std::bit_cast<std::uint64_t>(number)) << text;
  }
}

/// More positions than a small table holds, in facets that share them.
TEST(StlValues, MergedCornersAreWhereTheFacetsHaveThem) {
  constexpr std::uint32_t side = 60;
  constexpr std::uint32_t facets = side * side * 2;
  std::string bytes(84 + 50 * std::size_t{facets}, '\0');
  store_le(bytes.data() + 80, facets);
  for (std::uint32_t i = 0; i < facets; ++i) {
    const std::uint32_t x = i / 2 % side;
    const std::uint32_t y = i / 2 / side;
    const std::uint32_t corners[3][2] = {{x, y}, {x + 1, y + i % 2}, {x + 1 - i % 2, y + 1}};
    for (std::size_t v = 0; v < 3; ++v)
      for (std::size_t k = 0; k < 2; ++k)
        store_le(bytes.data() + 84 + 50 * std::size_t{i} + 12 + 12 * v + 4 * k,
                 static_cast<float>(corners[v][k]));
  }
  const Value file = decode(make<Stl>(), bytes);
  const Value mesh = decode(make<Stl>({{"form", Builder::string_view("mesh")}}), bytes);
  const View positions = View(mesh.view())["positions"];
  const View faces = View(mesh.view())["faces"];
  ASSERT_EQ(positions.size(), (side + 1) * (side + 1));
  ASSERT_EQ(faces.size(), facets);
  for (std::uint32_t i = 0; i < facets; ++i)
    for (std::uint64_t v = 0; v < 3; ++v) {
      const View position = positions[faces[i]["position"][v].as_uint64()];
      const View vertex = View(file.view())["facets"][i]["vertices"][v];
      ASSERT_EQ(position["x"].as_double(), vertex[0].as_double()) << i;
      ASSERT_EQ(position["y"].as_double(), vertex[1].as_double()) << i;
    }
}

TEST(StlValues, NanAndInfinityPassInBothFormats) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  std::string bytes(134, '\0');
  store_le(bytes.data() + 80, std::uint32_t{1});
  store_le(bytes.data() + 84 + 12, nan);
  store_le(bytes.data() + 84 + 16, infinity);
  const Value value = decode(make<Stl>(), bytes);
  EXPECT_EQ(encode(make<Stl>(), value.view()), bytes);
  const std::string text =
      encode(make<Stl>({{"format", Builder::string_view("ascii")}}), value.view());
  EXPECT_NE(text.find("vertex nan inf 0\n"), std::string::npos) << text;
  const Value back = decode(make<Stl>({{"form", Builder::string_view("mesh")}}), text);
  EXPECT_EQ(View(back.view())["faces"].size(), 1u);
}

}  // namespace
}  // namespace polycodec::test
