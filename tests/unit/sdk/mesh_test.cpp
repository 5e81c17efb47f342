// SPDX-License-Identifier: MIT
// Figures of meshes, and several meshes as one.
#include <base/scratch_arena.hpp>
#include <model/mesh/convert.hpp>
#include <model/mesh/operations.hpp>
#include <polycodec/text.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace polycodec::mesh {
namespace {

struct Read {
  explicit Read(std::string_view json) : value(parse_json(json)) {
    mesh = mesh_of(View(value.view()), out, losses).value();
  }
  Value value;
  ScratchArena arena{1 << 20};
  Builder out{arena.abi()};
  Losses losses;
  Mesh mesh;
};

constexpr const char* square = R"({
  "positions": [{"x": 0, "y": 0, "z": 1}, {"x": 2, "y": 0, "z": 1}, {"x": 2, "y": 3.5, "z": 1}, {"x": 0, "y": 3.5, "z": 1}],
  "texcoords": [{"u": 0, "v": 1}], "colors": [],
  "faces": [{"position": [0, 1, 2, 3], "texcoord": [0, -1, 0, 0], "material": 0}, {"position": [0, 1, 2], "material": -1}],
  "edges": [{"first": 3, "second": 0}], "materials": ["red"]})";

TEST(Mesh, BoundsAreasAndSizes) {
  Read read(square);
  const auto box = bounds(read.mesh);
  ASSERT_TRUE(box);
  EXPECT_EQ(box->least, (std::array<double, 3>{0, 0, 1}));
  EXPECT_EQ(box->greatest, (std::array<double, 3>{2, 3.5, 1}));
  EXPECT_EQ(areas(read.mesh), (std::vector<double>{7, 3.5}));
  EXPECT_EQ(face_sizes(read.mesh), (std::map<std::uint64_t, std::uint64_t>{{3, 1}, {4, 1}}));
  EXPECT_FALSE(bounds(Mesh()));
}

TEST(Mesh, PositionsThatAreNotFiniteAreOutsideOfTheBounds) {
  ScratchArena arena(1 << 16);
  Builder out(arena.abi());
  const double x[] = {1, std::numeric_limits<double>::quiet_NaN(), -2};
  Mesh m;
  m.positions.fill(out.vector(std::span<const double>(x)));
  EXPECT_EQ(bounds(m)->least, (std::array<double, 3>{-2, -2, -2}));
  EXPECT_EQ(bounds(m)->greatest, (std::array<double, 3>{1, 1, 1}));
}

TEST(Mesh, AppendingShiftsIndicesAndKeepsWhatIsAbsent) {
  Read a(square);
  Read b(
      R"({"positions": [{"x": 9, "y": 9, "z": 9}, {"x": 8, "y": 8, "z": 8}, {"x": 7, "y": 7, "z": 0.5}],
             "colors": [{"red": 1, "green": 2, "blue": 3}, {"red": 4, "green": 5, "blue": 6}, {"red": 7, "green": 8, "blue": 9}],
             "texcoords": [{"u": 0.5, "v": 0.5}], "materials": ["blue", "red"],
             "faces": [{"position": [2, 1, 0], "texcoord": [0, 0, 0], "material": 1}],
             "edges": [{"first": 1, "second": 2}]})");
  append(a.mesh, b.mesh, a.out);
  const Mesh& m = a.mesh;
  EXPECT_EQ(m.position_count(), 7u);
  EXPECT_EQ(m.faces, 3u);
  const Lists positions(*m.face_positions);
  EXPECT_EQ(positions.integer(positions.row(2), 0), 6);
  const Lists texcoords(*m.face_texcoords);
  EXPECT_EQ(texcoords.integer(texcoords.row(0), 1), -1);
  EXPECT_EQ(texcoords.row(1).count, 0u);
  EXPECT_EQ(texcoords.integer(texcoords.row(2), 0), 1);
  EXPECT_EQ(m.materials, (std::vector<std::string>{"red", "blue"}));
  const Numbers materials(*m.face_materials);
  EXPECT_EQ(materials.integer(1), -1);
  EXPECT_EQ(materials.integer(2), 0);
  EXPECT_EQ(Numbers(*m.edges[0]).integer(1), 5);
  const Numbers red(*m.colors[0]);
  EXPECT_EQ(red.dtype(), POLYCODEC_DTYPE_UINT8);
  EXPECT_EQ(red.integer(0), 255);
  EXPECT_EQ(red.integer(6), 7);
  // The whole is as sound as its parts.
  const polycodec_node value = to_value(m, a.out);
  EXPECT_EQ(from_value(View(&value), a.out).faces, 3u);
}

TEST(Mesh, MergingNothingIsNothing) {
  ScratchArena arena(1 << 16);
  Builder out(arena.abi());
  const Mesh m = merge({}, out);
  EXPECT_EQ(m.position_count(), 0u);
  EXPECT_EQ(m.faces, 0u);
}

TEST(Mesh, TrianglesCoverWhatTheirPolygonsCover) {
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
  Read read("{\"positions\": [" + positions + "], \"faces\": [{\"position\": [" + corners + "]}]}");
  const double whole = areas(read.mesh)[0];
  triangulate(read.mesh, read.out, [] {});
  EXPECT_EQ(read.mesh.faces, static_cast<std::uint64_t>(2 * teeth + 1));
  double sum = 0;
  for (const double area : areas(read.mesh)) sum += area;
  EXPECT_NEAR(sum, whole, 1e-9);
}

}  // namespace
}  // namespace polycodec::mesh
