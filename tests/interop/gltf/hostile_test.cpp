// SPDX-License-Identifier: MIT
// Damaged and misleading files: where they are wrong.

#include "documents.hpp"
#include "shipped.hpp"

#include <gtest/gtest.h>

namespace polycodec::test {
namespace {

struct Refusal {
  std::string detail, path;
  std::uint64_t offset = Error::no_offset;
  bool operator==(const Refusal&) const = default;
};

Refusal refused(std::string_view bytes, std::string_view form = "file") {
  try {
    Losses call;
    static_cast<void>(decode(shipped("gltf", {{"form", form}}), bytes, call));
    return {};
  } catch (const Error& error) {
    return {error.detail(), error.path(), error.offset()};
  }
}
std::string detail_of_file(std::string_view bytes) {
  return refused(bytes).detail;
}

constexpr const char* floats = R"("componentType":5126,"type":"VEC3","count":)";
const std::string bin(64, '\1');

TEST(GltfHostile, ChunksAreCheckedAgainstTheFile) {
  const std::string good = glb(R"({"asset":{"version":"2.0"}})", bin);
  EXPECT_EQ(refused(good), Refusal{});
  for (std::size_t size = 4; size < good.size(); ++size)
    EXPECT_EQ(refused(std::string_view(good).substr(0, size)),
              (Refusal{"gltf.truncated", "", size}));
  const auto changed = [&](std::size_t at, std::uint32_t value) {
    std::string bytes = good;
    store_le(bytes.data() + at, value);
    return refused(bytes);
  };
  EXPECT_EQ(changed(4, 1), (Refusal{"gltf.version", "", 4}));
  EXPECT_EQ(changed(8, 11), (Refusal{"gltf.bad_length", "", 8}));
  EXPECT_EQ(changed(12, UINT32_MAX), (Refusal{"gltf.bad_chunk", "", 12}));
  EXPECT_EQ(changed(16, 0x004e4942), (Refusal{"gltf.bad_chunk", "", 16}));
  // A first chunk that ends inside of the second one: its rest is no chunk.
  EXPECT_EQ(changed(12, 40).detail, "gltf.bad_chunk");
  const std::string more = good + "more";
  EXPECT_EQ(refused(more), Refusal{});
  try {
    static_cast<void>(decode(shipped("gltf", {{"strict", true}}), more));
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.detail(), "gltf.trailing_bytes");
    EXPECT_EQ(error.offset(), good.size());
  }
}

TEST(GltfHostile, JsonIsCheckedAtItsBytes) {
  EXPECT_EQ(refused(R"({"asset":{"version":"2.0")").detail, "gltf.bad_json");
  EXPECT_EQ(refused(R"({"asset":tru})").offset, 13u);
  EXPECT_EQ(refused(R"({"asset":{"version":"2.0"},"asset":1})").detail, "gltf.bad_json");
  EXPECT_EQ(detail_of_file(R"({"asset":{"version":"1.0"}})"), "gltf.version");
  EXPECT_EQ(detail_of_file(R"({"asset":{"version":1}})"), "gltf.version");
  EXPECT_EQ(refused(R"({"scenes":[]})"), (Refusal{"gltf.bad_member", "$.asset"}));
  EXPECT_EQ(detail_of_file("[]"), "gltf.bad_member");
  std::string deep = R"({"asset":{"version":"2.0"},"extras":)";
  for (int i = 0; i < 100000; ++i) deep += '[';
  EXPECT_EQ(detail_of_file(deep), "gltf.limit");
}

TEST(GltfHostile, RequiredExtensionsAreRefusedByName) {
  try {
    static_cast<void>(decode(shipped("gltf"), R"({"asset":{"version":"2.0"},"extensionsRequired":
      ["KHR_texture_transform","X_first","X_y"]})"));
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Status::unsupported);
    EXPECT_EQ(error.detail(), "gltf.extension");
    EXPECT_NE(error.message().find("'X_first', 'X_y'"), std::string::npos);
    EXPECT_EQ(error.message().find("KHR_texture_transform"), std::string::npos);
  }
}

