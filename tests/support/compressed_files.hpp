// SPDX-License-Identifier: MIT
// glTF files with compressed data, made with the encoders of Draco and meshoptimizer.
#pragma once

#include "shipped.hpp"

#include <draco/compression/encode.h>
#include <meshoptimizer.h>

#include <array>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec::test {

/// A wavy grid of `side` times `side` points.
struct Grid {
  std::vector<std::array<float, 3>> positions, normals;
  std::vector<std::array<float, 2>> texcoords;
  std::vector<std::array<std::uint8_t, 4>> colors;
  std::vector<std::array<std::uint16_t, 4>> joints;
  std::vector<std::uint32_t> indices;

  explicit Grid(std::uint32_t side) {
    for (std::uint32_t y = 0; y < side; ++y)
      for (std::uint32_t x = 0; x < side; ++x) {
        const auto u = static_cast<float>(x), v = static_cast<float>(y);
        positions.push_back({u, v, std::sin(u) * std::cos(v)});
        const float slope = std::cos(u), length = std::sqrt(slope * slope + 1);
        normals.push_back({-slope / length, 0, 1 / length});
        texcoords.push_back({u / 16, v / 16});
        colors.push_back({static_cast<std::uint8_t>(7 * x), static_cast<std::uint8_t>(5 * y), 3,
                          static_cast<std::uint8_t>(255 - x)});
        joints.push_back({static_cast<std::uint16_t>(x), static_cast<std::uint16_t>(y), 0, 1});
      }
    for (std::uint32_t y = 0; y + 1 < side; ++y)
      for (std::uint32_t x = 0; x + 1 < side; ++x) {
        const std::uint32_t a = y * side + x, b = a + 1, c = a + side, d = c + 1;
        for (const std::uint32_t i : {a, b, d, a, d, c}) indices.push_back(i);
      }
  }
};

/// The grid as Draco writes it. The unique id of an attribute is 10 and its place: POSITION,
/// NORMAL, TEXCOORD_0, COLOR_0, JOINTS_0. `bits`: of quantization, 0 for none.
inline std::string draco_bytes(const Grid& grid, int method, int bits) {
  draco::Mesh mesh;
  mesh.set_num_points(static_cast<std::uint32_t>(grid.positions.size()));
  const auto add = [&](draco::GeometryAttribute::Type type, draco::DataType data, int size,
                       const auto& rows) {
    using Row = typename std::remove_cvref_t<decltype(rows)>::value_type;
    draco::GeometryAttribute attribute;
    attribute.Init(type, nullptr, static_cast<std::uint8_t>(std::tuple_size_v<Row>), data, false,
                   static_cast<std::int64_t>(std::tuple_size_v<Row>) * size, 0);
    const int id = mesh.AddAttribute(attribute, true, static_cast<std::uint32_t>(rows.size()));
    mesh.attribute(id)->set_unique_id(static_cast<std::uint32_t>(10 + id));
    for (std::uint32_t i = 0; i < rows.size(); ++i)
      mesh.attribute(id)->SetAttributeValue(draco::AttributeValueIndex(i), rows[i].data());
  };
  add(draco::GeometryAttribute::POSITION, draco::DT_FLOAT32, 4, grid.positions);
  add(draco::GeometryAttribute::NORMAL, draco::DT_FLOAT32, 4, grid.normals);
  add(draco::GeometryAttribute::TEX_COORD, draco::DT_FLOAT32, 4, grid.texcoords);
  add(draco::GeometryAttribute::COLOR, draco::DT_UINT8, 1, grid.colors);
  add(draco::GeometryAttribute::GENERIC, draco::DT_UINT16, 2, grid.joints);
  for (std::size_t i = 0; i < grid.indices.size(); i += 3)
    mesh.AddFace({draco::PointIndex(grid.indices[i]), draco::PointIndex(grid.indices[i + 1]),
                  draco::PointIndex(grid.indices[i + 2])});
  draco::Encoder encoder;
  encoder.SetEncodingMethod(method);
  if (bits != 0)
    for (const auto type : {draco::GeometryAttribute::POSITION, draco::GeometryAttribute::NORMAL,
                            draco::GeometryAttribute::TEX_COORD})
      encoder.SetAttributeQuantization(type, bits);
  draco::EncoderBuffer buffer;
  const draco::Status status = encoder.EncodeMeshToBuffer(mesh, &buffer);
  if (!status.ok()) throw std::runtime_error(status.error_msg_string());
  return {buffer.data(), buffer.size()};
}

