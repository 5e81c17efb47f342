// SPDX-License-Identifier: MIT
// The mesh functions that programs and plugins of others use, and the figures of meshes.
#include <polycodec/mesh.hpp>
#include <polycodec/polycodec.hpp>

#include "view/mesh_report.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polycodec {
namespace {

/// A value as a mesh, and what was told.
struct Taken {
  explicit Taken(std::string_view json, bool any_index = false, std::string_view type = {})
      : value(Value::parse(json, type)) {
    MeshReading reading;
    reading.on_loss = [this](LossClass, std::string_view path, std::string_view) {
      losses.emplace_back(path);
    };
    reading.on_work = [this](std::uint64_t units) { work += units; };
    if (any_index) reading.problems = &problems;
    mesh = as_mesh(value.view(), reading, scratch.out());
  }
  /// The mesh in another form, printed.
  std::string text(MeshForm form) {
    const auto on_loss = [this](LossClass, std::string_view path, std::string_view) {
      losses.emplace_back(path);
    };
    return Value::build([&](Builder& out) {
             Mesh copy = as_mesh(value.view(), {}, out);
             return make_mesh(copy, form, on_loss, out);
           })
        .text();
  }

  Value value;
  Draft scratch{1 << 20};
  Mesh mesh;
  MeshProblems problems;
  std::vector<std::string> losses;
  std::uint64_t work = 0;
};

constexpr std::string_view square = R"({
  "positions": [{"x": 0, "y": 0, "z": 1}, {"x": 2, "y": 0, "z": 1}, {"x": 2, "y": 3.5, "z": 1}, {"x": 0, "y": 3.5, "z": 1}],
  "texcoords": [{"u": 0, "v": 1}],
  "faces": [{"position": [0, 1, 2, 3], "texcoord": [0, -1, 0, 0], "material": 0}, {"position": [0, 1, 2], "material": -1}],
  "edges": [{"first": 3, "second": 0}], "materials": ["red"]})";

std::vector<std::int32_t> all(std::span<const std::int32_t> items) {
  return {items.begin(), items.end()};
}

TEST(SdkMesh, NumbersAreSideBySide) {
  const Taken taken(square);
  const Mesh& m = taken.mesh;
  EXPECT_EQ(m.position_count(), 4u);
  EXPECT_EQ(m.positions[3 * 2 + 1], 3.5);
  EXPECT_EQ(m.face_count(), 2u);
  EXPECT_EQ(all(m.face(1)), (std::vector<std::int32_t>{0, 1, 2}));
  EXPECT_EQ(all(m.of_face(m.corner_texcoords, 0)), (std::vector<std::int32_t>{0, -1, 0, 0}));
  EXPECT_EQ(all(m.of_face(m.corner_texcoords, 1)), (std::vector<std::int32_t>{-1, -1, -1}));
  EXPECT_TRUE(m.of_face(m.corner_normals, 0).empty());
  EXPECT_EQ(m.edge_count(), 1u);
  EXPECT_TRUE(taken.losses.empty());
  EXPECT_GE(taken.work, 16u * 20) << "each node that is checked and copied";
}

TEST(SdkMesh, NumbersKeepTheirTypeForPrograms) {
  const Taken taken(
      R"({"vertex": [{"x": 1, "y": 0, "z": 7}, {"x": -2, "y": 0, "z": 8}, {"x": 3, "y": 0, "z": 9}]})",
      false, "{vertex: 3 * {x: int16, y: int16, z: int16}}");
  EXPECT_EQ(taken.mesh.positions.dtype, POLYCODEC_DTYPE_INT16);
  EXPECT_EQ(taken.mesh.positions[3], -2);
  EXPECT_EQ(taken.mesh.positions[8], 9);
}

TEST(SdkMesh, WrongIndicesAreCollectedOrAnError) {
  constexpr std::string_view wrong =
      R"({"positions": [{"x": 0, "y": 0, "z": 0}], "faces": [{"position": [0, 4294967296, -3]}]})";
  const Taken taken(wrong, true);
  EXPECT_EQ(taken.problems.count, 2u);
  ASSERT_EQ(taken.problems.shown.size(), 2u);
  for (const std::int32_t index : taken.mesh.corners.subspan(1))
    EXPECT_TRUE(index < 0 || index > 0) << "none becomes an index that is right";
  try {
    Taken other(wrong);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.detail(), "mesh.index_out_of_range");
    EXPECT_EQ(error.path(), "$.faces[0].position[1]");
  }
}

TEST(SdkMesh, OtherValuesAreNoMesh) {
  constexpr std::string_view other = R"({"name": 1})";
  const Value value = Value::parse(other);
  EXPECT_EQ(mesh_form(value.view()), MeshForm::none);
  EXPECT_THROW(Taken{other}, Error);
  const Taken taken(square);
  EXPECT_EQ(mesh_form(taken.value.view()), MeshForm::mesh);
}