TEST(GltfHostile, AccessorsStayInsideOfTheirViewsAndViewsOfTheirBuffers) {
  const auto check = [](const std::string& accessor, std::string_view view) {
    return refused(glb(with_accessor(R"("bufferView":0,)" + accessor, view), bin));
  };
  EXPECT_EQ(check(std::string(floats) + "5", R"("byteLength":60)"), Refusal{});
  EXPECT_EQ(check(std::string(floats) + "6", R"("byteLength":60)").detail, "gltf.out_of_range");
  EXPECT_EQ(check(std::string(floats) + "5", R"("byteLength":59)").detail, "gltf.out_of_range");
  EXPECT_EQ(check(std::string(floats) + "5", R"("byteLength":60,"byteOffset":5)").detail,
            "gltf.out_of_range");
  EXPECT_EQ(check(std::string(floats) + R"(5,"byteOffset":4)", R"("byteLength":60)").path,
            "$.accessors[0]");
  EXPECT_EQ(check(std::string(floats) + "9007199254740992", R"("byteLength":60)").detail,
            "gltf.limit");
  EXPECT_EQ(check(std::string(floats) + "1000000", R"("byteLength":60)").detail,
            "gltf.out_of_range");
  EXPECT_EQ(check(std::string(floats) + "18446744073709551615", R"("byteLength":60)").detail,
            "gltf.bad_number");
  EXPECT_EQ(check(std::string(floats) + "-1", R"("byteLength":60)").detail, "gltf.bad_number");
  EXPECT_EQ(check(std::string(floats) + "0", R"("byteLength":60)").detail, "gltf.bad_accessor");
  EXPECT_EQ(check(std::string(floats) + "2", R"("byteLength":60,"byteStride":8)").detail,
            "gltf.bad_stride");
  EXPECT_EQ(check(std::string(floats) + "2", R"("byteLength":4611686018427387903)").detail,
            "gltf.out_of_range");
  EXPECT_EQ(check(R"("componentType":5124,"type":"VEC3","count":1)", R"("byteLength":60)").detail,
            "gltf.bad_accessor");
  EXPECT_EQ(check(R"("componentType":5126,"type":"VEC5","count":1)", R"("byteLength":60)").detail,
            "gltf.bad_accessor");
  // The offset in the file is where the buffer view ends.
  const std::string json =
      with_accessor(std::string(R"("bufferView":0,)") + floats + "6", R"("byteLength":60)");
  EXPECT_EQ(refused(glb(json, bin)).offset, 20 + (json.size() + 3) / 4 * 4 + 8 + 60);
  // No binary chunk at all.
  EXPECT_EQ(refused(glb(json)).detail, "gltf.bad_buffer");
}

TEST(GltfHostile, SparseIndicesGrowAndStayInside) {
  const auto sparse = [](const char* indices, const std::string& part) {
    std::string content = part;
    content.resize(64);
    return refused(
               glb(with_accessor(std::string(R"("componentType":5121,"type":"SCALAR","count":4,)") +
                                     R"("sparse":{"count":2,"indices":{"bufferView":0,)" + indices +
                                     R"(},"values":{"bufferView":0}})",
                                 R"("byteLength":64)"),
                   content))
        .detail;
  };
  EXPECT_EQ(sparse(R"("componentType":5121)", std::string("\1\3")), "");
  EXPECT_EQ(sparse(R"("componentType":5121)", std::string("\3\1")), "gltf.bad_index");
  EXPECT_EQ(sparse(R"("componentType":5121)", std::string("\1\1")), "gltf.bad_index");
  EXPECT_EQ(sparse(R"("componentType":5121)", std::string("\1\4")), "gltf.bad_index");
  EXPECT_EQ(sparse(R"("componentType":5126)", std::string("\1\3")), "gltf.bad_accessor");
  EXPECT_EQ(sparse(R"("componentType":5121,"byteOffset":63)", std::string("\1\3")),
            "gltf.out_of_range");
}