/// The document of a compressed grid, whose binary chunk is `draco_bytes`. The accessors are those
/// of the attributes in their order, and the indices.
inline Json draco_document(const Grid& grid, std::string_view packed) {
  Json document = Json::parse(R"({"asset": {"version": "2.0"}, "scene": 0,
    "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
    "extensionsUsed": ["KHR_draco_mesh_compression"],
    "extensionsRequired": ["KHR_draco_mesh_compression"],
    "meshes": [{"primitives": [{
      "attributes": {"POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2, "COLOR_0": 3, "JOINTS_0": 4},
      "indices": 5,
      "extensions": {"KHR_draco_mesh_compression": {"bufferView": 0, "attributes":
        {"POSITION": 10, "NORMAL": 11, "TEXCOORD_0": 12, "COLOR_0": 13, "JOINTS_0": 14}}}}]}],
    "accessors": [{"componentType": 5126, "type": "VEC3"}, {"componentType": 5126, "type": "VEC3"},
      {"componentType": 5126, "type": "VEC2"},
      {"componentType": 5121, "type": "VEC4", "normalized": true},
      {"componentType": 5123, "type": "VEC4"}, {"componentType": 5123, "type": "SCALAR"}]})");
  for (Json& accessor : document["accessors"]) accessor["count"] = grid.positions.size();
  document["accessors"][5]["count"] = grid.indices.size();
  document["accessors"][0]["min"] = {0, 0, -1};
  document["accessors"][0]["max"] = {grid.positions.back()[0], grid.positions.back()[1], 1};
  document["bufferViews"] = {{{"buffer", 0}, {"byteLength", packed.size()}}};
  document["buffers"] = {{{"byteLength", packed.size()}}};
  return document;
}

/// Data of a buffer view, and what meshoptimizer makes of it.
struct MeshoptView {
  std::string_view mode, filter;
  std::size_t count, stride;
  std::string bytes;   ///< what a reader gets
  std::string packed;  ///< what the file has
};

inline MeshoptView meshopt_view(std::string_view mode, std::string_view filter, std::size_t count,
                                std::size_t stride, std::string bytes) {
  MeshoptView view{mode, filter, count, stride, std::move(bytes), {}};
  std::vector<unsigned char> packed(mode == "ATTRIBUTES"
                                        ? meshopt_encodeVertexBufferBound(count, stride)
                                        : meshopt_encodeIndexBufferBound(count, count) +
                                              meshopt_encodeIndexSequenceBound(count, count));
  std::vector<unsigned> indices;
  for (std::size_t i = 0; mode != "ATTRIBUTES" && i < count; ++i)
    indices.push_back(stride == 2 ? load_le<std::uint16_t>(view.bytes.data() + 2 * i)
                                  : load_le<std::uint32_t>(view.bytes.data() + 4 * i));
  const std::size_t size =
      mode == "ATTRIBUTES" ? meshopt_encodeVertexBuffer(packed.data(), packed.size(),
                                                        view.bytes.data(), count, stride)
      : mode == "TRIANGLES"
          ? meshopt_encodeIndexBuffer(packed.data(), packed.size(), indices.data(), count)
          : meshopt_encodeIndexSequence(packed.data(), packed.size(), indices.data(), count);
  if (size == 0) throw std::runtime_error("meshoptimizer did not encode");
  view.packed.assign(packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(size));
  if (filter == "OCTAHEDRAL") meshopt_decodeFilterOct(view.bytes.data(), count, stride);
  if (filter == "QUATERNION") meshopt_decodeFilterQuat(view.bytes.data(), count, stride);
  if (filter == "EXPONENTIAL") meshopt_decodeFilterExp(view.bytes.data(), count, stride);
  return view;
}

template <class T>
std::string bytes_of_rows(const std::vector<T>& rows) {
  std::string bytes(rows.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), rows.data(), bytes.size());
  return bytes;
}

