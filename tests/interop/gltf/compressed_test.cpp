// SPDX-License-Identifier: MIT
// Files with compressed data: every mode against what was compressed, and what is wrong with them.

#include "compressed_files.hpp"
#include "documents.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace polycodec::test {
namespace {

/// The elements of an accessor, one after another.
std::string elements(View document, std::uint64_t number) {
  const View values = document["accessors"][number]["values"];
  const polycodec_array& array = *values.array();
  const std::int64_t rows = array.ndim == 2 ? array.shape[1] : 1;
  std::string bytes;
  for (std::int64_t i = 0; i < array.shape[0]; ++i)
    for (std::int64_t k = 0; k < rows; ++k)
      bytes.append(static_cast<const char*>(array.data) + i * array.strides[0] +
                       (array.ndim == 2 ? k * array.strides[1] : 0),
                   array.item_size);
  return bytes;
}

Value read(const Json& document, std::string_view bin) {
  return decode(shipped("gltf"), glb(document.dump(), std::string(bin)));
}

/// Detail and path of the error, which a reader that allows every loss gets.
std::string refused(const Json& document, std::string_view bin) {
  try {
    Losses call;
    static_cast<void>(decode(shipped("gltf"), glb(document.dump(), std::string(bin)), call));
    return {};
  } catch (const Error& error) {
    return error.detail() + " " + error.path();
  }
}

/// Three corners, each with its position and texture coordinates; the least corner is the first.
using Triangle = std::array<std::array<float, 5>, 3>;
std::vector<Triangle> triangles(const std::string& positions, const std::string& texcoords,
                                const std::vector<std::uint32_t>& indices) {
  std::vector<Triangle> all;
  for (std::size_t i = 0; i < indices.size(); i += 3) {
    Triangle triangle;
    for (std::size_t c = 0; c < 3; ++c) {
      std::memcpy(triangle[c].data(), positions.data() + 12 * std::size_t{indices[i + c]}, 12);
      std::memcpy(triangle[c].data() + 3, texcoords.data() + 8 * std::size_t{indices[i + c]}, 8);
    }
    std::rotate(triangle.begin(), std::min_element(triangle.begin(), triangle.end()),
                triangle.end());
    all.push_back(triangle);
  }
  std::sort(all.begin(), all.end());
  return all;
}

TEST(GltfDraco, SequentialMeshesAreWhatWasCompressed) {
  const Grid grid(12);
  const std::string packed = draco_bytes(grid, draco::MESH_SEQUENTIAL_ENCODING, 0);
  const Value value = read(draco_document(grid, packed), packed);
  const View document = value.view();
  EXPECT_EQ(elements(document, 0), bytes_of_rows(grid.positions));
  EXPECT_EQ(elements(document, 1), bytes_of_rows(grid.normals));
  EXPECT_EQ(elements(document, 2), bytes_of_rows(grid.texcoords));
  EXPECT_EQ(elements(document, 3), bytes_of_rows(grid.colors));
  EXPECT_EQ(elements(document, 4), bytes_of_rows(grid.joints));
  EXPECT_EQ(elements(document, 5),
            bytes_of_rows(std::vector<std::uint16_t>(grid.indices.begin(), grid.indices.end())));
  EXPECT_FALSE(document.find("extensionsUsed"));
  EXPECT_FALSE(document.find("extensionsRequired"));
  EXPECT_FALSE(document["meshes"][0]["primitives"][0].find("extensions"));
  // Written again, it is the same model without compression.
  const Value back = decode(shipped("gltf"), encode(shipped("gltf"), value));
  for (std::uint64_t i = 0; i < 6; ++i) EXPECT_EQ(elements(back.view(), i), elements(document, i));
}

TEST(GltfDraco, EdgebreakerMeshesHaveTheTrianglesThatWereCompressed) {
  const Grid grid(20);
  const std::string packed = draco_bytes(grid, draco::MESH_EDGEBREAKER_ENCODING, 0);
  Json document = draco_document(grid, packed);
  document["accessors"][5]["componentType"] = 5125;
  const Value value = read(document, packed);
  const std::string corners = elements(value.view(), 5);
  std::vector<std::uint32_t> indices(grid.indices.size());
  ASSERT_EQ(corners.size(), 4 * indices.size());
  std::memcpy(indices.data(), corners.data(), corners.size());
  EXPECT_EQ(triangles(elements(value.view(), 0), elements(value.view(), 2), indices),
            triangles(bytes_of_rows(grid.positions), bytes_of_rows(grid.texcoords), grid.indices));

  Losses call;
  const Value mesh =
      decode(shipped("gltf", {{"form", "mesh"}}), glb(document.dump(), packed), call);
  EXPECT_EQ(mesh.view()["faces"].size(), grid.indices.size() / 3);
  EXPECT_EQ(mesh.view()["positions"].size(), grid.positions.size());
  EXPECT_EQ(call.all,
            std::vector<std::string>({"$.meshes: 1 attributes of primitives, such as tangents"}));
}

TEST(GltfDraco, QuantizedMeshesAreNearWhatWasCompressed) {
  const Grid grid(12);
  const std::string packed = draco_bytes(grid, draco::MESH_SEQUENTIAL_ENCODING, 14);
  const Value value = read(draco_document(grid, packed), packed);
  const std::string positions = elements(value.view(), 0);
  ASSERT_EQ(positions.size(), 12 * grid.positions.size());
  for (std::size_t i = 0; i < grid.positions.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      float number = 0;
      std::memcpy(&number, positions.data() + 12 * i + 4 * k, 4);
      EXPECT_NEAR(number, grid.positions[i][k], 0.001F);
    }
}

TEST(GltfDraco, IntegersMayHaveTheWidthOfTheAccessor) {
  const Grid grid(4);
  const std::string packed = draco_bytes(grid, draco::MESH_SEQUENTIAL_ENCODING, 0);
  Json document = draco_document(grid, packed);
  document["accessors"][4]["componentType"] = 5121;
  document["accessors"][5]["componentType"] = 5121;
  const Value value = read(document, packed);
  EXPECT_EQ(elements(value.view(), 5),
            bytes_of_rows(std::vector<std::uint8_t>(grid.indices.begin(), grid.indices.end())));
  EXPECT_EQ(elements(value.view(), 4).size(), 4 * grid.joints.size());
  // 400 points do not fit.
  const Grid large(20);
  const std::string more = draco_bytes(large, draco::MESH_SEQUENTIAL_ENCODING, 0);
  document = draco_document(large, more);
  document["accessors"][5]["componentType"] = 5121;
  EXPECT_EQ(refused(document, more), "gltf.bad_accessor $.accessors[5].componentType");
  document = draco_document(large, more);
  document["accessors"][0]["componentType"] = 5123;
  EXPECT_EQ(refused(document, more), "gltf.bad_accessor $.accessors[0].componentType");
}

TEST(GltfDraco, WhatDoesNotFitTheDocumentIsRefused) {
  const Grid grid(6);
  const std::string packed = draco_bytes(grid, draco::MESH_EDGEBREAKER_ENCODING, 0);
  const Json good = draco_document(grid, packed);
  const std::string at = "$.meshes[0].primitives[0]";
  const std::string extension = at + ".extensions.KHR_draco_mesh_compression";
  const auto changed = [&](const std::string& pointer, const Json& to) {
    Json document = good;
    if (to.is_discarded())
      document[Json::json_pointer(pointer).parent_pointer()].erase(
          Json::json_pointer(pointer).back());
    else
      document[Json::json_pointer(pointer)] = to;
    return refused(document, packed);
  };
  const Json absent(Json::value_t::discarded);
  const std::string primitive = "/meshes/0/primitives/0";
  const std::string draco = primitive + "/extensions/KHR_draco_mesh_compression";
  EXPECT_EQ(refused(good, packed), "");
  EXPECT_EQ(changed("/accessors/5/count", grid.indices.size() + 3),
            "gltf.bad_accessor $.accessors[5].count");
  EXPECT_EQ(changed("/accessors/2/type", "VEC3"), "gltf.bad_accessor $.accessors[2]");
  EXPECT_EQ(changed("/accessors/2/sparse", Json::object()),
            "gltf.bad_accessor $.accessors[2].sparse");
  EXPECT_EQ(changed(primitive + "/mode", 5), "gltf.bad_primitive " + at + ".mode");
  EXPECT_EQ(changed(primitive + "/indices", absent), "gltf.bad_primitive " + at + ".indices");
  EXPECT_EQ(changed(draco + "/bufferView", 1), "gltf.bad_index " + extension + ".bufferView");
  EXPECT_EQ(changed(draco + "/bufferView", absent), "gltf.bad_member " + extension + ".bufferView");
  EXPECT_EQ(changed(draco + "/attributes", absent), "gltf.bad_member " + extension + ".attributes");
  EXPECT_EQ(changed(draco + "/attributes/NORMAL", 99),
            "gltf.bad_index " + extension + ".attributes.NORMAL");
  EXPECT_EQ(changed(draco + "/attributes/WEIGHTS_0", 10),
            "gltf.bad_primitive " + extension + ".attributes.WEIGHTS_0");
  EXPECT_EQ(changed("/bufferViews/0/byteLength", packed.size() / 2), "draco.damaged " + extension);
  EXPECT_EQ(changed("/bufferViews/0/byteLength", 3), "draco.magic " + extension);
  // Counts of all attributes are one number, which is not that of the points.
  Json document = good;
  for (std::size_t i = 0; i < 5; ++i) document["accessors"][i]["count"] = grid.positions.size() - 1;
  EXPECT_TRUE(refused(document, packed).starts_with("gltf.bad_accessor $.accessors["));
  // One accessor has elements of two meshes.
  document = good;
  document["bufferViews"].push_back(document["bufferViews"][0]);
  Json again = document["meshes"][0]["primitives"][0];
  again["extensions"]["KHR_draco_mesh_compression"]["bufferView"] = 1;
  document["meshes"][0]["primitives"].push_back(again);
  EXPECT_EQ(refused(document, packed).substr(0, 44),
            "gltf.bad_primitive $.meshes[0].primitives[1]");
}

TEST(GltfDraco, ElementsBesideTheCompressionAreReadThemselves) {
  const Grid grid(4);
  const std::string bin = bytes_of_rows(grid.positions) + bytes_of_rows(grid.indices) + "not Draco";
  const std::size_t first = 12 * grid.positions.size(), second = 4 * grid.indices.size();
  Json document = draco_document(grid, bin);
  document.erase("extensionsRequired");
  document["bufferViews"] = {{{"buffer", 0}, {"byteOffset", first + second}, {"byteLength", 9}},
                             {{"buffer", 0}, {"byteLength", first}},
                             {{"buffer", 0}, {"byteOffset", first}, {"byteLength", second}}};
  document["accessors"][0]["bufferView"] = 1;
  document["accessors"][5]["bufferView"] = 2;
  document["accessors"][5]["componentType"] = 5125;
  Json& primitive = document["meshes"][0]["primitives"][0];
  primitive["attributes"] = {{"POSITION", 0}};
  primitive["extensions"]["KHR_draco_mesh_compression"]["attributes"] = {{"POSITION", 10}};
  const Value value = read(document, bin);
  EXPECT_EQ(elements(value.view(), 0), bytes_of_rows(grid.positions));
  EXPECT_EQ(elements(value.view(), 5), bytes_of_rows(grid.indices));
  EXPECT_FALSE(value.view()["meshes"][0]["primitives"][0].find("extensions"));
  document["extensionsRequired"] = {"KHR_draco_mesh_compression"};
  EXPECT_TRUE(refused(document, bin).starts_with("draco.magic "));
}

TEST(GltfMeshopt, EachModeAndFilterGivesWhatWasCompressed) {
  const Grid grid(30);
  const auto views = meshopt_views(grid);
  const auto [document, packed] = meshopt_document(views);
  const Value value = read(document, packed);
  for (std::size_t i : {std::size_t{0}, std::size_t{4}, std::size_t{6}})
    EXPECT_EQ(elements(value.view(), i), views[i].bytes) << i;
  // Of triangles, each begins with another corner.
  const std::string corners = elements(value.view(), 5);
  std::vector<std::uint32_t> indices;
  for (std::size_t i = 0; i < corners.size(); i += 2)
    indices.push_back(load_le<std::uint16_t>(corners.data() + i));
  EXPECT_EQ(triangles(elements(value.view(), 0), bytes_of_rows(grid.texcoords), indices),
            triangles(views[0].bytes, bytes_of_rows(grid.texcoords), grid.indices));
  // Filters: near the vectors that the library encoded.
  for (std::uint64_t i = 1; i < 5; ++i) {
    const View rows = value.view()["accessors"][i]["values"];
    for (std::uint64_t k = 0; k < grid.normals.size(); ++k)
      for (std::uint64_t c = 0; c < 3; ++c) {
        const double scale = i == 1 ? 127 : i == 4 ? 1 : 32767;
        double number = rows[k][c].as_double() / scale;
        // A rotation and its negative are one rotation.
        const float* const wanted = grid.normals[k].data();
        if (i == 3 && rows[k][2].as_double() < 0) number = -number;
        EXPECT_NEAR(number, wanted[c], i == 1 ? 0.02 : 0.001) << i << ' ' << k << ' ' << c;
      }
  }
  EXPECT_FALSE(value.view().find("buffers"));
  EXPECT_EQ(value.view()["extensionsRequired"].size(), 1u);
  EXPECT_EQ(value.view()["extensionsUsed"][0].as_string(), "KHR_mesh_quantization");
  const Value mesh = decode(shipped("gltf", {{"form", "mesh"}}), glb(document.dump(), packed));
  EXPECT_EQ(mesh.view()["faces"].size(), grid.indices.size() / 3);
}

TEST(GltfMeshopt, ABufferWithTheBytesThemselvesIsRead) {
  const Grid grid(5);
  const auto views = meshopt_views(grid);
  auto [document, packed] = meshopt_document(views);
  std::string plain;
  for (const MeshoptView& view : views) {
    plain += view.bytes;
    plain.resize((plain.size() + 3) / 4 * 4);
  }
  document["extensionsRequired"] = {"KHR_mesh_quantization"};
  const Value unpacked = read(document, packed);
  EXPECT_EQ(elements(unpacked.view(), 0), views[0].bytes);
  const TemporaryDirectory directory;
  document["buffers"][1]["uri"] = "plain.bin";
  std::string other = plain;
  other[0] = 1;
  write_file(directory.path() / "plain.bin", other);
  write_file(directory.path() / "model.glb", glb(document.dump(), packed));
  const Value value = decode_file("gltf", directory.path() / "model.glb");
  EXPECT_EQ(elements(value.view(), 0)[0], 1);
  document["extensionsRequired"].push_back("EXT_meshopt_compression");
  write_file(directory.path() / "model.glb", glb(document.dump(), packed));
  const Value again = decode_file("gltf", directory.path() / "model.glb");
  EXPECT_EQ(elements(again.view(), 0), views[0].bytes);
}

TEST(GltfMeshopt, WhatDoesNotFitTheDocumentIsRefused) {
  const Grid grid(6);
  const auto [good, packed] = meshopt_document(meshopt_views(grid));
  const auto changed = [&, &good = good, &packed = packed](std::size_t view, const char* name,
                                                           const Json& to) {
    Json document = good;
    document["bufferViews"][view]["extensions"]["EXT_meshopt_compression"][name] = to;
    return refused(document, packed);
  };
  const auto at = [](int view) {
    return " $.bufferViews[" + std::to_string(view) + "].extensions.EXT_meshopt_compression";
  };
  EXPECT_EQ(changed(0, "count", 37), "gltf.bad_length" + at(0) + ".count");
  EXPECT_EQ(changed(0, "byteStride", 8), "gltf.bad_length" + at(0) + ".count");
  EXPECT_EQ(changed(0, "byteStride", 0), "gltf.bad_length" + at(0) + ".count");
  EXPECT_EQ(changed(0, "buffer", 2), "gltf.bad_index" + at(0) + ".buffer");
  EXPECT_EQ(changed(0, "byteLength", packed.size() + 1), "gltf.out_of_range" + at(0));
  EXPECT_EQ(changed(0, "byteLength", 40), "meshopt.damaged" + at(0));
  EXPECT_EQ(changed(0, "mode", "INDICES"), "meshopt.option" + at(0));
  EXPECT_EQ(changed(0, "filter", "OCTAHEDRAL"), "meshopt.option" + at(0));
  EXPECT_EQ(changed(1, "filter", "QUATERNION"), "meshopt.option" + at(1));
  EXPECT_EQ(changed(5, "filter", "EXPONENTIAL"), "meshopt.option" + at(5));
  EXPECT_EQ(changed(5, "mode", "INDICES"), "meshopt.damaged" + at(5));
  EXPECT_NE(changed(0, "mode", "OTHER"), "");
  EXPECT_NE(changed(0, "mode", ""), "");
}

TEST(Draco, AFileOfItsOwnHasAttributesAndFaces) {
  const Grid grid(5);
  const Value value =
      registry().decode(Source::owned(draco_bytes(grid, draco::MESH_SEQUENTIAL_ENCODING, 0)));
  const View attributes = value.view()["attributes"];
  ASSERT_EQ(attributes.size(), 5u);
  EXPECT_EQ(attributes[2]["type"].as_string(), "TEX_COORD");
  EXPECT_EQ(attributes[2]["id"].as_uint64(), 12u);
  EXPECT_EQ(attributes[2]["values"][1][0].as_double(), 1.0 / 16);
  EXPECT_EQ(value.view()["faces"].size(), grid.indices.size() / 3);
  EXPECT_EQ(value.view()["faces"][0][1].as_uint64(), 1u);
}

TEST(GltfCompressed, WithoutThePluginsAFileIsRefusedByName) {
  const std::string plugins = POLYCODEC_TEST_BINARY_DIR "/lib/polycodec/plugins/abi2/";
  const TemporaryDirectory directory;
  for (const char* name : {"gltf.so", "gltf.polycodec.json"})
    std::filesystem::copy(plugins + name, directory.path() / name);
  RegistryOptions options;
  options.flags = POLYCODEC_REGISTRY_NO_ENVIRONMENT;
  options.isolation = is_isolated() ? "process" : "in-process";
  options.plugin_paths = {directory.path().native()};
  const Registry alone = Registry::open(options);
  const auto said = [&](const Json& document, const std::string& bin) {
    try {
      Losses call;
      static_cast<void>(alone.codec("gltf").decode(Source::owned(glb(document.dump(), bin)), call));
      return std::string("read");
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Status::unsupported);
      EXPECT_EQ(error.detail(), "gltf.extension");
      return error.message();
    }
  };
  const Grid grid(4);
  const std::string packed = draco_bytes(grid, draco::MESH_EDGEBREAKER_ENCODING, 11);
  Json document = draco_document(grid, packed);
  for (int i = 0; i < 2; ++i) {
    const std::string draco = said(document, packed);
    EXPECT_NE(draco.find("codec 'draco' for KHR_draco_mesh_compression"), std::string::npos)
        << draco;
    EXPECT_NE(draco.find("install the plugin draco"), std::string::npos) << draco;
    document.erase("extensionsRequired");  // its accessors are zeros for other readers
  }
  const auto [views, bin] = meshopt_document(meshopt_views(grid));
  document = views;
  for (int i = 0; i < 2; ++i) {
    const std::string meshopt = said(document, bin);
    EXPECT_NE(meshopt.find("codec 'meshopt' for EXT_meshopt_compression"), std::string::npos)
        << meshopt;
    document["extensionsRequired"] = {"KHR_mesh_quantization"};
  }
}

}  // namespace
}  // namespace polycodec::test
