// SPDX-License-Identifier: MIT
// Files that other programs wrote: what they read in them, and writing them again.
#include <polycodec/value.hpp>

#include "../../../plugins/stl/codec.hpp"
#include "codec_calls.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace polycodec::test {
namespace {

using stl::Stl;

std::filesystem::path vectors() {
  return std::filesystem::path(POLYCODEC_TEST_VECTORS) / "stl";
}

Node word(std::string_view text) {
  return Builder::string_view(text);
}

TEST(StlVectors, AreReadAsTheProgramsThatWroteThemReadThem) {
  std::size_t count = 0;
  for (const auto& path : descriptions(vectors())) {
    SCOPED_TRACE(path);
    const auto json = nlohmann::json::parse(read_file(path));
    const std::string bytes = read_file(std::filesystem::path(path).replace_extension(".stl"));
    const Value value = decode(make<Stl>({{"strict", Builder::boolean(true)}}), bytes);
    const View root(value.view());
    EXPECT_EQ(View(root.metadata())["stl.format"].as_string(), json["format"].get<std::string>());
    const View facets = root["facets"];
    ASSERT_EQ(facets.size(), json["facets"].get<std::uint64_t>());
    double sum = 0;
    std::vector<double> first;
    for (View facet : facets)
      for (View vertex : facet["vertices"])
        for (View number : vertex) {
          sum += std::abs(number.as_double());
          if (first.size() < 9) first.push_back(number.as_double());
        }
    // The peer keeps numbers of ascii files as float32 or float64, as it likes.
    EXPECT_NEAR(sum, json["vertices"].get<double>(), 1e-6 * sum);
    for (std::size_t i = 0; i < 9; ++i)
      EXPECT_NEAR(first[i], json["first"][i].get<double>(), 1e-6) << i;
    ++count;
  }
  EXPECT_GE(count, 8u);
}

TEST(StlVectors, AreWrittenAgainInBothFormatsWithTheSameFacets) {
  for (const auto& path : descriptions(vectors())) {
    SCOPED_TRACE(path);
    const std::string bytes = read_file(std::filesystem::path(path).replace_extension(".stl"));
    const Value value = decode(make<Stl>(), bytes);
    const bool binary = View(View(value.view()).metadata())["stl.format"].as_string() == "binary";
    const std::string again = encode(make<Stl>(), value.view());
    if (binary) {
      EXPECT_EQ(again, bytes);
      continue;
    }
    const Value back = decode(make<Stl>(), again);
    EXPECT_TRUE(equal(value.view(), back.view(), {}));
  }
}

TEST(StlVectors, BinaryFacetsAreViewsOfTheFile) {
  const std::string bytes = read_file(vectors() / "trimesh_box_binary.stl");
  const Value value = decode(make<Stl>(), bytes);
  const polycodec_array& record = *View(value.view())["facets"].array();
  for (std::uint32_t i = 0; i < record.n_children; ++i) {
    const auto* data = static_cast<const char*>(record.children[i]->data);
    EXPECT_TRUE(data >= bytes.data() && data < bytes.data() + bytes.size());
    EXPECT_EQ(record.children[i]->strides[0], 50);
  }
}

TEST(StlVectors, MeshesShareThePositionsOfABox) {
  const std::string bytes = read_file(vectors() / "trimesh_box_binary.stl");
  const Value shared = decode(make<Stl>({{"form", word("mesh")}}), bytes);
  EXPECT_EQ(View(shared.view())["positions"].size(), 8u);
  EXPECT_EQ(View(shared.view())["faces"].size(), 12u);
  EXPECT_EQ(View(shared.view())["normals"].size(), 0u);  // those that the vertices give
  const Value apart =
      decode(make<Stl>({{"form", word("mesh")}, {"merge", Builder::boolean(false)}}), bytes);
  EXPECT_EQ(View(apart.view())["positions"].size(), 36u);
  // A mesh is written as the file that it was, but for the header.
  const std::string again = encode(make<Stl>(), shared.view());
  EXPECT_EQ(again.substr(80), bytes.substr(80));
}

}  // namespace
}  // namespace polycodec::test
