// SPDX-License-Identifier: MIT
// Several meshes as one.
#include <base/scratch_arena.hpp>
#include <model/mesh/convert.hpp>
#include <model/mesh/operations.hpp>

#include "core/text/text.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace polycodec::mesh