TEST(GltfHostile, NodesAreTrees) {
  const auto nodes = [](const char* text) {
    return refused(std::string(R"({"asset":{"version":"2.0"},"nodes":)") + text + "}");
  };
  EXPECT_EQ(nodes(R"([{"children":[1]},{}])"), Refusal{});
  EXPECT_EQ(nodes(R"([{"children":[0]}])").detail, "gltf.bad_node");
  EXPECT_EQ(nodes(R"([{"children":[1]},{"children":[2]},{"children":[0]}])").detail,
            "gltf.bad_node");
  EXPECT_EQ(nodes(R"([{"children":[2]},{"children":[2]},{}])"),
            (Refusal{"gltf.bad_node", "$.nodes[1].children[0]"}));
  EXPECT_EQ(nodes(R"([{"children":[1]}])").detail, "gltf.bad_index");
  EXPECT_EQ(nodes(R"([{"mesh":0}])"), (Refusal{"gltf.bad_index", "$.nodes[0].mesh"}));
  // A chain as long as the file allows needs no stack.
  std::string chain = "[";
  for (int i = 1; i < 20000; ++i) chain += "{\"children\":[" + std::to_string(i) + "]},";
  EXPECT_EQ(refused(R"({"asset":{"version":"2.0"},"nodes":)" + chain + "{}]}", "mesh"), Refusal{});
}

TEST(GltfHostile, FilesAreNamedBesideTheFileAlone) {
  const auto uri = [](const char* text) {
    return refused(
               std::string(R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":12,"uri":")") +
               text +
               R"("}],"bufferViews":[{"buffer":0,"byteLength":12}],"accessors":[{"bufferView":0,)" +
               floats + "1}]}")
        .detail;
  };
  EXPECT_EQ(uri("/etc/passwd"), "gltf.bad_uri");
  EXPECT_EQ(uri("file:///etc/passwd"), "gltf.bad_uri");
  EXPECT_EQ(uri("https://example.org/a.bin"), "gltf.bad_uri");
  EXPECT_EQ(uri("a.bin"), "gltf.missing_file");
  EXPECT_EQ(uri("data:application/octet-stream;base64,AAAAAAAAAAAAAAAA"), "");
  EXPECT_EQ(uri("data:application/octet-stream;base64,AAAA"), "gltf.truncated");
  EXPECT_EQ(uri("data:application/octet-stream;base64,A?AA"), "gltf.bad_uri");
  EXPECT_EQ(uri("data:text/plain,abc"), "gltf.bad_uri");
}

TEST(GltfHostile, InstancesOfOneMeshAreBounded) {
  // One accessor of zeros, no bytes in the file, named by many nodes.
  std::string json =
      R"({"asset":{"version":"2.0"},"accessors":[{"componentType":5126,"type":"VEC3",)"
      R"("count":30000000}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],)"
      R"("nodes":[{"mesh":0})";
  for (int i = 0; i < 100; ++i) json += R"(,{"mesh":0})";
  EXPECT_EQ(refused(json + "]}", "mesh").detail, "gltf.limit");
}

TEST(GltfHostile, IndicesOfPrimitivesAreChecked) {
  const std::string json =
      R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":64}],"bufferViews":[)"
      R"({"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":4}],"accessors":[)"
      R"({"bufferView":0,"componentType":5126,"type":"VEC3","count":3},)"
      R"({"bufferView":1,"componentType":5121,"type":"SCALAR","count":3}],)"
      R"("meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],"nodes":[{"mesh":0}]})";
  std::string content(64, '\0');
  EXPECT_EQ(refused(glb(json, content), "mesh"), Refusal{});
  content[37] = 3;
  EXPECT_EQ(refused(glb(json, content), "mesh"),
            (Refusal{"gltf.bad_index", "$.meshes[0].primitives[0].indices[1]"}));
}

}  // namespace
}  // namespace polycodec::test