/// The grid in all modes and with all filters: positions, normals in 8 bits and in 16, rotations,
/// normals as floats, triangles of uint16, indices of uint32.
inline std::vector<MeshoptView> meshopt_views(const Grid& grid) {
  const std::size_t n = grid.positions.size();
  std::vector<std::array<float, 4>> vectors;
  for (const auto& normal : grid.normals) vectors.push_back({normal[0], normal[1], normal[2], 0});
  std::string small(4 * n, '\0'), wide(8 * n, '\0'), turned(8 * n, '\0'), floats(12 * n, '\0');
  meshopt_encodeFilterOct(small.data(), n, 4, 8, vectors.front().data());
  meshopt_encodeFilterOct(wide.data(), n, 8, 12, vectors.front().data());
  meshopt_encodeFilterQuat(turned.data(), n, 8, 12, vectors.front().data());
  meshopt_encodeFilterExp(floats.data(), n, 12, 15, grid.normals.front().data());
  const std::vector<std::uint16_t> corners(grid.indices.begin(), grid.indices.end());
  return {
      meshopt_view("ATTRIBUTES", "NONE", n, 12, bytes_of_rows(grid.positions)),
      meshopt_view("ATTRIBUTES", "OCTAHEDRAL", n, 4, small),
      meshopt_view("ATTRIBUTES", "OCTAHEDRAL", n, 8, wide),
      meshopt_view("ATTRIBUTES", "QUATERNION", n, 8, turned),
      meshopt_view("ATTRIBUTES", "EXPONENTIAL", n, 12, floats),
      meshopt_view("TRIANGLES", "NONE", grid.indices.size(), 2, bytes_of_rows(corners)),
      meshopt_view("INDICES", "NONE", grid.indices.size(), 4, bytes_of_rows(grid.indices)),
  };
}

/// The document of these views, and the binary chunk with their packed bytes. Accessor i is of view
/// i.
inline std::pair<Json, std::string> meshopt_document(const std::vector<MeshoptView>& views) {
  Json document = Json::parse(R"({"asset": {"version": "2.0"}, "scene": 0,
    "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
    "extensionsUsed": ["EXT_meshopt_compression", "KHR_mesh_quantization"],
    "extensionsRequired": ["EXT_meshopt_compression", "KHR_mesh_quantization"],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "NORMAL": 1}, "indices": 5}]}],
    "accessors": [{"componentType": 5126, "type": "VEC3", "min": [0, 0, -1], "max": [99, 99, 1]},
      {"componentType": 5120, "type": "VEC3", "normalized": true},
      {"componentType": 5122, "type": "VEC3", "normalized": true},
      {"componentType": 5122, "type": "VEC4", "normalized": true},
      {"componentType": 5126, "type": "VEC3"}, {"componentType": 5123, "type": "SCALAR"},
      {"componentType": 5125, "type": "SCALAR"}]})");
  std::string packed;
  std::size_t unpacked = 0;
  document["bufferViews"] = Json::array();
  for (std::size_t i = 0; i < views.size(); ++i) {
    const MeshoptView& view = views[i];
    document["accessors"][i]["bufferView"] = i;
    document["accessors"][i]["count"] = view.count;
    Json description = {{"buffer", 1}, {"byteOffset", unpacked}, {"byteLength", view.bytes.size()}};
    if (view.mode == "ATTRIBUTES") description["byteStride"] = view.stride;
    Json extension = {{"buffer", 0},         {"byteOffset", packed.size()},
                      {"mode", view.mode},   {"byteLength", view.packed.size()},
                      {"count", view.count}, {"byteStride", view.stride}};
    if (view.filter != "NONE") extension["filter"] = view.filter;
    description["extensions"] = {{"EXT_meshopt_compression", extension}};
    document["bufferViews"].push_back(description);
    packed += view.packed;
    while (packed.size() % 4 != 0) packed += '\0';
    unpacked += (view.bytes.size() + 3) / 4 * 4;
  }
  document["buffers"] = {{{"byteLength", packed.size()}},
                         {{"byteLength", unpacked},
                          {"extensions", {{"EXT_meshopt_compression", {{"fallback", true}}}}}}};
  return {document, packed};
}

}  // namespace polycodec::test