TEST(SdkMesh, FormsHoldTheSameMesh) {
  Taken taken(square);
  EXPECT_EQ(taken.text(MeshForm::mesh), Taken(taken.text(MeshForm::mesh)).text(MeshForm::mesh));
  for (const MeshForm form : {MeshForm::elements, MeshForm::statements}) {
    const Taken again(taken.text(form));
    EXPECT_EQ(mesh_form(again.value.view()), form);
    EXPECT_EQ(all(again.mesh.corners), all(taken.mesh.corners));
    EXPECT_EQ(all(again.mesh.edges), all(taken.mesh.edges));
    ASSERT_EQ(again.mesh.positions.size, taken.mesh.positions.size);
    for (std::uint64_t i = 0; i < taken.mesh.positions.size; ++i)
      EXPECT_EQ(again.mesh.positions[i], taken.mesh.positions[i]);
  }
}

TEST(SdkMesh, FacesWithoutTexcoordsKeepEmptyLists) {
  Taken taken(square);
  const std::string text = taken.text(MeshForm::mesh);
  const Value again = Value::parse(text);
  const View faces = again.find("faces");
  EXPECT_EQ(faces.child(0).find("texcoord")->size(), 4u);
  EXPECT_EQ(faces.child(1).find("texcoord")->size(), 0u);
}

TEST(SdkMesh, TrianglesKeepWhatBelongsToTheirFace) {
  Taken taken(square);
  std::uint64_t work = 0;
  const Mesh m =
      triangulate(taken.mesh, taken.scratch.out(), [&](std::uint64_t units) { work += units; });
  EXPECT_EQ(m.face_count(), 3u);
  EXPECT_EQ(all(m.corners), (std::vector<std::int32_t>{0, 1, 2, 0, 2, 3, 0, 1, 2}));
  EXPECT_EQ(all(m.corner_texcoords), (std::vector<std::int32_t>{0, -1, 0, 0, 0, 0, -1, -1, -1}));
  EXPECT_EQ(all(m.face_materials), (std::vector<std::int32_t>{0, 0, -1}));
  EXPECT_EQ(m.positions.data, taken.mesh.positions.data);
  EXPECT_EQ(all(m.edges), all(taken.mesh.edges));
}

TEST(SdkMesh, RowsOfPositionsStayThose) {
  Taken taken(R"({"vertex": [{"x": 0, "y": 0, "z": 0, "nx": 0, "ny": 0, "nz": 1},
    {"x": 1, "y": 0, "z": 0, "nx": 0, "ny": 0, "nz": 1}, {"x": 0, "y": 1, "z": 0, "nx": 0, "ny": 0, "nz": 1}],
    "face": [{"vertex_indices": [0, 1, 2]}]})");
  EXPECT_EQ(taken.mesh.normal_count(), 3u);
  EXPECT_EQ(taken.mesh.corner_normals.data(), taken.mesh.corners.data());
  const Taken again(taken.text(MeshForm::elements));
  EXPECT_EQ(again.mesh.corner_normals.data(), again.mesh.corners.data());
}

TEST(SdkMesh, TrianglesCoverWhatTheirPolygonsCover) {
  // A comb: every second corner turns the other way.
  std::string positions;
  std::string corners;
  constexpr int teeth = 20;
  const auto add = [&](double x, double y) {
    positions += (positions.empty() ? "" : ", ") + std::string("{\"x\": ") + std::to_string(x) +
                 ", \"y\": 0.5, \"z\": " + std::to_string(y) + "}";
  };
  for (int i = 0; i < teeth; ++i) {
    add(i, 0);
    add(i + 0.5, 3);
  }
  add(teeth, 0);
  add(teeth, -1);
  add(0, -1);
  for (int i = 0; i < 2 * teeth + 3; ++i) corners += (i == 0 ? "" : ", ") + std::to_string(i);
  Taken taken("{\"positions\": [" + positions + "], \"faces\": [{\"position\": [" + corners +
              "]}]}");
  const Mesh m = triangulate(taken.mesh, taken.scratch.out());
  EXPECT_EQ(m.face_count(), static_cast<std::uint64_t>(2 * teeth + 1));
  EXPECT_NEAR(cli::area(m), cli::area(taken.mesh), 1e-9);
}

TEST(MeshReport, CountsAreasAndBounds) {
  const Value value = Value::parse(square);
  cli::Meter meter;
  const cli::MeshReport report = cli::report_mesh(value.view(), 1 << 20, meter);
  ASSERT_TRUE(report.bounds);
  EXPECT_EQ(report.bounds->least, (std::array<double, 3>{0, 0, 1}));
  EXPECT_EQ(report.bounds->greatest, (std::array<double, 3>{2, 3.5, 1}));
  EXPECT_EQ(report.area, 7 + 3.5);
  EXPECT_EQ(report.face_sizes, (std::map<std::uint64_t, std::uint64_t>{{3, 1}, {4, 1}}));
  EXPECT_FALSE(cli::bounds(Mesh()));
}

TEST(MeshReport, PositionsThatAreNotFiniteAreOutsideOfTheBounds) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const double positions[] = {1, 1, 1, nan, nan, nan, -2, -2, -2};
  Mesh m;
  m.positions = std::span<const double>(positions);
  EXPECT_EQ(cli::bounds(m)->least, (std::array<double, 3>{-2, -2, -2}));
  EXPECT_EQ(cli::bounds(m)->greatest, (std::array<double, 3>{1, 1, 1}));
}

}  // namespace
}  // namespace polycodec
