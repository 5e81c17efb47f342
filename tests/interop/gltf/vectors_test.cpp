// SPDX-License-Identifier: MIT
// Files that other programs wrote: what is in them, and writing them again.
#include <polycodec/value.hpp>

#include "../../../plugins/gltf/codec.hpp"
#include "codec_calls.hpp"
#include "core/store/directory_store.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace polycodec::test {
namespace {

using gltf::Gltf;

std::filesystem::path vectors() {
  return std::filesystem::path(POLYCODEC_TEST_VECTORS) / "gltf";
}

Node word(std::string_view text) {
  return Builder::string_view(text);
}

/// The value of a file, whose buffers may be in files beside it.
Value read(const Gltf& codec, const std::filesystem::path& path, std::string& bytes,
           std::shared_ptr<DirectoryStore>& beside) {
  bytes = read_file(path);
  beside = DirectoryStore::companions(path.parent_path(), {});
  polycodec_input input = input_of(bytes);
  input.parts |= POLYCODEC_INPUT_COMPANIONS;
  const polycodec_store store = beside->abi();
  input.store = &store;
  Value value = decode_input(codec, input, TestCall());
  validate(value.view(), {}, Validation::full);
  return value;
}

double sum_of(View value) {
  if (value.is_number()) return std::abs(value.as_double());
  double sum = 0;
  for (View item : value) sum += sum_of(item);
  return sum;
}

View last_of(View values) {
  return values.child(values.size() - 1);
}

TEST(GltfVectors, AccessorsHaveTheNumbersThatOthersReadInThem) {
  std::size_t count = 0;
  for (const auto& description : descriptions(vectors())) {
    SCOPED_TRACE(description);
    const auto json = nlohmann::json::parse(read_file(description));
    std::string bytes;
    std::shared_ptr<DirectoryStore> beside;
    const Value value =
        read(make<Gltf>(), std::filesystem::path(description).replace_extension(), bytes, beside);
    const View accessors = View(value.view())["accessors"];
    ASSERT_EQ(accessors.size(), json["accessors"].size());
    for (std::uint64_t i = 0; i < accessors.size(); ++i) {
      const auto& expected = json["accessors"][i];
      const View values = accessors[i]["values"];
      EXPECT_EQ(values.size(), expected["count"].get<std::uint64_t>());
      const double sum = expected["sum"].get<double>();
      EXPECT_NEAR(sum_of(values), sum, 1e-9 * sum) << i;
      const View last = last_of(values);
      for (std::size_t k = 0; k < expected["last"].size(); ++k)
        EXPECT_EQ((last.is_list() ? last[k] : last).as_double(), expected["last"][k].get<double>());
    }
    ++count;
  }
  EXPECT_GE(count, 7u);
}

TEST(GltfVectors, MeshesAreWhereTheNodesPutThem) {
  for (const auto& description : descriptions(vectors())) {
    SCOPED_TRACE(description);
    const auto json = nlohmann::json::parse(read_file(description));
    std::string bytes = read_file(std::filesystem::path(description).replace_extension());
    std::shared_ptr<DirectoryStore> beside = DirectoryStore::companions(vectors(), {});
    polycodec_input input = input_of(bytes);
    input.parts |= POLYCODEC_INPUT_COMPANIONS;
    const polycodec_store store = beside->abi();
    input.store = &store;
    TestCall call;
    call.allow_loss();
    const Value value = decode_input(make<Gltf>({{"form", word("mesh")}}), input, call);
    validate(value.view(), {}, Validation::full);
    const View mesh(value.view());
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
    std::string bytes;
    std::shared_ptr<DirectoryStore> beside;
    const Value value =
        read(make<Gltf>(), std::filesystem::path(description).replace_extension(), bytes, beside);
    for (const char* format : {"glb", "gltf"}) {
      const auto codec = make<Gltf>({{"format", word(format)}});
      const std::string once = encode(codec, value.view());
      EXPECT_EQ(once.starts_with("glTF"), std::string_view(format) == "glb");
      const Value back = decode(codec, once);
      // Bounds are said with the type of the numbers, and behind the other members.
      CompareOptions same{.numbers_by_value = true, .lists_by_content = true, .metadata = false};
      for (const char* name : {"nodes", "meshes", "materials", "scenes"})
        if (const auto member = View(value.view()).find(name)) {
          EXPECT_TRUE(equal(*member, View(back.view())[name], same)) << name;
        }
      const View accessors = View(value.view())["accessors"];
      for (std::uint64_t i = 0; i < accessors.size(); ++i)
        EXPECT_TRUE(
            equal(accessors[i]["values"], View(back.view())["accessors"][i]["values"], same));
      EXPECT_EQ(encode(codec, back.view()), once);
    }
  }
}

TEST(GltfVectors, InterleavedAccessorsAreViewsOfTheFile) {
  std::string bytes;
  std::shared_ptr<DirectoryStore> beside;
  const Value value = read(make<Gltf>(), vectors() / "pygltflib_interleaved.glb", bytes, beside);
  for (std::uint64_t i = 0; i < 3; ++i) {
    const polycodec_array& values = *View(value.view())["accessors"][i]["values"].array();
    const auto* data = static_cast<const char*>(values.data);
    EXPECT_TRUE(data >= bytes.data() && data < bytes.data() + bytes.size());
    EXPECT_EQ(values.strides[0], 28);
  }
}

TEST(GltfVectors, ImagesAreTheirBytes) {
  std::string bytes;
  std::shared_ptr<DirectoryStore> beside;
  const Value value = read(make<Gltf>(), vectors() / "gltf_transform_textured.glb", bytes, beside);
  const View image = View(value.view())["images"][0];
  EXPECT_TRUE(image["data"].as_bytes().starts_with("\x89PNG"));
  EXPECT_EQ(image["mimeType"].as_string(), "image/png");
}

}  // namespace
}  // namespace polycodec::test
