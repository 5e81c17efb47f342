// SPDX-License-Identifier: MIT
// Files that other programs wrote: what is in them, and writing them again.

#include "shipped.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace polycodec::test {
namespace {

std::filesystem::path vectors() {
  return std::filesystem::path(POLYCODEC_TEST_VECTORS) / "gltf";
}

/// The value of a file, whose buffers may be in files beside it.
Value read(const std::filesystem::path& path) {
  return decode_file("gltf", path);
}

TEST(GltfVectors, MeshesAreWhereTheNodesPutThem) {
  for (const auto& description : descriptions(vectors())) {
    SCOPED_TRACE(description);
    const auto json = nlohmann::json::parse(read_file(description));
    Losses losses;
    const Value value = decode_file("gltf", std::filesystem::path(description).replace_extension(),
                                    {{"form", "mesh"}}, losses);
    const View mesh = value.view();
    EXPECT_EQ(mesh["faces"].size(), json["triangles"].get<std::uint64_t>());
    double sum = 0;
    for (View face : mesh["faces"])
      for (View corner : face["position"]) {
        const View position = mesh["positions"][corner.as_uint64()];
        for (const char* axis : {"x", "y", "z"}) sum += std::abs(position[axis].as_double());
      }
    EXPECT_NEAR(sum, json["vertices"].get<double>(), 1e-6 * sum);
  }
}

TEST(GltfVectors, AreWrittenAgainWithTheSameValue) {
  for (const auto& description : descriptions(vectors())) {
    SCOPED_TRACE(description);
    const Value value = read(std::filesystem::path(description).replace_extension());
    for (const char* format : {"glb", "gltf"}) {
      const auto codec = shipped("gltf", {{"format", format}});
      const std::string once = encode(codec, value);
      EXPECT_EQ(once.starts_with("glTF"), std::string_view(format) == "glb");
      const Value back = decode(codec, once);
      // Bounds are said with the type of the numbers, and behind the other members.
      constexpr std::uint32_t same =
          POLYCODEC_COMPARE_NUMBERS | POLYCODEC_COMPARE_LISTS | POLYCODEC_COMPARE_NO_METADATA;
      const auto expect_same = [&](const std::string& path) {
        EXPECT_EQ(difference(value.part(path), back.part(path), same), "") << path;
      };
      for (const char* name : {"nodes", "meshes", "materials", "scenes"})
        if (value.view().find(name)) expect_same(name);
      for (std::uint64_t i = 0; i < value.view()["accessors"].size(); ++i)
        expect_same("accessors[" + std::to_string(i) + "].values");
      EXPECT_EQ(encode(codec, back), once);
    }
  }
}

TEST(GltfVectors, InterleavedAccessorsAreViewsOfTheFile) {
  const std::string bytes = read_file(vectors() / "pygltflib_interleaved.glb");
  const Value value = shipped("gltf").decode(Source::view(bytes));
  for (std::uint64_t i = 0; i < 3; ++i) {
    const polycodec_array& values = *value.view()["accessors"][i]["values"].array();
    const auto* data = static_cast<const char*>(values.data);
    EXPECT_TRUE(is_isolated() || (data >= bytes.data() && data < bytes.data() + bytes.size()));
    EXPECT_EQ(values.strides[0], 28);
  }
}

TEST(GltfVectors, ImagesAreTheirBytes) {
  const Value value = read(vectors() / "gltf_transform_textured.glb");
  const View image = value.view()["images"][0];
  EXPECT_TRUE(image["data"].as_bytes().starts_with("\x89PNG"));
  EXPECT_EQ(image["mimeType"].as_string(), "image/png");
}

}  // namespace
}  // namespace polycodec::test
